import { isNested } from '../features/plain-value.ts';
import { isOfTexts, listItems } from '../features/set/list.ts';
import { cellText } from '../features/table-cell.ts';
import { type ColumnTally, chooseReading, type ReadAs, tallyWords } from './kinds.ts';

/**
 * Returns how a field with these values is read, as a column of a table of them; null: some are structures, or lists of
 * other than texts.
 *
 * @param values present and plain ones.
 */
export function readingOf(name: string, values: readonly unknown[]): ReadAs | null {
  const lists = values.filter(isNested);
  if (lists.length > 0) return lists.every((list) => isOfTexts(listItems(list))) ? { kind: 'set', form: {} } : null;
  if (values.every((value) => typeof value === 'boolean')) return { kind: 'boolean' };
  if (values.every((value) => value instanceof Date)) return { kind: 'date' };
  return chooseReading(valueTally(name, values), null);
}

/** Returns the tally of values as cells of a text table. */
export function valueTally(name: string, values: readonly unknown[]): ColumnTally {
  const counts = new Map<string, number>();
  for (const value of values) {
    const word = wordOf(value);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return tallyWords([...counts.keys()], [...counts.values()], { name });
}

function wordOf(value: unknown): string {
  if (typeof value === 'string') return cellText(value) ?? '';
  return value instanceof Date && Number.isFinite(value.getTime()) ? value.toISOString() : String(value);
}
