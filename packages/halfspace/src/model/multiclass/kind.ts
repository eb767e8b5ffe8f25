import { dimensionOf } from '../../features/dimension.ts';
import { check, list, type Members, number, oneOf, positive } from '../../json.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import type { DecodedCommon } from '../common.ts';
import { scorerOf } from '../function-scorer.ts';
import { checkFiniteFunction } from '../linear/check-finite.ts';
import { createLinearRowScorer } from '../linear/row-scorer.ts';
import { decodeWeights, encodeWeights, withWeights } from '../linear/weights-file.ts';
import type { FeatureReaders } from '../raw-features.ts';
import type { RowScorer } from '../row-scorer.ts';
import type { Scorer } from '../scorer.ts';
import { type MulticlassModel, strategies } from './model.ts';

/** The largest number of weights of all classes together: they fill the 4 GiB of kernel memory. */
const mostWeights = 2 ** 29;

export function encode({ strategy, functions }: MulticlassModel): object {
  const { biasConstant, divisor } = functions[0]!;
  // −0 + 0 is 0: JSON has no −0.
  const biases = functions.map(({ bias }) => bias + 0);
  return { strategy, biases, biasConstant, divisor, weights: functions.map(encodeWeights) };
}

export function decode(from: Members, common: DecodedCommon): MulticlassModel {
  const { length } = common.classes;
  check(length > 2, 'classes', 'three names or more', common.classes);
  const strategy = oneOf(from.strategy, 'strategy', strategies);
  const biases = list(from.biases, 'biases').map((bias) => number(bias, 'biases'));
  check(biases.length === length, 'biases', `${length} finite numbers`, from.biases);
  const biasConstant = number(from.biasConstant, 'biasConstant', 0);
  const divisor = positive(from.divisor, 'divisor');
  const weights = list(from.weights, 'weights');
  check(weights.length === length, 'weights', `those of ${length} classes`, weights);
  const all = dimensionOf(common.features) * length;
  check(all <= mostWeights, 'weights', `${mostWeights} at most, of all classes together`, all);
  const functions = weights
    .map((each) => decodeWeights(each, common.features))
    .map((each, k) => withWeights({ bias: biases[k]!, biasConstant, divisor }, each, length));
  for (const each of functions) checkFiniteFunction(each, common.features);
  return { kind: 'multiclass', strategy, ...common, functions };
}

export function createScorer(kernels: Kernels, { functions }: MulticlassModel): Scorer {
  return scorerOf(kernels, functions);
}

export function createRowScorer({ features, functions }: MulticlassModel, readers: FeatureReaders): RowScorer {
  return createLinearRowScorer(features, readers, functions);
}
