import { parseDate } from './date/formats.ts';
import { notatedNumbers } from './number/notation.ts';
import {
  cellText,
  isMeasureMissing,
  levelOf,
  missing,
  type ReadWord,
  refusedNumber,
  refusedWord,
  wordCell,
} from './table-cell.ts';
import { type CellForm, cellForm, type MeasuredColumn, type MeasuredKind } from './table-encoding.ts';

/**
 * Returns the function from words to values for a column whose cells are written in this form; undefined: plainly. A
 * plain number has its value in any form in which its point is no other mark.
 */
export function wordReader(kind: MeasuredKind, form: CellForm | undefined): ReadWord {
  if (form === undefined) return (word) => wordCell(kind, word);
  if (typeof form === 'string')
    return (word) => {
      const text = cellText(word);
      return text === null || isMeasureMissing(word!) ? missing : parseDate(text, form);
    };
  const read = notatedNumbers(form);
  return (word) => {
    const plain = wordCell(kind, word);
    if (Number.isNaN(plain) || plain === refusedNumber) return plain;
    if (levelOf(plain, form.levels?.length ?? 0) >= 0) return refusedNumber;
    if (plain !== refusedWord && (form.decimal === '.' || !word!.includes('.'))) return plain;
    const value = read(cellText(word)!);
    if (value === null) return refusedWord;
    return Math.abs(value) === Infinity ? refusedNumber : value;
  };
}

/** Returns the same for a column of a model. */
export function readerOf(column: MeasuredColumn): ReadWord {
  return wordReader(column.kind, cellForm(column));
}
