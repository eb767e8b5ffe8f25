import { dimensionOf } from '../../features/dimension.ts';
import { check, finite, list, number, oneOf, positive } from '../../json.ts';
import { scorerOf } from '../function-scorer.ts';
import { checkFiniteFunction } from '../linear/check-finite.ts';
import { createLinearRowScorer } from '../linear/row-scorer.ts';
import { decodeWeights, encodeWeights, withWeights } from '../linear/weights-file.ts';
import type { ModelKind } from '../model-kind.ts';
import type { MulticlassModel } from './model.ts';

/** This many weights of all classes together fill the 4 GiB that kernels can have. */
const mostWeights = 2 ** 29;

export const multiclassKind: ModelKind<MulticlassModel> = {
  encode: ({ strategy, functions }) => {
    const { biasConstant, divisor } = functions[0]!;
    // JSON has no −0; −0 + 0 is 0.
    const biases = functions.map(({ bias }) => bias + 0);
    return { strategy, biases, biasConstant, divisor, weights: functions.map(encodeWeights) };
  },
  decode: (from, common) => {
    const { length } = common.classes;
    check(length > 2, 'classes', 'three names or more', common.classes);
    const strategy = oneOf(from.strategy, 'strategy', ['one-vs-rest', 'kesler'] as const);
    const biases = list(from.biases, 'biases').map((bias) => finite(bias, 'biases'));
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
  },
  createScorer: (kernels, { functions }) => scorerOf(kernels, functions),
  createRowScorer: ({ features, functions }) => createLinearRowScorer(features, functions),
};
