import type { FeatureEncoding } from '../../features/encoding.ts';
import { columnWidth } from '../../features/table-encoding.ts';
import { checkFinite } from '../../json.ts';
import type { LinearFunction } from './model.ts';
import { eachWeight } from './sparse-weights.ts';

/**
 * Refuses a function whose weights can make scores overflow. The score must be finite for every row whose encoded
 * features are in [−1, 1] or are filled in for missing values. If another row overflows, scoring refuses that row.
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

/** Returns, by position, the magnitudes above 1 of the features that an encoding fills in for missing values. */
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
