import { HalfspaceError, quote, quoteNames } from '../errors.ts';
import { suggestion } from './nearest.ts';

/** Named fields, as a plain object has them. */
export type Fields = Readonly<Record<string, unknown>>;

/** The fields of a row. @throws HalfspaceError `row-malformed` for what is no object of fields: null, a list, a number. */
export function fieldsOf(row: unknown): Fields {
  if (typeof row !== 'object' || row === null || Array.isArray(row) || ArrayBuffer.isView(row))
    throw new HalfspaceError('row-malformed', `expected an object of fields by name; got ${quote(row)}`);
  return row as Fields;
}

/** The error for a row without any field that the model knows: it would get an answer that says nothing of it. */
export function noKnownField(row: Fields, known: readonly string[]): HalfspaceError {
  const given = Object.keys(row);
  const near = given.length === 0 ? '' : suggestion(given[0]!, known);
  return new HalfspaceError(
    'row-malformed',
    `expected at least one field that the model knows: ${quoteNames(known)}; got ${given.length === 0 ? 'none' : quoteNames(given)}${near}`,
  );
}

/** @throws HalfspaceError `number-invalid` with the field. */
export function finiteField(value: unknown, field: string | number): number {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new HalfspaceError('number-invalid', `expected a finite number; got ${quote(value)}`, {
      field: String(field),
    });
  return value;
}
