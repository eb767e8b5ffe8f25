import type { TableEncoding } from 'halfspace';
import { type Dialect, RecordParser } from './record-parser.ts';

export interface SplitRecords {
  readonly records: string[][];
  /** Cells whose closing quote is followed by text, or absent. */
  readonly faults: number;
}

/**
 * Splits the beginning of a text table into records of cells: enough to learn its dialect and header.
 *
 * @param whole whether the text ends where the table does; otherwise its last record is dropped.
 * @param most how many records are wanted.
 */
export function splitRecords(text: string, dialect: Dialect, whole: boolean, most = 1000): SplitRecords {
  const records: string[][] = [];
  let faults = 0;
  const parser = new RecordParser(dialect, ({ cells, fault }) => {
    if (records.length >= most) return;
    if (fault !== null) faults++;
    records.push([...cells]);
  });
  for (let at = 0; at < text.length && records.length < most; at += pieceLength)
    parser.push(text.slice(at, at + pieceLength));
  if (whole && records.length < most) parser.end();
  return { records, faults };
}

const pieceLength = 64 * 1024;

export const delimiters = [',', ';', '\t', '|'];

/**
 * The dialect in which the beginning of a table reads best: most records as long as most others are, no stray quotes.
 *
 * @param tabs the table is said to have tabs as delimiters.
 * @param encoding the encoding of the model that the table is read for. Its columns tell the delimiter, if the first record has any of them.
 * @param most how many records to look at.
 */
export function guessDialect(
  text: string,
  whole: boolean,
  tabs: boolean,
  encoding?: TableEncoding,
  most = 200,
): Dialect {
  if (tabs) return guessTabs(text, whole);
  const known = encoding === undefined ? null : delimiterOf(text, encoding);
  const escapes: Dialect['escape'][] = text.includes('\\"') ? ['"', '\\'] : ['"'];
  let best: Dialect = { delimiter: known ?? ',', quote: '"', escape: '"' };
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const delimiter of known === null ? delimiters : [known])
    for (const mark of escapes) {
      const dialect: Dialect = { delimiter, quote: '"', escape: mark };
      const { records, faults } = splitRecords(text, dialect, whole, most);
      const { length, share } = commonLength(records);
      if (length < 2 && known === null) continue;
      // A header that agrees with the rows counts; decimal commas would otherwise pass for delimiters.
      const score = share + (records[0]?.length === length ? 0.5 : 0) - (faults / Math.max(1, records.length)) * 2;
      if (score > bestScore + 1e-9 && (known !== null || score > 0)) {
        best = dialect;
        bestScore = score;
      }
    }
  return best.delimiter === '\t' ? guessTabs(text, whole) : best;
}

/** The delimiter by which the first record has most of a model's columns; null: by none it has any. */
export function delimiterOf(text: string, { header, label, columns, leftOut }: TableEncoding): string | null {
  const names = new Set([label.column, ...columns.map(({ name }) => name)]);
  const width = columns.length + leftOut.length + 1;
  let best: string | null = null;
  let most = 0;
  for (const delimiter of delimiters) {
    const [first = []] = splitRecords(text, { delimiter, quote: '"', escape: '"' }, true, 1).records;
    const isWhole = first.length === width || first.length === width - 1;
    const found = header === false ? (isWhole ? 1 : 0) : first.filter((cell) => names.has(cell.trim())).length;
    if (found > most) {
      best = delimiter;
      most = found;
    }
  }
  return best;
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
  // Some cell begins with a quote and does not end with one. Either it goes on beyond a tab or line end, and lines are uneven
  // unless quotes are honoured; or the quote is a letter, and lines are even.
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
