import type { TableEncoding } from '../features/table-encoding.ts';
import { type Dialect, RecordParser } from './record-parser.ts';

export interface SplitRecords {
  readonly records: string[][];
  /** Number of records with a quoted cell that is not closed, or has text after its closing quote. */
  readonly faults: number;
}

/**
 * Splits the beginning of a text table into records, to guess its dialect and header.
 *
 * @param whole true if the text is the whole table; otherwise its last record, which may be cut, is dropped.
 * @param most maximum number of records.
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
 * Guesses the dialect of a table: the one in which most of its first records have the same number of cells, and no
 * quote is misplaced.
 *
 * @param tabs true if the delimiter is known to be the tab.
 * @param encoding encoding of the model that the table is read for. Its columns show the delimiter, if the first record
 *   has any of them.
 * @param most maximum number of records to read.
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
      // A header as long as the rows raises the score. Otherwise decimal commas could be taken for delimiters.
      const score = share + (records[0]?.length === length ? 0.5 : 0) - (faults / Math.max(1, records.length)) * 2;
      if (score > bestScore + 1e-9 && (known !== null || score > 0)) {
        best = dialect;
        bestScore = score;
      }
    }
  return best.delimiter === '\t' ? guessTabs(text, whole) : best;
}

/** Returns the delimiter that finds the most columns of a model in the first record; null: no delimiter finds one. */
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

/** Decides whether quotes enclose cells: in text with tabs they seldom do, and stray quotes are common. */
function guessTabs(text: string, whole: boolean): Dialect {
  const plain: Dialect = { delimiter: '\t', quote: null, escape: '"' };
  const quoted: Dialect = { delimiter: '\t', quote: '"', escape: '"' };
  const { records } = splitRecords(text, plain, whole);
  const opened = records.flat().filter((cell) => cell.startsWith('"'));
  if (opened.length === 0) return plain;
  if (opened.every((cell) => cell.length > 1 && cell.endsWith('"')))
    return splitRecords(text, quoted, whole).faults === 0 ? quoted : plain;
  // Some cell begins with a quote and does not end with one. If quotes enclose cells, it contains a tab or a line end,
  // and lines have different numbers of cells. If the quote is an ordinary character, lines have the same number.
  return commonLength(records).share < 1 && splitRecords(text, quoted, whole).faults === 0 ? quoted : plain;
}

/** Returns the number of cells that most records have, and the share of these records. */
export function commonLength(records: readonly string[][]): { length: number; share: number } {
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  let best = 0;
  for (const [length, count] of counts) if (count > (counts.get(best) ?? 0)) best = length;
  return { length: best, share: (counts.get(best) ?? 0) / Math.max(1, records.length) };
}
