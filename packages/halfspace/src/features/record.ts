import { HalfspaceError, quote, quoteNames } from '../errors.ts';
import { suggestion } from './nearest.ts';

/** The fields of a row by name, as in a plain object. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of a row. @throws HalfspaceError `row-malformed` for null, a list, a number and the like. */
export function fieldsOf(row: unknown): Fields {
  if (typeof row !== 'object' || row === null || Array.isArray(row) || ArrayBuffer.isView(row))
    throw new HalfspaceError('row-malformed', `expected an object of fields by name; got ${quote(row)}`);
  return row as Fields;
}

/** Makes the error for a row without any known field. Its prediction would not depend on the row at all. */
export function noKnownField(row: Fields, known: readonly string[]): HalfspaceError {
  const given = Object.keys(row);
  const near = given.length === 0 ? '' : suggestion(given[0]!, known);
  return new HalfspaceError(
    'row-malformed',
    `expected at least one field that the model knows: ${quoteNames(known)}; got ${given.length === 0 ? 'none' : quoteNames(given)}${near}`,
  );
}

/** Returns a field that must be a finite number. @throws HalfspaceError `number-invalid` with the field. */
export function finiteField(value: unknown, field: string | number): number {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new HalfspaceError('number-invalid', `expected a finite number; got ${quote(value)}`, {
      field: String(field),
    });
  return value;
}

/** Tests if for…in over an object visits inherited names. */
export function inheritsNames(object: object): boolean {
  for (const _ in Object.getPrototypeOf(object)) return true;
  return false;
}
