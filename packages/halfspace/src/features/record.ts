import { HalfspaceError, quote, quoteNames } from '../errors.ts';
import { isStructure, plainValue } from './plain-value.ts';

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

/** Maximum depth of structures whose fields are read. Rows of a user may contain themselves. */
export const deepestStructure = 32;

/**
 * Visits the fields of a row of a table with their plain values; those of a structure are named `a.b`. An empty
 * structure is null.
 */
export function eachField(fields: Fields, visit: (name: string, value: unknown) => void, prefix = '', depth = 0): void {
  for (const name of Object.keys(fields)) {
    const value = plainValue(fields[name]);
    if (!isStructure(value) || depth === deepestStructure) visit(prefix + name, value);
    else if (Object.keys(value).length === 0) visit(prefix + name, null);
    else eachField(value, visit, `${prefix}${name}.`, depth + 1);
  }
}

/** Returns the names of structures that names of fields show: of `a.b.c` these are `a` and `a.b`. */
export function structuresIn(names: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const name of names)
    for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) found.add(name.slice(0, dot));
  return found;
}

/** Returns the fields of a row of a table, those of structures too; the row itself if it has none. */
export function flatFields(row: unknown): Fields {
  const fields = fieldsOf(row);
  let isFlat = true;
  for (const name in fields)
    if (typeof fields[name] === 'object' && isStructure(plainValue(fields[name]))) isFlat = false;
  if (isFlat) return fields;
  const flat: [string, unknown][] = [];
  eachField(fields, (name, value) => flat.push([name, value]));
  return Object.fromEntries(flat);
}

/** Returns a field of a row, or `a.b` of its structures; undefined if it is absent. Inherited members are no fields. */
export function fieldAt(fields: Fields, name: string): unknown {
  if (Object.hasOwn(fields, name)) return fields[name];
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    const key = name.slice(0, dot);
    const value = Object.hasOwn(fields, key) ? plainValue(fields[key]) : undefined;
    const found = isStructure(value) ? fieldAt(value, name.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns a value, but undefined for a structure: its fields are other columns. */
export function valueBeside(value: unknown): unknown {
  return typeof value === 'object' && isStructure(plainValue(value)) ? undefined : value;
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
