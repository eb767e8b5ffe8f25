import type { FeatureEncoding } from 'halfspace';
import type { EncodingChange } from './certificate.ts';

/** Returns the differences between features and the cells of a table, rising. Text is read as it is. */
export function changesOf(features: FeatureEncoding | null): EncodingChange[] {
  if (features === null || features.kind !== 'table') return [];
  const changes = new Set<EncodingChange>();
  if ((features.crosses ?? []).length > 0) changes.add('crossed');
  for (const column of features.columns) {
    if ('levels' in column || column.kind === 'boolean') changes.add('levels');
    else if (column.kind === 'text') changes.add(column.weighting === 'tf-idf' ? 'weighted' : 'levels');
    else {
      if (column.kind === 'date') changes.add('dates');
      if (column.edges !== undefined) changes.add('intervals');
      else if (features.scale === 'standard') changes.add('standardised');
    }
    if ('fill' in column.missing && column.missing.count > 0 && !('edges' in column)) changes.add('filled');
  }
  return [...changes].sort();
}

/**
 * Returns features as a certificate has them: what the data do not determine is left out or 0, because no checker could
 * find a false word there. These are columns that are no features, means of columns that are not scaled, and values for
 * cells that are not missing; `missing.count` is 1 if a cell is missing.
 */
export function statedFeatures(features: FeatureEncoding): FeatureEncoding {
  if (features.kind !== 'table') return features;
  const columns = features.columns.map((column) => {
    const isUnscaled = features.scale === 'none' && !('edges' in column);
    const stated = {
      ...column,
      ...(isUnscaled && 'mean' in column && { mean: 0 }),
      ...(isUnscaled && 'deviation' in column && { deviation: 1 }),
    };
    const { missing } = stated;
    const count = Math.min(1, missing.count);
    const isFilled = 'fill' in missing && 'mean' in stated;
    return { ...stated, missing: { ...missing, count, ...(isFilled && count === 0 && { fill: stated.mean }) } };
  });
  return { ...features, columns: columns as typeof features.columns, leftOut: [] };
}
