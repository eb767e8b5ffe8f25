import { HalfspaceError, quote, quoteNames } from '../errors.ts';

/** The fields of a row by name, as in a plain object. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * An object of named fields, of any type: for TypeScript, interfaces and classes are no `Record`. Lists, maps, dates,
 * promises and functions, which have one of these symbols, are none.
 */
export type RecordRow =
  | Fields
  | (object & {
      readonly [Symbol.iterator]?: undefined;
      readonly [Symbol.toStringTag]?: undefined;
      readonly [Symbol.toPrimitive]?: undefined;
      readonly [Symbol.hasInstance]?: undefined;
    });

/** Returns the fields of a row. @throws HalfspaceError `row-malformed` for null, a list, a map, a number, …. */
export function fieldsOf(row: unknown): Fields {
  if (isRecord(row)) return row;
  throw new HalfspaceError('row-malformed', `expected an object of fields by name; got ${quote(row)}`);
}

/** Tests for an object of fields. Lists, maps, promises, dates and the like hold their data elsewhere. */
function isRecord(row: unknown): row is Fields {
  if (typeof row !== 'object' || row === null || Array.isArray(row) || ArrayBuffer.isView(row)) return false;
  return !(Symbol.toStringTag in row || Symbol.toPrimitive in row) || Object.keys(row).length > 0;
}

/** Makes the error for a row to learn from of which nothing is known and nothing can join. */
export function noKnownField(row: Fields): HalfspaceError {
  const given = Object.keys(row);
  return new HalfspaceError(
    'row-malformed',
    `expected at least one field that the model knows or that can join; got ${given.length === 0 ? 'none' : quoteNames(given)}`,
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
