import type { FeatureEncoding, TableEncoding } from 'halfspace';
import { columnLines } from './columns.ts';
import { counted, listed } from './format.ts';

/** Returns how a model reads its data. */
export function readsLines(features: FeatureEncoding): string[] {
  switch (features.kind) {
    case 'indexed':
      return ['libsvm text: features by number'];
    case 'named':
      return [`Vowpal Wabbit text: ${counted(features.names.length, 'feature')} by name`];
    case 'hashed':
      return [`Vowpal Wabbit text: features hashed to 2^${features.bits}`];
    case 'table':
      return tableLines(features);
  }
}

/** Returns the columns that a table model reads, their encoding, and the treatment of missing values. */
function tableLines(encoding: TableEncoding): string[] {
  const lines = [`a table; the class is in its column ${encoding.label.column}`, ...columnLines(encoding)];
  return [...lines, ...encodingLines(encoding)];
}

/** Returns what holds for several columns: crosses, scaling and missing values. */
export function encodingLines({ columns, crosses = [], scale }: TableEncoding): string[] {
  const lines: string[] = [];
  if (crosses.length > 0)
    lines.push(
      `crossed: ${listed(
        crosses.map((cross) => cross.columns.join(' × ')),
        12,
      )}`,
    );
  if (scale === 'standard') lines.push('numbers and dates as (x − mean) / deviation of the training rows');
  if (columns.some(({ missing }) => missing.count > 0))
    lines.push('missing values get the mean or no level, and a feature for missing');
  return lines;
}
