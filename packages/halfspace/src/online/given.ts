import { HalfspaceError, quote } from '../errors.ts';
import { checkOptionNames } from '../features/option-names.ts';
import { type Fields, flatFields } from '../features/record.ts';
import type { RawRow } from '../model/raw-features.ts';
import { readable } from '../readable.ts';
import { valueBytes } from './size.ts';
import { keptValue } from './undecided-column.ts';

export interface LearnOptions {
  /** A number in [0, 2⁵³). A row of importance 0 is answered and not learned from. Default 1. */
  readonly importance?: number | undefined;
}

/** Returns the importance of a row. @throws HalfspaceError `option-invalid`. */
export function importanceOf(options: LearnOptions): number {
  checkOptionNames(options, ['importance'], 'learn');
  const { importance = 1 } = options;
  if (typeof importance !== 'number' || !(importance >= 0 && importance < 2 ** 53))
    throw new HalfspaceError('option-invalid', `importance must be in [0, 2⁵³); got ${quote(importance)}`);
  return importance;
}

/** Returns a copy of a record whose values run no code of the user. */
export function plainCopy(row: RawRow): Fields {
  return Object.fromEntries(Object.entries(flatFields(row)).map(([name, value]) => [name, keptValue(value)]));
}

/** Returns the bytes of the values of a row. */
export function bytesOfRow(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + valueBytes(value), 0);
}

/** Runs a call for a row, and adds the number of the row to its errors. */
export function atRow<T>(row: number, call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof HalfspaceError) || error.where.row !== undefined) throw error;
    throw error.at({ row });
  }
}

/** Text is iterable, too: the letters of the name of a field are no labels. */
export function checkList(list: unknown, name: string): void {
  const isList = () => typeof list === 'object' && list !== null && Symbol.iterator in list;
  if (readable(`the list ${name}`, isList, 'option-invalid')) return;
  throw new HalfspaceError('option-invalid', `${name} must be a list with one member for each row; got ${quote(list)}`);
}

/** Tests if a row has numbers by position: a list, or indices and values. */
export function isNumbers(row: unknown): boolean {
  // A record may have a field named "length": other lists than arrays need a first element, too.
  const isList = (value: unknown) =>
    Array.isArray(value) ||
    (typeof value === 'object' &&
      value !== null &&
      (ArrayBuffer.isView(value) || (Number.isSafeInteger((value as { length?: unknown }).length) && 0 in value)));
  if (isList(row)) return true;
  const { indices, values } = (row ?? {}) as { indices?: unknown; values?: unknown };
  return isList(indices) && isList(values);
}
