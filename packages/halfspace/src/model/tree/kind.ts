import { type Members, members } from '../../json.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import type { DecodedCommon } from '../common.ts';
import type { FeatureReaders } from '../raw-features.ts';
import { type RowScorer, rowScorerBy } from '../row-scorer.ts';
import type { Scorer } from '../scorer.ts';
import { EncodedColumns } from './encoded-columns.ts';
import type { TreeModel } from './model.ts';
import { parseDecisionTree } from './parse.ts';
import { TreeScorer } from './scorer.ts';

export function decode(from: Members, common: DecodedCommon): TreeModel {
  const tree = members(from.tree, 'tree', ['settings', 'nodes']);
  // Encodings of more columns than a tree may have are refused here.
  const { columns } = new EncodedColumns(common.features);
  return { kind: 'tree', ...common, tree: parseDecisionTree({ ...tree, classes: common.classes, columns }) };
}

export function createScorer(_: Kernels, model: TreeModel): Scorer {
  return new TreeScorer(model);
}

export function createRowScorer(model: TreeModel, readers: FeatureReaders): RowScorer {
  return rowScorerBy(model.features, readers, new TreeScorer(model));
}
