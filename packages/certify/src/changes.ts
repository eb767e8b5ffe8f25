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
