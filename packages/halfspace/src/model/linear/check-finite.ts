import type { FeatureEncoding } from '../../features/encoding.ts';
import { columnWidth } from '../../features/table-encoding.ts';
import { checkFinite } from '../../json.ts';
import type { LinearFunction } from './model.ts';
import { eachWeight } from './sparse-weights.ts';

/**
 * Refuses a function whose scores leave the range of doubles by numbers of the model: if the encoded features of a row are all in [−1, 1], or
 * are what the encoding fills in for missing values, the score must be finite. If another score overflows, the row is at fault, and scoring
 * says so.
 *
 * @throws HalfspaceError `model-invalid`.
 */
export function checkFiniteFunction(linear: LinearFunction, features: FeatureEncoding): void {
  const magnitudes = filledMagnitudes(features);
  const { bias, biasConstant, divisor } = linear;
  checkFinite('divisor', 1 / divisor, 'a number with a finite reciprocal', divisor);
  checkFinite('bias', bias * biasConstant, 'a finite number, also times biasConstant', bias);
  let most = Math.abs(bias * biasConstant);
  eachWeight(linear, (weight, j) => {
    most += Math.abs(weight) * ((magnitudes.get(j) ?? 1) / divisor);
  });
  checkFinite('weights', most, 'numbers whose sum is within the range of doubles', most);
}

/** Returns the magnitudes, by position, of features that an encoding fills in for missing values and that are beyond [−1, 1]. */
function filledMagnitudes(features: FeatureEncoding): ReadonlyMap<number, number> {
  const magnitudes = new Map<number, number>();
  if (features.kind !== 'table') return magnitudes;
  let first = 0;
  for (const column of features.columns) {
    if (column.kind === 'number' || column.kind === 'date' || column.kind === 'boolean') {
      const scaled = features.scale === 'standard' && column.kind !== 'boolean';
      const filled = scaled ? (column.missing.fill - column.mean) / column.deviation : column.missing.fill;
      if (Math.abs(filled) > 1) magnitudes.set(first, Math.abs(filled));
    }
    first += columnWidth(column);
  }
  return magnitudes;
}
