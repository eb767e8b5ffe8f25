import { cellText, dateCell, numberCell, refusedWord } from '../features/table-cell.ts';

/*
 * Evidence that the first line of a table holds the names of its columns. Every column speaks: a word above numbers is
 * a name, a number above numbers is a value, and a word that stands again below it is a value. The columns decide
 * together, because a single cell may mislead: a first row may have a stray word, and a name may be a year.
 */

/** Share of the cells below that must agree, so that a few stray words do not hide a column of numbers. */
const mostCells = 0.9;
/** Maximum number of shapes of a column of dates, amounts or codes. */
const mostShapes = 3;
/** Share of the rows below that may form a series like the first line by chance. */
const fewSeries = 0.3;
/** Probability that a name is also a value of its column. */
const nameAmongValues = 0.02;
/** Bounds on the estimated probability of a value that a column has not had yet. */
const leastNew = 0.05;
const mostNew = 0.95;

/** The cell of the first line in one column. */
interface FirstCell {
  readonly text: string;
  /** The first cell as a number; NaN if it is missing, ±Infinity if it is another word. */
  readonly number: number;
  /** The numbers below, infinite ones too, if nearly all cells below are numbers; else null. */
  readonly numbers: readonly number[] | null;
  /**
   * `name`: it differs in kind from the cells below; `value`: it is of their kind, a number or a cell with digits of
   * the same shape; null: both are words, or nothing is below.
   */
  readonly kind: 'name' | 'value' | null;
  /** The cells below that are not missing. */
  readonly below: readonly string[];
}

/**
 * Decides if the first line of a table is data, by these rules:
 *
 * 1. Cells that differ in kind from those below are names. If there are as many of them as cells of the same kind as
 *    below, the line has the names.
 * 2. Numbers that form a series, such as 0, 1, 2 or 2019, 2020, 2021, are names if the rows below form none.
 * 3. A line of words has the names, unless a cell is missing, is a number, or equals another one. A word that stands
 *    again below it counts against, and one that does not counts for it: the more, the fewer values occur only once.
 *
 * @param first cells of the first line.
 * @param below the records after it.
 */
export function looksLikeData(first: readonly string[], below: readonly (readonly string[])[]): boolean {
  const cells = first.map((cell, c) =>
    firstCell(
      cell.trim(),
      below.flatMap((record) => cellText(record[c] ?? '') ?? []),
    ),
  );
  const names = cells.filter(({ kind }) => kind === 'name').length;
  const values = cells.filter(({ kind }) => kind === 'value').length;
  if (names > 0 && names >= values) return false;
  if (below.length > 0 && isSeries(cells, names, below)) return false;
  if (values > 0) return true;
  // Some programs write row numbers, with no name above them.
  const named = first[0]?.trim() === '' && first.length > 1 ? cells.slice(1) : cells;
  if (named.some(({ text }) => !isName(text)) || areEqualSomewhere(named)) return true;
  return namesAgainstValues(named) < 1;
}

/** Maximum number of lines of units, types or longer names. */
const mostUnits = 3;

/**
 * Returns the number of lines below the names that are no rows: units, types, longer names. Every cell of them differs
 * in kind from the cells below: a word above numbers, a word that the column does not have again.
 *
 * @param below the records below the names.
 */
export function linesOfUnits(below: readonly (readonly string[])[]): number {
  for (let lines = Math.min(mostUnits, below.length - 2); lines > 0; lines--) {
    const rows = below.slice(lines);
    if (below.slice(0, lines).every((line) => areUnits(line, rows))) return lines;
  }
  return 0;
}

/** Words for types and parts of columns, as programs write them below the names. */
const typeWord =
  /^(?:string|str|text|char|double|float|real|decimal|int(?:eger)?|num(?:ber|eric)?|cat(?:egor\w*)?|nominal|date(?:time)?|bool(?:ean)?|continuous|discrete|class|meta|[dcs])$/i;

function areUnits(line: readonly string[], rows: readonly (readonly string[])[]): boolean {
  let above = 0;
  let repeated = 0;
  let types = 0;
  let filled = 0;
  for (let c = 0; c < line.length; c++) {
    const text = line[c]!.trim();
    if (cellText(text) === null) continue;
    const { kind, below } = firstCell(
      text,
      rows.flatMap((record) => cellText(record[c] ?? '')?.trim() ?? []),
    );
    if (kind === 'value' || Number.isFinite(numberCell(text)) || below.includes(text)) return false;
    filled++;
    if (typeWord.test(text)) types++;
    if (kind === 'name') above++;
    else if (new Set(below).size * 2 <= below.length) repeated++;
  }
  return above > 1 || (above === 1 && repeated > 0 && rows.length > 3) || (filled > 0 && types === filled);
}

/** Tests if a cell of the first line is a name by its kind: a word above numbers. */
export function isAbove(first: readonly string[], below: readonly (readonly string[])[]): boolean {
  return first.some((cell, c) => {
    const { kind } = firstCell(
      cell.trim(),
      below.flatMap((record) => cellText(record[c] ?? '') ?? []),
    );
    return kind === 'name';
  });
}

/** Tests if a cell may be a name where nothing is known about the column: a word, no number and no date. */
function isName(cell: string): boolean {
  const text = cellText(cell);
  return text !== null && numberCell(text) === refusedWord && dateCell(text) === refusedWord;
}

function areEqualSomewhere(cells: readonly FirstCell[]): boolean {
  return new Set(cells.map(({ text }) => text)).size < cells.length;
}

