import { HalfspaceError, type Label, type RawRow } from 'halfspace';
import { quote } from 'halfspace/checks';
import type { NewRecord } from '../journal/frame.ts';
import { contentOf } from './recent-ids.ts';
import { longestNames, type RowNames } from './row-names.ts';
import { scanValues } from './scan-values.ts';

/**
 * The kind of a record that is an example with its whole row. Its body is `[id or null, label, importance, row]`, with
 * the id as of {@link recordedId}.
 */
export const exampleKind = 1;

/**
 * The kind of a record that is an example whose row is an object: `[id or null, label, importance, names, ...values]`.
 * The names are the list of the fields, or its number among {@link RowNames}; a list is kept from then on.
 */
export const namedExampleKind = 5;

/** The parts of an example's record. */
export interface RecordedExample {
  readonly id: string | null;
  readonly label: Label;
  readonly importance: number;
  /** Valid until the next record is read. */
  readonly row: RawRow;
}

/** A row as JSON. */
export interface RowJson {
  /** List of the names of the fields; null: `json` is the whole row. */
  readonly names: string | null;
  /** The whole row, or the values of the fields, each with a comma before it. */
  readonly json: string;
}

/** A record before it is known which names of fields the journal has. */
export interface Draft {
  readonly kind: number;
  /** The body up to the names, the names as JSON, and the body behind them. */
  readonly begin: string;
  readonly names: string | null;
  readonly end: string;
}

/** The longest id of an example, in UTF-16 units. */
export const longestId = 128;

/** The longest label, in UTF-16 units. A longer one is hardly the name of a class, and a model file has them all. */
export const longestLabel = 1024;

/** Largest length of a row as JSON; a record of it fits into a frame in any script. */
const longestRow = 2 ** 22;

/**
 * Returns what an example teaches, as its record holds it: label and importance.
 *
 * @throws HalfspaceError for an example that JSON cannot hold, or that no model could learn.
 */
export function lessonJson(label: unknown, importance: unknown): string {
  return `${labelJson(label)},${importanceJson(importance)},`;
}

/** Returns the digest of an example: of its lesson, and of its row. */
export function exampleContent(lesson: string, { names, json }: RowJson): string {
  return contentOf(lesson, `${names}${json}`);
}

/**
 * Returns the record of an example. What is learned is what the record holds: −0 is 0 there, and undefined fields are
 * absent.
 *
 * @param id as of {@link recordedId}.
 * @param lesson by {@link lessonJson}.
 * @param row by {@link rowJson}.
 */
export function exampleDraft(id: string | null, lesson: string, { names, json }: RowJson): Draft {
  const begin = `[${JSON.stringify(id)},${lesson}`;
  return { kind: names === null ? exampleKind : namedExampleKind, begin, names, end: `${json}]` };
}

/** Returns a row as its record holds it: mostly the row itself, which saves reading it. */
export function recordedRow(row: RawRow, json: RowJson): RawRow {
  if (Array.isArray(row)) return row;
  if (json.names === null || Object.getPrototypeOf(row) !== Object.prototype) return rowOf(json);
  for (const name in row) if ((row as Record<string, unknown>)[name] === undefined) return rowOf(json);
  return row;
}

/** Returns the row that a record of it holds. */
export function rowOf({ names, json }: RowJson): RawRow {
  if (names === null) return JSON.parse(json);
  const values: unknown[] = JSON.parse(`[${json.slice(1)}]`);
  return Object.fromEntries((JSON.parse(names) as string[]).map((name, k) => [name, values[k]])) as RawRow;
}

/** Completes the next record of a journal. @param names of the records before it; it is kept up to date. */
export function recordOf({ kind, begin, names, end }: Draft, known: RowNames): NewRecord {
  if (names === null) return { kind, body: begin + end };
  const number = known.numberOf(names);
  if (number !== undefined) return { kind, body: `${begin}${number}${end}` };
  known.add(JSON.parse(names));
  return { kind, body: begin + names + end };
}

/** Returns about the number of characters of a record. */
export function lengthOf({ begin, names, end }: Draft): number {
  return begin.length + (names?.length ?? 0) + end.length;
}

/** Reads a record of {@link exampleKind}. */
export function parseExample(body: string): RecordedExample {
  const [id, label, importance, row] = JSON.parse(body) as [string | null, Label, number, RawRow];
  return { id, label, importance, row };
}

const values: unknown[] = [];
const beforeValues = 4;
/** Bytes of a body whose values are not kept by {@link RowNames}. */
const longBody = 2 ** 18;

/**
 * Reads the next record of {@link namedExampleKind}: the bytes of its body from `from` to `to`.
 *
 * @param names of the records before it; it is kept up to date.
 * @throws HalfspaceError `source-corrupt` if its names are not kept.
 */
export function readNamedExample(bytes: Buffer, from: number, to: number, names: RowNames): RecordedExample {
  let count = scanValues(bytes, from, to, values);
  if (count < 0) {
    const parsed = JSON.parse(bytes.toString('utf8', from, to)) as unknown[];
    count = parsed.length;
    for (let k = 0; k < count; k++) values[k] = parsed[k];
    const list = values[3];
    if (Array.isArray(list)) {
      names.add(list);
      values[3] = names.numberOf(JSON.stringify(list));
    }
  }
  const row = names.rowOf(values[3] as number, values, beforeValues, count - beforeValues, to - from > longBody);
  if (row === null)
    throw new HalfspaceError(
      'source-corrupt',
      `expected a row with the names of an earlier one; got list ${quote(values[3])} and ${count - beforeValues} values`,
    );
  return { id: values[0] as string | null, label: values[1] as Label, importance: values[2] as number, row };
}

