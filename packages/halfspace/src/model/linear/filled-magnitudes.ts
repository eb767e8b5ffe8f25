import type { FeatureEncoding } from '../../features/encoding.ts';
import { columnWidth } from '../../features/table-encoding.ts';

/** How large the features are that an encoding puts in the place of missing values, by position, where they are beyond [−1, 1]. */
export function filledMagnitudes(features: FeatureEncoding): ReadonlyMap<number, number> {
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