function firstCell(text: string, below: readonly string[]): FirstCell {
  const number = numberCell(text);
  // Cells often recur, and to read one takes longer than to find it.
  const counts = new Map<string, number>();
  for (const cell of below) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const read = new Map(Array.from(counts.keys(), (cell) => [cell, numberCell(cell)]));
  const found = below.map((cell) => read.get(cell)!).filter((cell) => cell !== refusedWord);
  const numbers = found.length > 0 && found.length >= mostCells * below.length ? found : null;
  return { text, number, numbers, kind: kindOf(text, number, numbers, counts), below };
}

function kindOf(
  text: string,
  number: number,
  numbers: readonly number[] | null,
  below: ReadonlyMap<string, number>,
): FirstCell['kind'] {
  if (cellText(text) === null || below.size === 0) return null;
  if (numbers !== null) {
    // A word that stands among the numbers below is a stray one.
    if (number !== refusedWord || below.has(text)) return 'value';
    return dateCell(text) === refusedWord ? 'name' : 'value';
  }
  const shapes = shapesOf(below);
  const own = shapeOf(text);
  if (shapes === null) return null;
  if (shapes.has(own) || below.has(text)) return nameShape.test(own) ? null : 'value';
  return below.size > 1 || [...below.values()][0]! > 1 ? 'name' : null;
}

/** Shape of names such as x1 and year 2, which codes of a column may have too. */
const nameShape = /^a[\s_-]*9$/;

/** Returns a cell with each run of digits as 9, and each run of letters as a. Dates and amounts have few shapes. */
function shapeOf(text: string): string {
  return text.replace(/\p{L}+/gu, 'a').replace(/\d+/g, '9');
}

/** Returns the shapes of cells with digits, if nearly all cells have one of a few; else null. */
function shapesOf(cells: ReadonlyMap<string, number>): ReadonlySet<string> | null {
  const counts = new Map<string, number>();
  let all = 0;
  for (const [cell, count] of cells) {
    const shape = shapeOf(cell);
    counts.set(shape, (counts.get(shape) ?? 0) + count);
    all += count;
  }
  const common = [...counts].sort(([, a], [, b]) => b - a).slice(0, mostShapes);
  if (common.some(([shape, count]) => !shape.includes('9') && count > (1 - mostCells) * all)) return null;
  const covered = common.reduce((sum, [, count]) => sum + count, 0);
  return covered >= mostCells * all ? new Set([...counts.keys()].filter((shape) => shape.includes('9'))) : null;
}

/**
 * Tests if the numbers of the first line are a series of names: they rise by equal steps, or are years, or the line
 * also has names by kind. Other cells must be words that do not stand below. Two numbers are a series only above
 * fractions.
 */
function isSeries(cells: readonly FirstCell[], names: number, below: readonly (readonly string[])[]): boolean {
  const positions = cells.flatMap(({ number }, c) => (Number.isFinite(number) ? [c] : []));
  const line = positions.map((c) => cells[c]!.number);
  const others = cells.filter(({ text, number }) => !Number.isFinite(number) && cellText(text) !== null);
  const areNames = others.every(({ text, kind, below }) => kind !== 'value' && isName(text) && !below.includes(text));
  if (line.length < 2 || !areNames || areEqualSomewhere(cells) || !rises(line)) return false;

  const whole = line.every((number) => Number.isInteger(number) && number >= 0);
  const hasSteps = hasEqualSteps(line);
  const above = positions.map((c) => cells[c]!.numbers ?? []);
  if (whole && (names > 0 || hasSteps) && above.every(areMostlyFractions)) return true;
  if (line.length < 3) return false;
  const areYears = whole && line.every(isYear) && !above.some((numbers) => numbers.some(isYear));
  if (!hasSteps && !areYears && !(whole && names > 0)) return false;
  const alike = below.filter((record) => {
    const row = positions.map((c) => numberCell(record[c] ?? ''));
    return rises(row) && (!hasSteps || hasEqualSteps(row));
  });
  return alike.length <= fewSeries * below.length;
}

function rises(line: readonly number[]): boolean {
  return line.every((number, k) => Number.isFinite(number) && (k === 0 || number > line[k - 1]!));
}

function hasEqualSteps(line: readonly number[]): boolean {
  const step = (line.at(-1)! - line[0]!) / (line.length - 1);
  // Decimal fractions are not exact.
  return line.every((number, k) => Math.abs(number - line[0]! - k * step) <= 1e-6 * step);
}

function isYear(number: number): boolean {
  return Number.isInteger(number) && number >= 1800 && number <= 2100;
}

function areMostlyFractions(numbers: readonly number[]): boolean {
  return numbers.filter((number) => !Number.isInteger(number)).length * 2 > numbers.length;
}

/**
 * Returns how many times as probable words of the first line are if they are names than if they are values. By Good and
 * Turing, the next value of a column is a new one with about the share of its values that occurred once.
 */
function namesAgainstValues(cells: readonly FirstCell[]): number {
  return cells.reduce((ratio, { text, below }) => {
    if (below.length === 0) return ratio;
    const counts = new Map<string, number>();
    for (const cell of below) counts.set(cell, (counts.get(cell) ?? 0) + 1);
    const once = [...counts.values()].filter((count) => count === 1).length;
    const isNew = Math.min(mostNew, Math.max(leastNew, (once + 1) / (below.length + 1)));
    const factor = counts.has(text) ? nameAmongValues / (1 - isNew) : (1 - nameAmongValues) / isNew;
    return Math.min(1e100, Math.max(1e-100, ratio * factor));
  }, 1);
}
