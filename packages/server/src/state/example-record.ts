import { HalfspaceError, type Label, type RawRow } from 'halfspace';
import { quote } from 'halfspace/internal';

/** The kind of a record that is an example. Its body is `[id or null, label, importance, row]`. */
export const exampleKind = 1;

/** The parts of an example's record. */
export interface RecordedExample {
  readonly id: string | null;
  readonly label: Label;
  readonly importance: number;
  readonly row: RawRow;
}

/** The longest id of an example, in UTF-16 units. */
export const longestId = 128;

/** Largest length of a row as JSON; a record of it fits into a frame in any script. */
const longestRow = 2 ** 22;

/**
 * Returns the body of an example's record. What is learned is what the record holds: −0 is 0 there, and undefined
 * fields are absent.
 *
 * @param row JSON of a row, by {@link rowJson}.
 * @throws HalfspaceError for an example that JSON cannot hold, or that no model could learn.
 */
export function exampleBody(id: string | null, label: unknown, importance: unknown, row: string): string {
  return `[${id === null ? 'null' : JSON.stringify(id)},${labelJson(label)},${importanceJson(importance)},${row}]`;
}

export function parseExample(body: string): RecordedExample {
  const [id, label, importance, row] = JSON.parse(body) as [string | null, Label, number, RawRow];
  return { id, label, importance, row };
}

/** Checks an id. @throws HalfspaceError `option-invalid`. */
export function checkId(id: unknown): string {
  if (typeof id === 'string' && id.length > 0 && id.length <= longestId) return id;
  throw new HalfspaceError('option-invalid', `expected an id of 1 to ${longestId} characters; got ${quote(id)}`);
}

/**
 * Returns a row as JSON.
 *
 * @throws HalfspaceError `row-malformed` for what is no row, `number-invalid` for NaN and infinities, which JSON does
 *   not have.
 */
export function rowJson(row: unknown): string {
  if (typeof row !== 'object' || row === null || 'toJSON' in row)
    throw new HalfspaceError(
      'row-malformed',
      `expected a row, an object of fields or a list of numbers; got ${quote(row)}`,
    );
  const json = ArrayBuffer.isView(row) || Array.isArray(row) ? numbersJson(row) : recordJson(row as object);
  if (json.length <= longestRow) return json;
  throw new HalfspaceError('row-malformed', `expected a row of at most ${longestRow} characters; got ${json.length}`);
}

function recordJson(row: object): string {
  const { indices, values } = row as { indices?: unknown; values?: unknown };
  if (isList(indices) && isList(values)) return `{"indices":${numbersJson(indices)},"values":${numbersJson(values)}}`;
  for (const field of Object.keys(row)) {
    const value = (row as Record<string, unknown>)[field];
    if (typeof value === 'string' || typeof value === 'boolean' || value === null || value === undefined) continue;
    if (typeof value === 'number' && Number.isFinite(value)) continue;
    throw typeof value === 'number'
      ? new HalfspaceError('number-invalid', `expected a finite number; got ${value}`, { field })
      : new HalfspaceError('row-malformed', `expected text, a number, a truth or null; got ${quote(value)}`, { field });
  }
  return JSON.stringify(row);
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
