import { booleanCell, cellText, dateCell, numberCell, refusedNumber } from './table-cell.ts';
import type { ColumnKind } from './table-encoding.ts';
import { looksLikeText } from './text/likeness.ts';
import { countWords } from './text/tokens.ts';

/** What the cells of a column look like, in numbers. */
export interface ColumnTally {
  /** Cells that are not missing. */
  cells: number;
  numbers: number;
  /** `nan`, `inf`, `1e999`. */
  notFinite: number;
  dates: number;
  trues: number;
  falses: number;
  /** Whether the numbers, or dates, are too varied to be a short list of codes. */
  measured: boolean;
  /** A cell that is no number. */
  stray: string | null;
  /** How many different cells, and the words of all cells. */
  different: number;
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
    different: 0,
    words: 0,
  };
}

/** More different numbers than this are no list of codes. */
const mostCodes = 20;
/** The share of cells that may be no numbers in a column of numbers, and no fewer than that of one cell. */
const straysTolerated = 0.05;
const fewestNumbers = 4;

/** The tally of a column from how often each of its words occurs. */
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
    else tally.stray ??= text;
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
 * What a column of text cells is taken for.
 *
 * Numbers, when all cells are. Also when a few are not, at most one in twenty, and the numbers are measurements: the few are then
 * faults to report, not a reason to make a category of every number. But a short list of codes, such as 4, 6, 8 and
 * `rotary`, is a category however rare its words. The same goes for dates. Booleans are true and false throughout. What is left is text
 * or a category, as `looksLikeText` says.
 *
 * @param typed whether the table's types say that the column is text: then its letters cannot make it anything else.
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
