import { quote } from '../errors.ts';
import { wordReader } from '../features/cell-forms.ts';
import { type FormatChoice, FormatTally, wholeFormat } from '../features/date/evidence.ts';
import type { DateFormat } from '../features/date/format-names.ts';
import type { ColumnOptions } from '../features/feature-options.ts';
import { membersOf } from '../features/set/members.ts';
import {
  booleanCell,
  cellText,
  isMeasureMissing,
  numberCell,
  refusedNumber,
  refusedWord,
} from '../features/table-cell.ts';
import {
  type CellForm,
  type ColumnKind,
  compareCodePoints,
  type NumberNotation,
  type SetForm,
} from '../features/table-encoding.ts';
import { looksLikeText } from '../features/text/likeness.ts';
import { countWords } from '../features/text/tokens.ts';
import { columnFlag, listed, shellWord } from './listed.ts';
import { NotationTally } from './notations.ts';
import { type SetEvidence, setEvidence } from './set-evidence.ts';

/** The kind as which the cells of a column are read, and the form in which they are written if not plainly. */
export interface ReadAs {
  readonly kind: ColumnKind;
  readonly form?: CellForm | SetForm | undefined;
}

/** The kinds that cells show by themselves. A column is of another kind only if the user says so. */
type ShownKind = 'number' | 'category' | 'text' | 'date' | 'boolean' | 'set';

/** Counts that describe the cells of a column. */
export class ColumnTally {
  /** Cells that are not missing. */
  cells = 0;
  /** Cells with a word such as NaN or -, which a number, date or boolean reads as missing. */
  unwritten = 0;
  /** Numbers, in the form of the column. */
  numbers = 0;
  /** The form in which most numbers are written; undefined: plainly. */
  form: NumberNotation | undefined = undefined;
  /** A number that is not written plainly; null: there is none. */
  example: string | null = null;
  /** Number of cells with a unit that most of the numbers lack; null: there is no such unit. */
  rare: number | null = null;
  /** Numbers in several units, which are not read; null: there are none. */
  mixture: readonly string[] | null = null;
  /** A number such as 1.234 in a column where the point may be meant for a mark between groups; null: none. */
  pointed: string | null = null;
  /** Numbers that are not finite: `nan`, `inf`, `1e999`. */
  notFinite = 0;
  /** Dates, in the format of the column. */
  dates = 0;
  /** The format of most dates; undefined: there is none, or it is not decided. */
  format: DateFormat | undefined = undefined;
  /** The formats that the cells show; null: they are no dates. */
  formats: FormatChoice | null = null;
  trues = 0;
  falses = 0;
  /** True if the numbers or dates vary too much to be a short list of codes. */
  measured = false;
  /** The first cell that is not a number; null: none. */
  stray: string | null = null;
  /** Cells of digits only, those of them that begin with a needless 0, and the first of these. */
  digits = 0;
  zeros = 0;
  zero: string | null = null;
  /** The length of all cells of digits; 0: none yet; −1: they differ. */
  width = 0;
  /** Cells that can be a time of day without a colon, such as 0930. */
  clocks = 0;
  /** Number of different words that are not numbers. */
  strays = 0;
  /** Number of different cells. */
  different = 0;
  /** True if different whole numbers are the same double, and there is no other number. */
  blurred = false;
  /** Number of words in all cells. */
  words = 0;
  /** The likeliest form of sets; null: no cell has several values. */
  set: SetEvidence | null = null;
}

