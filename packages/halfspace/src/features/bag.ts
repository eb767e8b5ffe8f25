import { HalfspaceError } from '../errors.ts';
import { isNested, isStructure, plainValue } from './plain-value.ts';
import { cellText, numberCell, refusedCell, refusedNumber } from './table-cell.ts';

/*
 * A bag of features: an object with the features that a row has, by name. An absent feature is 0. The names are those
 * of Vowpal Wabbit text, so both give the same models.
 */

/**
 * Passes the features of one field of a bag to `put`:
 *
 * - a number, or text that is one: the feature `name` with this value, 0 too;
 * - true: `name` with the value 1; false, null, undefined and missing words: none;
 * - other text: `name=text` with the value 1;
 * - a structure: its fields, as features of the namespace `name`: `name^field`.
 *
 * @throws HalfspaceError `number-invalid` for a number that is not finite, `row-malformed` for lists, dates and bytes.
 */
export function eachFeature(name: string, given: unknown, put: (name: string, value: number) => void): void {
  if (typeof given === 'number') {
    if (!Number.isFinite(given)) throw refusedCell('number', refusedNumber, given, { field: name });
    put(name, given);
    return;
  }
  const value = plainValue(given);
  if (typeof value === 'number' || typeof value === 'bigint') eachFeature(name, Number(value), put);
  else if (typeof value === 'boolean') {
    if (value) put(name, 1);
  } else if (typeof value === 'string') {
    const text = cellText(value);
    if (text === null) return;
    const number = numberCell(text);
    if (Number.isFinite(number)) eachFeature(name, number, put);
    else put(`${name}=${text}`, 1);
  } else if (value !== null && value !== undefined) {
    if (!isStructure(value)) throw noFeature(name);
    for (const [field, each] of Object.entries(value)) {
      if (isNested(plainValue(each))) throw noFeature(`${name}^${field}`);
      eachFeature(`${name}^${field}`, each, put);
    }
  }
}

function noFeature(field: string): HalfspaceError {
  return new HalfspaceError('row-malformed', 'expected a number, a boolean or text; got another value', { field });
}
