import { booleanCell, cellText, dateCell, numberCell, refusedNumber } from '../features/table-cell.ts';
import type { ColumnKind } from '../features/table-encoding.ts';
import { looksLikeText } from '../features/text/likeness.ts';
import { countWords } from '../features/text/tokens.ts';

/** Counts that describe the cells of a column. */
export interface ColumnTally {
  /** Cells that are not missing. */
  cells: number;
  numbers: number;
  /** Numbers that are not finite: `nan`, `inf`, `1e999`. */
  notFinite: number;
  dates: number;
  trues: number;
  falses: number;
  /** True if the numbers or dates vary too much to be a short list of codes. */
  measured: boolean;
  /** The first cell that is not a number; null: none. */
  stray: string | null;
  /** Cells that are numbers with a decimal comma, and the first of them. */
  commas: number;
  comma: string | null;
  /** Number of different cells. */
  different: number;
  /** Number of words in all cells. */
  words: number;
}

export function emptyTally(): ColumnTally {
  return {
    cells: 0,
    numbers: 0,
    notFinite: 0,
    dates: 0,
    trues: 0,
    falses: 0,
    measured: false,
    stray: null,
    commas: 0,
    comma: null,
    different: 0,
    words: 0,
  };
}

/** A column with more different numbers than this is not a list of codes. */
const mostCodes = 20;
/** Maximum share of other cells in a column of numbers. One such cell is always tolerated. */
const straysTolerated = 0.05;
const fewestNumbers = 4;
/** A number with a decimal comma, and perhaps points between thousands. */
const decimalComma = /^[+-]?\d+(\.\d{3})*,\d+$/;

/** Returns the tally of a column. @param counts the number of occurrences of each word. */
export function tallyWords(words: readonly (string | null)[], counts: ArrayLike<number>): ColumnTally {
  const tally = emptyTally();
  let different = 0;
  let differentDates = 0;
  let fractions = false;
  for (let code = 0; code < words.length; code++) {
    const count = counts[code] ?? 0;
    const text = count === 0 ? null : cellText(words[code]!);
    if (text === null) continue;
    tally.cells += count;
    tally.different++;
    tally.words += count * countWords(text);
    const number = numberCell(text);
    if (Number.isFinite(number)) {
      tally.numbers += count;
      different++;
      fractions ||= !Number.isInteger(number);
    } else if (number === refusedNumber) tally.notFinite += count;
    else {
      tally.stray ??= text;
      if (decimalComma.test(text)) {
        tally.commas += count;
        tally.comma ??= text;
      }
    }
    if (Number.isFinite(dateCell(text))) {
      tally.dates += count;
      differentDates++;
    }
    const truth = booleanCell(text);
    if (truth === 1) tally.trues += count;
    else if (truth === 0) tally.falses += count;
  }
  tally.measured = fractions || isVaried(different, tally.numbers) || isVaried(differentDates, tally.dates);
  return tally;
}

function isVaried(different: number, cells: number): boolean {
  return different > mostCodes || (different >= fewestNumbers && different * 2 > cells);
}

/**
 * Returns the kind of a column of text cells, from its tally.
 *
 * - Number: all cells are numbers; or at least 95 % are, and they vary. The other cells are then errors to report. A
 *   short list of codes, such as 4, 6, 8 and `rotary`, is a category, however rare its words.
 * - Date: by the same rule.
 * - Boolean: every cell is true or false, and both occur.
 * - Otherwise text or category, see `looksLikeText`.
 *
 * @param typed true if the table's types say that the column is text; it is then text or a category.
 */
export function chooseKind(tally: ColumnTally, typed = false): ColumnKind {
  const { cells, numbers, notFinite, dates, trues, falses, measured } = tally;
  if (cells === 0) return 'category';
  if (typed) return looksLikeText(tally) ? 'text' : 'category';
  if (numbers > 0 && isMostly(numbers + notFinite, cells, measured)) return 'number';
  if (dates > 0 && isMostly(dates, cells, measured)) return 'date';
  if (trues > 0 && falses > 0 && trues + falses === cells) return 'boolean';
  return looksLikeText(tally) ? 'text' : 'category';
}

function isMostly(count: number, cells: number, measured: boolean): boolean {
  const strays = cells - count;
  if (strays === 0) return true;
  return measured && count >= fewestNumbers && strays <= Math.max(1, cells * straysTolerated);
}

/** Returns a note on a category whose values are mostly numbers with a decimal comma; null for other columns. */
export function commaNote(name: string, { cells, numbers, commas, comma }: ColumnTally): string | null {
  if (commas === 0 || (numbers + commas) * 2 < cells) return null;
  return `column ${name} is read as words: ${commas} of ${cells} values have a decimal comma, as ${JSON.stringify(comma)}; numbers need a point`;
}

/** Returns a note on a category whose values are mostly numbers; null for other columns. */
export function mixedNote(name: string, { cells, numbers, stray }: ColumnTally): string | null {
  if (numbers * 2 < cells || numbers === cells) return null;
  return `column ${name} is read as categories: ${numbers} of ${cells} values are numbers, but not ${JSON.stringify(stray)}`;
}
