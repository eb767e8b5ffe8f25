import { isNested, plainValue } from '../plain-value.ts';
import { valueText } from '../table-cell.ts';

/** The items of a list: `nothing`, `numbers` only, else `texts`; null: some are structures, or the value is no list. */
export type ListItems = 'texts' | 'numbers' | 'nothing' | null;

/** Tells what a list holds. */
export function listItems(value: unknown): ListItems {
  if (!Array.isArray(value)) return null;
  const items = value.map(plainValue).filter((each) => each !== null && each !== undefined);
  if (items.some(isNested)) return null;
  if (items.length === 0) return 'nothing';
  return items.every((each) => typeof each === 'number' || typeof each === 'bigint') ? 'numbers' : 'texts';
}

/** Tests if a list is a set without being asked for; lists of numbers may be vectors. */
export function isOfTexts(items: ListItems): boolean {
  return items === 'texts' || items === 'nothing';
}

/** Returns the text of a field that is a set: of a list, JSON of its values. @throws HalfspaceError as `valueText`. */
export function setText(value: unknown, field: string, row: Parameters<typeof valueText>[2] = {}): string | null {
  const plain = plainValue(value);
  if (!Array.isArray(plain)) return valueText(plain, field, row);
  return JSON.stringify(plain.map((each) => valueText(each, field, row)));
}
