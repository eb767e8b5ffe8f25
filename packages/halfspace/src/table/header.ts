import { cellText, dateCell, numberCell, refusedWord } from '../features/table-cell.ts';

/** Names of a text table's columns. */
export interface Header {
  /** True if the first line holds the names. */
  readonly present: boolean;
  readonly names: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Names the columns of a text table.
 *
 * The first line is the header if it has a word above a column of numbers. Otherwise it is data if one of its cells is
 * a number, a date or missing, or equals another cell of the line or a value below it.
 *
 * @param records the first records, the first line among them.
 * @param width number of columns if there is no header.
 * @param given true if the first line is the header; undefined: guess.
 */
export function findHeader(records: readonly string[][], width: number, given: boolean | undefined): Header {
  const first = records[0] ?? [];
  const present = given ?? !looksLikeData(first, records.slice(1));
  if (!present) {
    const names = Array.from({ length: width }, (_, c) => `column${c}`);
    const note = 'the first line looks like data: columns are named column0, column1, …';
    return { present, names, notes: given === undefined ? [note] : [] };
  }

  const { names, renamed } = uniqueNames(first.map((cell) => cellText(cell) ?? cell.trim()));
  const note = `columns of the same name were told apart: ${renamed.join(', ')}`;
  return { present, names, notes: renamed.length > 0 ? [note] : [] };
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

function looksLikeData(first: readonly string[], below: readonly string[][]): boolean {
  const isName = (cell: string) => {
    const text = cellText(cell);
    return text !== null && numberCell(text) === refusedWord && dateCell(text) === refusedWord;
  };
  // A name above numbers belongs to a header.
  const overNumbers = first.some((cell, c) => {
    const values = below.map((record) => numberCell(record[c] ?? '')).filter((value) => !Number.isNaN(value));
    return isName(cell) && values.length > 0 && values.every(Number.isFinite);
  });
  if (overNumbers) return false;
  // Some programs write row numbers, with no name above them.
  const named = first[0]?.trim() === '' && first.length > 1 ? first.slice(1) : first;
  const texts = named.map((cell) => cell.trim());
  if (texts.some((text) => !isName(text)) || new Set(texts).size < texts.length) return true;
  return first.some((cell, c) => {
    const text = cell.trim();
    return text !== '' && below.some((record) => record[c]?.trim() === text);
  });
}
