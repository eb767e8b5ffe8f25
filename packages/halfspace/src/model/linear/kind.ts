import { check, type Members, number, oneOf, positive } from '../../json.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import type { DecodedCommon } from '../common.ts';
import { scorerOf } from '../function-scorer.ts';
import type { FeatureReaders } from '../raw-features.ts';
import type { RowScorer } from '../row-scorer.ts';
import type { Scorer } from '../scorer.ts';
import { checkFiniteFunction } from './check-finite.ts';
import type { LinearModel } from './model.ts';
import { createLinearRowScorer } from './row-scorer.ts';
import { decodeWeights, encodeWeights, withWeights } from './weights-file.ts';

export function encode(model: LinearModel): object {
  const { tie, bias, biasConstant, divisor } = model;
  // −0 + 0 is 0: JSON has no −0.
  return { tie, bias: bias + 0, biasConstant, divisor, weights: encodeWeights(model) };
}

export function decode(from: Members, common: DecodedCommon): LinearModel {
  const { classes, features } = common;
  check(classes.length === 2, 'classes', 'two names', classes);
  const decision = {
    kind: 'linear',
    ...common,
    classes: [classes[0]!, classes[1]!] as const,
    tie: oneOf(from.tie, 'tie', [-1, 1] as const),
    bias: number(from.bias, 'bias'),
    biasConstant: number(from.biasConstant, 'biasConstant', 0),
    divisor: positive(from.divisor, 'divisor'),
  } as const;
  const model = withWeights(decision, decodeWeights(from.weights, features), 1);
  checkFiniteFunction(model, features);
  return model;
}

export function createScorer(kernels: Kernels, model: LinearModel): Scorer {
  return scorerOf(kernels, [model]);
}

export function createRowScorer(model: LinearModel, readers: FeatureReaders): RowScorer {
  return createLinearRowScorer(model.features, readers, [model]);
}
