import type { RawRow } from 'halfspace';
import { quote } from 'halfspace/checks';
import type { Example } from '../models/contract.ts';
import type { RequestLimits } from './limits.ts';
import { Refusal } from './problem.ts';

/*
 * Rows and examples of requests. The library checks what a row means; here it is checked that they are rows at all and
 * how large they are.
 */

/** Returns a row. @throws Refusal for anything but an object or a list, and for a row with too many features. */
export function rowOf(value: unknown, { features }: RequestLimits): RawRow {
  if (typeof value !== 'object' || value === null)
    throw invalid(`expected a row, as an object or a list of numbers; got ${quote(value)}`);
  if (sizeOf(value) > features) throw tooMany('features in a row', features);
  return value as RawRow;
}

/** Returns rows of a body. @throws Refusal. */
export function rowsOf(values: readonly unknown[], limits: RequestLimits): readonly RawRow[] {
  if (values.length > limits.rows) throw tooMany('rows in a request (streams have no limit)', limits.rows);
  for (const value of values) rowOf(value, limits);
  return values as readonly RawRow[];
}

/** Returns the number of features, or one that is too large already. */
function sizeOf(row: object): number {
  if (Array.isArray(row)) return row.length;
  const { indices } = row as { readonly indices?: unknown };
  let count = Array.isArray(indices) ? indices.length : 0;
  for (const _ in row) count++;
  return count;
}

const members = new Set(['row', 'label', 'importance', 'id']);
/** Longest id of an example, in characters. */
export const longestId = 128;

/** Returns an example of a stream, whose lines no schema has checked. @throws Refusal. */
export function exampleOf(value: unknown, limits: RequestLimits): Example {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(`expected an example, {"row": …, "label": …}; got ${quote(value)}`);
  for (const name of Object.keys(value))
    if (!members.has(name)) throw invalid(`expected row, label, importance and id; got ${quote(name)}`);
  const { row, label, importance, id } = value as Record<string, unknown>;
  rowOf(row, limits);
  if (typeof label !== 'string' && typeof label !== 'number' && typeof label !== 'boolean')
    throw invalid(`expected a label, as text, a number or a truth; got ${quote(label)}`);
  if (importance !== undefined && typeof importance !== 'number')
    throw invalid(`expected an importance, as a number; got ${quote(importance)}`);
  if (id !== undefined && (typeof id !== 'string' || id === '' || id.length > longestId))
    throw invalid(`expected an id of 1 to ${longestId} characters; got ${quote(id)}`);
  return value as Example;
}

function invalid(message: string): Refusal {
  return new Refusal(400, 'request-invalid', message);
}

function tooMany(what: string, most: number): Refusal {
  return new Refusal(413, 'body-too-large', `expected at most ${most} ${what}; got more`);
}
