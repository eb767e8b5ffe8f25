import { dimensionOf } from '../../features/dimension.ts';
import { check, checkFinite, type Members, oneOf } from '../../json.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import type { DecodedCommon } from '../common.ts';
import { scorerOf } from '../function-scorer.ts';
import type { Scorer } from '../scorer.ts';
import { decodeDuals } from './file.ts';
import type { DualFunction } from './function.ts';
import type { DualModel } from './model.ts';

export function decode(from: Members, common: DecodedCommon): DualModel {
  const tie = oneOf(from.tie, 'tie', [-1, 1] as const);
  const functions = decodeDuals(from, dimensionOf(common.features));
  const count = common.classes.length === 2 ? 1 : common.classes.length;
  check(functions.length === count, 'functions', `${count} of them`, functions.length);
  for (const each of functions) checkFiniteDual(each);
  return { kind: 'dual', ...common, tie, functions };
}

export function createScorer(kernels: Kernels, { functions }: DualModel): Scorer {
  return scorerOf(kernels, functions);
}

/**
 * Refuses a function whose scores can overflow; see `linear/check-finite.ts`. @throws HalfspaceError `model-invalid`.
 */
function checkFiniteDual({
  kernel,
  biasConstant,
  divisor,
  support,
  rows,
  coefficients,
  survivals,
}: DualFunction): void {
  checkFinite('divisor', 1 / divisor, 'a number with a finite reciprocal', divisor);
  const { offsets, values } = support;
  // Bound of each support row's kernel values, for x in [−1, 1].
  const most = Float64Array.from({ length: offsets.length - 1 }, (_, row) => {
    let product = biasConstant * biasConstant;
    let norm = 0;
    for (let k = offsets[row]!; k < offsets[row + 1]!; k++) {
      product += Math.abs(values[k]!) / divisor;
      norm += values[k]! * values[k]!;
    }
    checkFinite('support.values', norm, 'numbers whose squares have a finite sum', norm);
    if (kernel.kind === 'rbf') return 1;
    if (kernel.kind === 'linear') return product;
    const base = kernel.gamma * product + kernel.coef0;
    let power = base;
    for (let n = 1; n < kernel.degree; n++) power *= base;
    return power;
  });
  const time = survivals.reduce((sum, survival) => sum + survival, 0);
  checkFinite('survivals', time, 'numbers with a finite sum', time);
  let sum = 0;
  for (let k = 0; k < rows.length; k++) sum += Math.abs(coefficients[k]! * Math.max(1, time)) * most[rows[k]!]!;
  checkFinite('coefficients', sum, 'numbers whose sum of kernel values is within the range of doubles', sum);
}
