import { cellText, numberCell, refusedWord } from '../features/table-cell.ts';
import { isAbove, linesOfUnits, looksLikeData } from './header-evidence.ts';
import { listed } from './listed.ts';

/** Names of a text table's columns. */
export interface Header {
  /** True if the first line holds the names. */
  readonly present: boolean;
  readonly names: readonly string[];
  /** True if the names are in a comment above, so that the first record is a row. Default false. */
  readonly isComment?: boolean;
  /** Number of records below the names that are no rows: units, types, longer names. */
  readonly units: number;
  readonly notes: readonly string[];
}

/**
 * Names the columns of a text table.
 *
 * The first line is the header, unless the evidence of all columns says that it is data: {@link looksLikeData}.
 *
 * @param records the first records, the first line among them.
 * @param width number of columns if there is no header.
 * @param given true if the first line is the header; undefined: guess.
 */
export function findHeader(records: readonly string[][], width: number, given: boolean | undefined): Header {
  const first = namesOf(records, width);
  const rows = withoutNames(first, records.slice(1));
  const units = given === false ? 0 : linesOfUnits(rows);
  const present = given ?? !looksLikeData(first, rows.slice(units));
  if (!present) {
    const names = Array.from({ length: width }, (_, c) => `column${c}`);
    const note =
      'the first line looks like data: columns are named column0, column1, … (header: true takes it for names, --header of the command)';
    return { present, names, units: 0, notes: given === undefined ? [note] : [] };
  }

  const { names, renamed } = uniqueNames(first.map((cell) => cellText(cell) ?? cell.trim()));
  const notes = renamed.length > 0 ? [`columns of the same name were told apart: ${renamed.join(', ')}`] : [];
  if (first.length > (records[0]?.length ?? 0))
    notes.push(`the line of names has one cell less than the rows: the first column is taken for names of the rows`);
  if (units > 0)
    notes.push(
      `left out ${units === 1 ? 'the line' : `${units} lines`} below the names, as units or types: ${listed(records[1]!, 4)}`,
    );
  if (given === undefined && first.some((cell) => Number.isFinite(numberCell(cell))))
    notes.push(
      `the first line is taken for names: ${listed(names, 4)} (header: false takes it for data, --no-header of the command)`,
    );
  return { present, names, units, notes };
}

/**
 * Returns the cells of the line of names. Blank ones beyond the last column are dropped. If one is absent, and the
 * first column has a different word in each row, the names of rows have no name, as R writes them.
 */
function namesOf(records: readonly string[][], width: number): readonly string[] {
  const [first = [], ...rows] = records;
  let { length } = first;
  while (length > width && first[length - 1]!.trim() === '') length--;
  const isShort = length === width - 1 && width > 2 && rows.length > 1 && rows.some((row) => row[width - 1] !== '');
  const isNamed =
    isShort && rows.every((row) => row.length === width) && areRowNames(rows.map(([cell]) => cell!.trim()));
  return isNamed ? ['', ...first] : first.slice(0, length);
}

/** Tests if cells name rows: they are running numbers, or different words. */
function areRowNames(cells: readonly string[]): boolean {
  if (cells.every((cell, i) => Number(cell) === Number(cells[0]) + i)) return true;
  return new Set(cells).size === cells.length && cells.every((cell) => numberCell(cell) === refusedWord);
}

/** Returns the records that do not repeat the names, where others show that these are names. */
function withoutNames(names: readonly string[], records: readonly string[][]): readonly string[][] {
  const rows = records.filter((record) => record[0] !== names[0] || String(record) !== String(names));
  return rows.length < records.length && isAbove(names, rows) ? rows : records;
}

/** Names columns without a name by their position, and adds a number to a name that occurred before. */
export function uniqueNames(wanted: readonly string[]): { names: string[]; renamed: string[] } {
  const names: string[] = [];
  const renamed: string[] = [];
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  wanted.forEach((each, c) => {
    const base = each === '' ? `column${c}` : each;
    let k = counts.get(base) ?? 2;
    let name = base;
    for (; taken.has(name); k++) name = `${base}_${k}`;
    counts.set(base, k);
    if (name !== base) renamed.push(name);
    taken.add(name);
    names.push(name);
  });
  return { names, renamed };
}
