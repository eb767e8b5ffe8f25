import { createKernels } from '../../kernels/load.ts';
import { scorerOf } from '../function-scorer.ts';
import type { FeatureReaders } from '../raw-features.ts';
import { type RowScorer, rowScorerBy } from '../row-scorer.ts';
import type { DualModel } from './model.ts';

/** Creates the scorer of single raw rows. It has kernels of its own, so this file stands apart from `kind.ts`. */
export function createRowScorer({ features, functions }: DualModel, readers: FeatureReaders): RowScorer {
  return rowScorerBy(features, readers, scorerOf(createKernels(), functions));
}