/** A column with more different numbers than this is not a list of codes. */
const mostCodes = 20;
/** Maximum share of other cells in a column of numbers. One such cell is always tolerated. */
const straysTolerated = 0.05;
const fewestNumbers = 4;
const allDigits = /^\d+$/;
const clockTime = /^(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?$/;

/** Words that often stand for a missing value: one of them is enough to think of it. */
const oftenMissing = /^(?:[-–—.]+|nan|none|nil|n\.?\/?a\.?|unknown|missing|null)$/i;
/** Maximum number of words in place of numbers, and least number of cells with each: a single one may be a slip. */
export const mostInstead = 8;
const fewestInstead = 2;

/** The name of a column, and what is known about the form of its cells. */
export interface ColumnHints {
  readonly name: string;
  readonly decimal?: ColumnOptions['decimal'] | undefined;
  readonly format?: ColumnOptions['format'] | undefined;
  readonly separator?: ColumnOptions['separator'];
  /** True if semicolons separate the cells of the table. Default false. */
  readonly semicolons?: boolean | undefined;
  /** True if the column is known to have dates. Default false. */
  readonly isDate?: boolean;
}

/**
 * Returns the tally of a column.
 *
 * @param counts the number of occurrences of each word.
 */
export function tallyWords(
  words: readonly (string | null)[],
  counts: ArrayLike<number>,
  { name, decimal, format, separator, semicolons = false, isDate = false }: ColumnHints,
): ColumnTally {
  const tally = new ColumnTally();
  const formats = new FormatTally();
  const notations = new NotationTally();
  let different = 0;
  let fractions = false;
  let [least, most] = [Infinity, -Infinity];
  for (let code = 0; code < words.length; code++) {
    const count = counts[code] ?? 0;
    const text = count === 0 ? null : cellText(words[code]!);
    if (text === null) continue;
    tally.cells += count;
    tally.different++;
    tally.words += count * countWords(text);
    if (allDigits.test(text)) tallyDigits(tally, text, count);
    const number = numberCell(words[code]!);
    if (Number.isNaN(number)) tally.unwritten += count;
    else if (Number.isFinite(number)) {
      tally.numbers += count;
      different++;
      fractions ||= !Number.isInteger(number);
      if (number < least) least = number;
      if (number > most) most = number;
    } else if (number === refusedNumber) tally.notFinite += count;
    else {
      tally.stray ??= text;
      notations.add(text, count);
      tally.strays++;
      formats.add(text, count);
    }
    const truth = booleanCell(words[code]!);
    if (truth === 1) tally.trues += count;
    else if (truth === 0) tally.falses += count;
  }
  tally.blurred = least === most && different > 1 && !Number.isSafeInteger(least);
  // Most columns have plain numbers or none.
  if (notations.notated > 0 || decimal === ',' || (semicolons && tally.numbers > 0)) {
    forEachWord(words, counts, (text, count) => {
      if (Number.isFinite(numberCell(text))) notations.add(text, count);
    });
    const chosen = notations.choose(decimal, semicolons);
    tally.pointed = semicolons && decimal === undefined && chosen === null ? notations.pointed : null;
    const form = chosen?.notation ?? (decimal === ',' ? { decimal } : undefined);
    const isMixed = notations.plain + notations.notated >= tally.cells * (1 - straysTolerated);
    tally.mixture = isMixed ? notations.mixture : null;
    if (form !== undefined) {
      tally.rare = chosen?.rare ?? null;
      const read = wordReader('number', form);
      tally.form = form;
      tally.example = notations.exampleOf(form);
      tally.stray = null;
      tally.strays = 0;
      tally.numbers = 0;
      different = 0;
      fractions = false;
      forEachWord(words, counts, (text, count, word) => {
        const number = read(word);
        if (Number.isFinite(number)) {
          tally.numbers += count;
          different++;
          fractions ||= !Number.isInteger(number);
        } else if (number === refusedWord) {
          tally.stray ??= text;
          tally.strays++;
        } else if (Number.isNaN(number) && !isMeasureMissing(word)) tally.cells -= count;
      });
    }
  }
  tally.measured = fractions || isVaried(different, tally.numbers);
  if (tally.strays > 0 && tally.strays <= mostInstead) {
    const read = wordReader('number', tally.form);
    const others: [string, number][] = [];
    forEachWord(words, counts, (text, count, word) => {
      if (read(word) === refusedWord) others.push([text, count]);
    });
    Object.assign(tally, withWordsInstead(tally, others));
  }
  tally.format = format;
  const measures = tally.cells - tally.unwritten;
  tally.formats = formats.choice((cells, different) => isMostly(cells, measures, isVaried(different, cells)));
  const dates = tally.formats;
  if (format === undefined && dates !== null && dates.format !== null) {
    tally.format = dates.format;
    tally.dates = dates.cells;
    tally.measured ||= isVaried(dates.different, dates.cells);
  } else if (format === undefined && tally.numbers === measures && tally.form === undefined) {
    const there = words.filter((word, code) => (counts[code] ?? 0) > 0 && !Number.isNaN(numberCell(word)));
    const found = wholeFormat(
      name,
      there.map((word) => cellText(word)!),
      isDate,
    );
    tally.formats = found;
    // Whole numbers that are dates do not count as numbers, nor a 0 before them as a part of a code.
    if (found !== null && found.format !== null)
      Object.assign(tally, { format: found.format, dates: measures, numbers: 0, zeros: 0 });
  }
  // Quantities and dates have marks, too.
  if (separator !== undefined || tally.numbers + tally.dates < measures * (1 - straysTolerated))
    tally.set = setEvidence(cellsOf(words, counts), separator);
  return tally;
}

/**
 * Returns a tally with words in place of numbers in its form, such as `Not yet rated` among prices. A word that recurs
 * has a feature; one that does not, and often stands for a missing value, is missing. The tally stays as it is unless
 * the numbers vary, are at least half of the cells, and each other word is one of these and has no digit.
 *
 * @param others the cells that are no numbers, with their numbers of occurrences.
 */
export function withWordsInstead(tally: ColumnTally, others: Iterable<readonly [string, number]>): ColumnTally {
  const words = new Map<string, number>();
  for (const [text, count] of others) words.set(text.trim(), (words.get(text.trim()) ?? 0) + count);
  const cells = [...words.values()].reduce((sum, count) => sum + count, 0);
  const isClear = [...words].every(
    ([text, count]) => (count >= fewestInstead || oftenMissing.test(text)) && !/\d/.test(text),
  );
  const isMeant = tally.measured && isClear && tally.numbers >= cells && words.size <= mostInstead;
  if (!isMeant || cells === 0) return tally;
  const such = (recurs: boolean) =>
    [...words.keys()].filter((text) => words.get(text)! >= fewestInstead === recurs).sort(compareCodePoints);
  const [levels, missing] = [such(true), such(false)];
  const form = {
    ...(tally.form ?? { decimal: '.' as const }),
    ...(levels.length === 0 ? {} : { levels }),
    ...(missing.length === 0 ? {} : { missing }),
  };
  return { ...tally, form, cells: tally.cells - cells, stray: null, strays: 0 };
}

function forEachWord(
  words: readonly (string | null)[],
  counts: ArrayLike<number>,
  visit: (text: string, count: number, word: string) => void,
): void {
  for (let code = 0; code < words.length; code++) {
    const count = counts[code] ?? 0;
    const text = count === 0 ? null : cellText(words[code]!);
    if (text !== null) visit(text, count, words[code]!);
  }
}

/** Yields the cells that are not missing, with their numbers of occurrences. */
function* cellsOf(words: readonly (string | null)[], counts: ArrayLike<number>): Generator<[string, number]> {
  for (let code = 0; code < words.length; code++) {
    const count = counts[code] ?? 0;
    const text = count === 0 ? null : cellText(words[code]!);
    if (text !== null) yield [text, count];
  }
}

function tallyDigits(tally: ColumnTally, text: string, count: number): void {
  const { length } = text;
  tally.digits += count;
  tally.width = tally.width === 0 || tally.width === length ? length : -1;
  if (clockTime.test(text)) tally.clocks += count;
  if (length === 1 || !text.startsWith('0')) return;
  tally.zeros += count;
  tally.zero ??= text;
}

/**
 * Tests if a column of whole numbers has codes, such as zip codes: some begin with a 0 that a number does not need. A
 * single one may be a slip, unless all cells have the same length. Times of day such as 0930 are no codes.
 */
function hasCodes(tally: ColumnTally): boolean {
  const { digits, zeros, width, clocks, different } = tally;
  const cells = tally.cells - tally.unwritten;
  if (digits < cells || zeros === 0 || (zeros === 1 && width === -1)) return false;
  return clocks < cells || different < fewestNumbers;
}

function isVaried(different: number, cells: number): boolean {
  return different > mostCodes || (different >= fewestNumbers && different * 2 > cells);
}

/**
 * Returns the kind of a column of text cells, from its tally.
 *
 * - Category: all cells are whole numbers, and some begin with a needless 0, as zip codes do; or all are one double.
 * - Number: all cells are numbers; or at least 95 % are, and they vary. The other cells are then errors to report. A
 *   short list of codes, such as 4, 6, 8 and `rotary`, is a category, however rare its words.
 * - Date: by the same rule.
 * - Boolean: every cell is true or false, and both occur.
 * - Set: see `setEvidence`.
 * - Otherwise text or category, see `looksLikeText`.
 *
 * @param typed true if the table's types say that the column is text; it is then text, a category or a set.
 */
export function chooseKind(tally: ColumnTally, typed = false): ShownKind {
  const { notFinite, dates, trues, falses, measured, numbers } = tally;
  if (tally.cells === 0) return 'category';
  if (typed) return wordKind(tally);
  if (hasCodes(tally) || tally.blurred) return 'category';
  const cells = tally.cells - tally.unwritten;
  if (numbers > 0 && isMostly(numbers + notFinite, cells, measured)) return 'number';
  if (dates > 0 && isMostly(dates, cells, measured)) return 'date';
  if (trues > 0 && falses > 0 && trues + falses === tally.cells) return 'boolean';
  return wordKind(tally);
}

function wordKind(tally: ColumnTally): ShownKind {
  if (tally.set?.isSure === true) return 'set';
  return looksLikeText(tally) ? 'text' : 'category';
}

function isMostly(count: number, cells: number, measured: boolean): boolean {
  const strays = cells - count;
  if (strays === 0) return true;
  return measured && count >= fewestNumbers && strays <= Math.max(1, cells * straysTolerated);
}

/** Tests if the words of all cells must tell whether a column of numbers has dates, and of which order. */
export function areOpenDates({ formats }: ColumnTally, { kind }: ReadAs): boolean {
  return kind === 'number' && formats?.format === null;
}

/** Returns how a column is read, from its tally. @param given the kind that was asked for, or follows from its type. */
export function chooseReading(tally: ColumnTally, given: ColumnKind | null, typed = false): ReadAs {
  const kind = given ?? chooseKind(tally, typed);
  if (kind === 'number' && tally.form !== undefined) return { kind, form: tally.form };
  if (kind === 'set') return { kind, form: tally.set?.form ?? {} };
  if (kind !== 'date') return { kind };
  // Dates that were asked for, in an order that is not known: the words of all rows may decide.
  if (tally.format === undefined && tally.formats?.format === null) return { kind: 'category' };
  return tally.format === undefined || tally.format === 'iso' ? { kind } : { kind, form: tally.format };
}

/** Tests if two columns are read in the same way. */
export function isSameReading(a: ReadAs, b: ReadAs): boolean {
  return a.kind === b.kind && JSON.stringify(a.form) === JSON.stringify(b.form);
}

/** Returns a note on numbers that are not written plainly; null for other columns. */
export function notationNote(name: string, { example, form, rare }: ColumnTally): string | null {
  if (form === undefined || (example === null && (form.levels ?? form.missing) === undefined)) return null;
  const { unit, words = [], levels = [], missing = [] } = form;
  const texts = (factor: (factor: number | null) => boolean) =>
    words.filter((word) => factor(word.factor)).map(({ text }) => JSON.stringify(text));
  const factors = words.filter(({ factor }) => factor !== null && factor !== 1);
  const marks = texts((factor) => factor === 1);
  const others = texts((factor) => factor === null);
  const facts = [
    ...(example === null ? [] : [`${JSON.stringify(example)} is ${wordReader('number', form)(example)}`]),
    ...levels.map((text) => `${JSON.stringify(text)} has a feature of its own`),
    ...missing.map((text) => `${JSON.stringify(text)} counts as missing`),
    ...factors.map(({ text, factor }) => `${JSON.stringify(text)} multiplies by ${factor}`),
    ...(marks.length === 0 ? [] : [`${marks.join(', ')} ${marks.length === 1 ? 'changes' : 'change'} no number`]),
    ...(others.length === 0 ? [] : [`numbers with ${others.join(' or ')} are in another unit and count as missing`]),
    ...(rare === null
      ? []
      : [
          `only ${rare} ${rare === 1 ? 'cell has' : 'cells have'} the unit ${JSON.stringify(unit)}, and the others are taken for the same`,
        ]),
  ];
  return `column ${name} is read as numbers: ${facts.join('; ')} (${columnFlag(name, 'category')} keeps the words)`;
}

/** Returns a note on numbers whose point may be meant for a mark between groups of digits; null for other columns. */
export function pointNote(name: string, { pointed }: Pick<ColumnTally, 'pointed'>): string | null {
  if (pointed === null) return null;
  return `column ${name} is read as numbers: ${JSON.stringify(pointed)} is ${Number(pointed)} (${columnFlag(name, 'number:decimal-comma')} reads ${pointed.replaceAll('.', '')})`;
}

/** Returns a note on a column of words whose values are numbers in several units; null for other columns. */
export function mixtureNote(name: string, { mixture }: Pick<ColumnTally, 'mixture'>, kind: ColumnKind): string | null {
  if (mixture === null) return null;
  const such = mixture.slice(0, 3).map((example) => JSON.stringify(example));
  return `column ${name} is read as ${kind === 'text' ? 'text' : 'categories'}: its numbers are in several units, such as ${such.join(' and ')}, and none is converted (write all in one unit to read numbers)`;
}

/** Returns a note on a column of sets. @param example a cell with several values. */
export function setNote(name: string, example: string | undefined, { separator }: SetForm): string {
  const values = [...membersOf(example ?? '', separator)];
  const how = separator === undefined ? 'from lists of values' : `with ${JSON.stringify(separator)} between values`;
  return `column ${name} is read as sets, ${how} such as ${listed(values, 5)} (${columnFlag(name, 'category')} keeps each cell whole)`;
}

/** Returns a note on a column of text whose values are all dates, or all numbers in another notation; else null. */
export function textNote(name: string, { cells, numbers, example, dates, formats }: ColumnTally): string | null {
  if (formats !== null && dates === cells)
    return `column ${name} is text, as its type says, and has dates such as ${JSON.stringify(formats.example)} (${columnFlag(name, 'date')} reads them)`;
  if (example === null || numbers < cells) return null;
  return `column ${name} is text, as its type says, and has numbers such as ${JSON.stringify(example)} (${columnFlag(name, 'number')} reads them)`;
}

/** Returns a note on a category of codes with leading zeros; null for other columns. */
export function codeNote(name: string, tally: ColumnTally): string | null {
  if (!hasCodes(tally)) return null;
  return `column ${name} is read as categories: ${JSON.stringify(tally.zero)} begins with a 0 (${columnFlag(name, 'number')} reads numbers)`;
}

/** Returns a note on a category whose levels never repeat; null for other columns. */
export function singlesNote(name: string, { cells, different }: ColumnTally): string | null {
  if (different < cells || cells < 2) return null;
  return `column ${name} is read as categories, and each of its ${cells} values occurs once, so new rows have others (${columnFlag(name, 'drop')} leaves it out, =text reads its words, =category keeps it without this note)`;
}

/** Returns a note on a category whose values are mostly numbers; null for other columns. */
export function mixedNote(
  name: string,
  { cells, numbers, measured, stray, strays, example }: ColumnTally,
): string | null {
  if (numbers * 2 < cells || numbers === cells) return null;
  const such = example === null ? '' : ` such as ${JSON.stringify(example)}`;
  // Only one word beside numbers, such as - or unknown, often stands for a missing value.
  const hint = measured && strays === 1 && cells - numbers > 1 ? `; ${missingHint(stray!)}` : '';
  return `column ${name} is read as categories: ${numbers} of ${cells} values are numbers${such}, but not ${JSON.stringify(stray)}${hint}`;
}

/** Says how a word is read as missing. */
export function missingHint(word: string): string {
  const option = `missing: [${quote(word)}] reads it as missing`;
  // The flag takes words with commas between them.
  if (word.includes(',')) return option;
  return `${option} (--missing${word.startsWith('-') ? '=' : ' '}${shellWord(word)} of the command)`;
}