/** Checks an id. Those that the service makes have control characters. @throws HalfspaceError `option-invalid`. */
export function checkId(id: unknown): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
  if (typeof id === 'string' && id.length > 0 && id.length <= longestId && !/[\0-\x1f]/.test(id)) return id;
  throw new HalfspaceError(
    'option-invalid',
    `expected an id of 1 to ${longestId} characters that can be printed; got ${quote(id)}`,
  );
}

/**
 * Returns a row as JSON, an object of fields as names and values.
 *
 * @throws HalfspaceError `row-malformed` for what is no row, `number-invalid` for NaN and infinities, which JSON does
 *   not have.
 */
export function rowJson(row: unknown): RowJson {
  if (typeof row !== 'object' || row === null || 'toJSON' in row)
    throw new HalfspaceError(
      'row-malformed',
      `expected a row, an object of fields or a list of numbers; got ${quote(row)}`,
    );
  const text = ArrayBuffer.isView(row) || Array.isArray(row) ? whole(numbersJson(row)) : recordJson(row as object);
  const length = (text.names?.length ?? 0) + text.json.length;
  if (length <= longestRow) return text;
  throw new HalfspaceError('row-malformed', `expected a row of at most ${longestRow} characters; got ${length}`);
}

function whole(json: string): RowJson {
  return { names: null, json };
}

function recordJson(row: object): RowJson {
  const { indices, values } = row as { indices?: unknown; values?: unknown };
  if (isList(indices) && isList(values))
    return whole(`{"indices":${numbersJson(indices)},"values":${numbersJson(values)}}`);
  const fields = Object.keys(row);
  const names: string[] = [];
  let json = '';
  for (const field of fields) {
    const value = (row as Record<string, unknown>)[field];
    if (value === undefined) continue;
    if (typeof value === 'string') json += `,${JSON.stringify(value)}`;
    else if (typeof value === 'boolean' || value === null) json += `,${value}`;
    // The shortest text that is the same double, as of JSON; 0 for −0.
    else if (typeof value === 'number' && Number.isFinite(value)) json += `,${value}`;
    else if (Array.isArray(value) && value.every(isPlain)) json += `,${JSON.stringify(value)}`;
    else
      throw typeof value === 'number'
        ? new HalfspaceError('number-invalid', `expected a finite number; got ${value}`, { field })
        : new HalfspaceError(
            'row-malformed',
            `expected text, a number, a truth, null or a list of such; got ${quote(value)}`,
            {
              field,
            },
          );
    names.push(field);
  }
  // A text of many pieces has 27 bytes for each character until one of them is read; then engines copy it.
  json.charCodeAt(0);
  const list = namesJson(names);
  // An assignment to this name would not make a field.
  if (list.length <= longestNames && !names.includes('__proto__')) return { names: list, json };
  return whole(JSON.stringify(row));
}

/** Tests if a list may have this item. */
function isPlain(item: unknown): boolean {
  return item === null || ['string', 'boolean'].includes(typeof item) || Number.isFinite(item);
}

let latest: { readonly names: readonly string[]; readonly json: string } = { names: [], json: '[]' };

/** Returns names as JSON: mostly those of the row before. */
function namesJson(names: readonly string[]): string {
  const { length } = names;
  const before = latest.names;
  let k = before.length === length ? 0 : -1;
  while (k >= 0 && k < length && names[k] === before[k]) k++;
  if (k !== length) latest = { names, json: JSON.stringify(names) };
  return latest.json;
}

function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || ArrayBuffer.isView(value);
}

function numbersJson(list: unknown): string {
  const numbers = Array.from(list as ArrayLike<unknown>);
  for (let k = 0; k < numbers.length; k++)
    if (typeof numbers[k] !== 'number' || !Number.isFinite(numbers[k]))
      throw new HalfspaceError('number-invalid', `expected finite numbers; got ${quote(numbers[k])} at position ${k}`);
  return JSON.stringify(numbers);
}

function labelJson(label: unknown): string {
  if (typeof label === 'string' && label.length > longestLabel)
    throw new HalfspaceError(
      'label-classes',
      `expected a label of at most ${longestLabel} characters; got one of ${label.length}`,
    );
  if (typeof label === 'string' || typeof label === 'boolean' || (typeof label === 'number' && Number.isFinite(label)))
    return JSON.stringify(label);
  // As text it names the same class.
  if (typeof label === 'bigint') return `"${label}"`;
  throw label === null || label === undefined || Number.isNaN(label)
    ? new HalfspaceError('label-missing', `expected a label; got ${quote(label)}`)
    : new HalfspaceError('label-classes', `expected a label, text, a number or a truth; got ${quote(label)}`);
}

function importanceJson(importance: unknown): string {
  if (importance === undefined) return '1';
  if (typeof importance === 'number' && importance >= 0 && importance < 2 ** 53) return String(importance);
  throw new HalfspaceError('option-invalid', `importance must be in [0, 2⁵³); got ${quote(importance)}`);
}
