import { plainValue } from '../features/plain-value.ts';
import { booleanCell, cellText, dateCell, numberCell } from '../features/table-cell.ts';
import type { ColumnKind } from '../features/table-encoding.ts';
import { countWords } from '../features/text/tokens.ts';

/** The smallest number of words of a text. A first value with fewer words is a category. */
const fewestWords = 4;

/**
 * Returns the kind of a field by its first value; null if that is missing.
 *
 * Numbers, truths and dates are what they are. A text is read as in a table: a number, `true` or `false`, a date, else
 * a text if it has four words or more, else a category. Other values become a category, which refuses them.
 */
export function kindOfValue(given: unknown): ColumnKind | null {
  const value = plainValue(given);
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  if (value instanceof Date) return 'date';
  if (typeof value !== 'string') return 'category';
  const text = cellText(value);
  if (text === null) return null;
  if (Number.isFinite(numberCell(text))) return 'number';
  if (/^(?:true|false)$/i.test(text) && Number.isFinite(booleanCell(text))) return 'boolean';
  if (Number.isFinite(dateCell(text))) return 'date';
  return countWords(text) >= fewestWords ? 'text' : 'category';
}
