import { cellText, dateCell, numberCell, refusedWord } from 'halfspace/internal';

/** How cells are written in a text table. */
export interface Dialect {
  readonly delimiter: string;
  /** Cells may stand in quotes; null: quotes are letters like others. */
  readonly quote: '"' | null;
  /** What makes a quote within quotes a letter. */
  readonly escape: '"' | '\\';
}

export interface Split {
  readonly records: string[][];
  /** Cells whose closing quote is followed by text, or absent. */
  readonly faults: number;
}

/** A record's cells, and where the next record begins; null: the text ends before the record does. */
export interface SplitRecord {
  readonly cells: string[];
  readonly end: number;
  readonly faults: number;
}

/** Reads the record that begins at a position. @param whole whether the text ends where the table does. */
export function recordAt(text: string, from: number, dialect: Dialect, whole: boolean): SplitRecord | null {
  const { delimiter, quote } = dialect;
  const endsCell = (at: number) =>
    at >= text.length || text[at] === delimiter || text[at] === '\n' || text[at] === '\r';
  const cells: string[] = [];
  let faults = 0;
  for (let p = from; ; ) {
    let cell = '';
    if (quote !== null && text[p] === quote) {
      p++;
      for (;;) {
        if (p >= text.length) {
          if (!whole) return null;
          faults++;
          break;
        }
        if (text[p] === dialect.escape && (dialect.escape !== quote || text[p + 1] === quote) && p + 1 < text.length) {
          cell += text[p + 1];
          p += 2;
        } else if (text[p] === quote) {
          p++;
          break;
        } else cell += text[p++];
      }
      if (!endsCell(p)) faults++;
    }
    const rest = p;
    while (!endsCell(p)) p++;
    cells.push(cell + text.slice(rest, p));
    if (p < text.length && text[p] === delimiter) {
      p++;
      continue;
    }
    // A carriage return at the very end may have its line feed in the text to come.
    if (p >= text.length || (text[p] === '\r' && p + 1 >= text.length)) {
      if (!whole) return null;
    }
    if (text[p] === '\r') p++;
    if (text[p] === '\n') p++;
    return { cells, end: p, faults };
  }
}

/** Whether a record is a blank line, which counts as none. */
export function isBlank(cells: readonly string[]): boolean {
  return cells.length === 1 && cells[0] === '';
}

/** The records of the beginning of a table, blank ones left out. */
export function splitRecords(text: string, dialect: Dialect, whole: boolean, most = 1000): Split {
  const records: string[][] = [];
  let faults = 0;
  for (let p = 0; p < text.length && records.length < most; ) {
    const record = recordAt(text, p, dialect, whole);
    if (record === null) break;
    p = record.end;
    faults += record.faults;
    if (!isBlank(record.cells)) records.push(record.cells);
  }
  return { records, faults };
}

/**
 * The dialect in which the beginning of a table reads best, as the command guesses it: most records as long as most others are, no stray quotes.
 *
 * @param tabs the table is said to have tabs as delimiters.
 */
export function guessDialect(text: string, whole: boolean, tabs: boolean): Dialect {
  if (tabs) return guessTabs(text, whole);
  const escapes: Dialect['escape'][] = text.includes('\\"') ? ['"', '\\'] : ['"'];
  let best: Dialect = { delimiter: ',', quote: '"', escape: '"' };
  let bestScore = 0;
  for (const delimiter of [',', ';', '\t', '|'])
    for (const mark of escapes) {
      const dialect: Dialect = { delimiter, quote: '"', escape: mark };
      const { records, faults } = splitRecords(text, dialect, whole, 200);
      const { length, share } = commonLength(records);
      if (length < 2) continue;
      // A header that agrees with the rows counts; decimal commas would otherwise pass for delimiters.
      const score = share + (records[0]!.length === length ? 0.5 : 0) - (faults / records.length) * 2;
      if (score > bestScore + 1e-9) {
        best = dialect;
        bestScore = score;
      }
    }
  return best.delimiter === '\t' ? guessTabs(text, whole) : best;
}

/** Text with tabs seldom has quotes around cells, and often stray ones in them. */
function guessTabs(text: string, whole: boolean): Dialect {
  const plain: Dialect = { delimiter: '\t', quote: null, escape: '"' };
  const quoted: Dialect = { delimiter: '\t', quote: '"', escape: '"' };
  const { records } = splitRecords(text, plain, whole);
  const opened = records.flat().filter((cell) => cell.startsWith('"'));
  if (opened.length === 0) return plain;
  if (opened.every((cell) => cell.length > 1 && cell.endsWith('"')))
    return splitRecords(text, quoted, whole).faults === 0 ? quoted : plain;
  return commonLength(records).share < 1 && splitRecords(text, quoted, whole).faults === 0 ? quoted : plain;
}

/** The number of cells that most records have, and the share of those. */
export function commonLength(records: readonly string[][]): { length: number; share: number } {
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  let best = 0;
  for (const [length, count] of counts) if (count > (counts.get(best) ?? 0)) best = length;
  return { length: best, share: (counts.get(best) ?? 0) / Math.max(1, records.length) };
}

/** The names of a table's columns, and whether they stand in its first line. */
export interface Header {
  readonly present: boolean;
  readonly names: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Names the columns as the command does: the first line is the header, unless it plainly is data (a cell is a number or a date, or missing, or the
 * same as another of the line or as a value below it); a word over a column of numbers settles it the other way.
 */
export function findHeader(records: readonly string[][]): Header {
  const first = records[0] ?? [];
  const { length } = commonLength(records);
  if (looksLikeData(first, records.slice(1))) {
    const names = Array.from({ length }, (_, c) => `column${c}`);
    return {
      present: false,
      names,
      notes: ['The first line looks like data: the columns are named column0, column1, …'],
    };
  }
  const names: string[] = [];
  const taken = new Set<string>();
  const renamed: string[] = [];
  first.forEach((cell, c) => {
    const wanted = cellText(cell) ?? cell.trim();
    const base = wanted === '' ? `column${c}` : wanted;
    let name = base;
    for (let k = 2; taken.has(name); k++) name = `${base}_${k}`;
    if (name !== base) renamed.push(name);
    taken.add(name);
    names.push(name);
  });
  return {
    present: true,
    names,
    notes: renamed.length > 0 ? [`Columns of the same name were told apart: ${renamed.join(', ')}.`] : [],
  };
}

function looksLikeData(first: readonly string[], below: readonly string[][]): boolean {
  const isName = (cell: string) => {
    const text = cellText(cell);
    return text !== null && numberCell(text) === refusedWord && dateCell(text) === refusedWord;
  };
  const overNumbers = first.some((cell, c) => {
    const values = below.map((record) => numberCell(record[c] ?? '')).filter((value) => !Number.isNaN(value));
    return isName(cell) && values.length > 0 && values.every(Number.isFinite);
  });
  if (overNumbers) return false;
  // Tables written with row numbers have no name over these.
  const named = first[0]?.trim() === '' && first.length > 1 ? first.slice(1) : first;
  const texts = named.map((cell) => cell.trim());
  if (texts.some((text) => !isName(text)) || new Set(texts).size < texts.length) return true;
  return first.some((cell, c) => {
    const text = cell.trim();
    return text !== '' && below.some((record) => record[c]?.trim() === text);
  });
}
