/** How cells are written in a text table. */
export interface Dialect {
  readonly delimiter: string;
  /** Cells may stand in quotes; null: quotes are letters like others. */
  readonly quote: '"' | null;
  /** What makes a quote within quotes a letter. */
  readonly escape: '"' | '\\';
}

export interface SplitRecords {
  readonly records: string[][];
  /** Cells whose closing quote is followed by text, or absent. */
  readonly faults: number;
}

/**
 * Splits the beginning of a text table into records of cells: enough to learn its dialect and header; DuckDB reads the rest.
 *
 * @param whole whether the text ends where the table does; otherwise its last record is dropped.
 * @param most how many records are wanted.
 */
export function splitRecords(text: string, dialect: Dialect, whole: boolean, most = 1000): SplitRecords {
  const { delimiter, quote } = dialect;
  const records: string[][] = [];
  let record: string[] = [];
  let faults = 0;
  let p = 0;
  const endsCell = (at: number) =>
    at >= text.length || text[at] === delimiter || text[at] === '\n' || text[at] === '\r';

  while (p < text.length && records.length < most) {
    let cell: string;
    if (quote !== null && text[p] === quote) {
      // A quoted cell: up to a quote that is no letter of it.
      cell = '';
      p++;
      for (;;) {
        if (p >= text.length) {
          if (whole) faults++;
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
      if (!endsCell(p)) {
        faults++;
        while (!endsCell(p)) cell += text[p++];
      }
    } else {
      const from = p;
      while (!endsCell(p)) p++;
      cell = text.slice(from, p);
    }
    record.push(cell);
    if (text[p] === delimiter) {
      p++;
      // A delimiter at the very end stands before an empty cell.
      if (p >= text.length && whole) record.push('');
      else if (p < text.length) continue;
    }
    const ended = p < text.length;
    if (text[p] === '\r') p++;
    if (text[p] === '\n') p++;
    if ((ended || whole) && !(record.length === 1 && record[0] === '')) records.push(record);
    record = [];
  }
  return { records, faults };
}

/**
 * The dialect in which the beginning of a table reads best: most records as long as most others are, no stray quotes.
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
