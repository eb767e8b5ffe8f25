import { HalfspaceError, quote } from '../errors.ts';
import type { DualFunction } from './dual/function.ts';
import { filledMagnitudes } from './linear/filled-magnitudes.ts';
import { eachWeight } from './linear/sparse-weights.ts';
import { functionsOf, isDual, type LinearFunction, type Model } from './model.ts';

/**
 * Refuses functions whose scores leave the range of doubles by numbers of the model: a row all of whose encoded features are in [−1, 1], or
 * are what the encoding puts in the place of a missing value, has a finite score. What then overflows are the numbers of a row, and scoring
 * says so of the row.
 *
 * @returns the model.
 * @throws HalfspaceError `model-invalid`.
 */
export function checkFinite<M extends Model>(model: M): M {
  const magnitudes = filledMagnitudes(model.features);
  for (const each of functionsOf(model)) {
    if (isDual(each)) checkDual(each);
    else checkLinear(each, magnitudes);
  }
  return model;
}

function checkLinear(linear: LinearFunction, magnitudes: ReadonlyMap<number, number>): void {
  const { bias, biasConstant, divisor } = linear;
  checkNumber('divisor', 1 / divisor, 'a number with a finite reciprocal', divisor);
  checkNumber('bias', bias * biasConstant, 'a finite number, also times biasConstant', bias);
  let most = Math.abs(bias * biasConstant);
  eachWeight(linear, (weight, j) => {
    most += Math.abs(weight) * ((magnitudes.get(j) ?? 1) / divisor);
  });
  checkNumber('weights', most, 'numbers whose sum is within the range of doubles', most);
}

function checkDual({ kernel, biasConstant, divisor, support, rows, coefficients, survivals }: DualFunction): void {
  checkNumber('divisor', 1 / divisor, 'a number with a finite reciprocal', divisor);
  const { offsets, values } = support;
  // The largest kernel value of each support row.
  const most = Float64Array.from({ length: offsets.length - 1 }, (_, row) => {
    let product = biasConstant * biasConstant;
    let norm = 0;
    for (let k = offsets[row]!; k < offsets[row + 1]!; k++) {
      product += Math.abs(values[k]!) / divisor;
      norm += values[k]! * values[k]!;
    }
    checkNumber('support.values', norm, 'numbers whose squares have a finite sum', norm);
    if (kernel.kind === 'rbf') return 1;
    if (kernel.kind === 'linear') return product;
    const base = kernel.gamma * product + kernel.coef0;
    let power = base;
    for (let n = 1; n < kernel.degree; n++) power *= base;
    return power;
  });
  const time = survivals.reduce((sum, survival) => sum + survival, 0);
  checkNumber('survivals', time, 'numbers with a finite sum', time);
  let sum = 0;
  for (let k = 0; k < rows.length; k++) sum += Math.abs(coefficients[k]! * Math.max(1, time)) * most[rows[k]!]!;
  checkNumber('coefficients', sum, 'numbers whose sum of kernel values is within the range of doubles', sum);
}

function checkNumber(name: string, number: number, expected: string, got: unknown): void {
  if (!Number.isFinite(number))
    throw new HalfspaceError('model-invalid', `expected "${name}" to be ${expected}; got ${quote(got)}`);
}
