import { HalfspaceError } from '../errors.ts';
import type { TableEncoding } from '../features/table-encoding.ts';
import type { BytePieces } from './byte-text.ts';
import { commonLength, delimiterOf, guessDialect, splitRecords } from './dialect.ts';
import { headText, mostHeadBytes, mostShown, type TableHead } from './head.ts';
import { findHeader, type Header } from './header.ts';
import type { Dialect } from './record-parser.ts';
import { type RowTable, scanRows } from './row-scan.ts';
import { malformed, type TextLayout, textRows } from './text-rows.ts';

/** A table of delimited text, and its layout. */
export interface TextTable extends RowTable {
  readonly layout: TextLayout;
}

/** Facts that a caller knows about the text of a table. */
export interface TextTableOptions {
  /** True if the delimiter is the tab. */
  readonly tabs: boolean;
  /** True if the first line holds the names. Default: guessed from the first lines. */
  readonly header?: boolean | undefined;
  /** Encoding of the model that the table is read for. */
  readonly encoding?: TableEncoding | undefined;
}

/**
 * Opens delimited text as a table: guesses the dialect, the header and the columns from its beginning.
 *
 * @param open starts a scan of the whole text.
 * @throws HalfspaceError `source-empty`, `source-corrupt`, `row-malformed`.
 */
export async function openTextTable(
  name: string,
  head: TableHead,
  open: () => BytePieces,
  { tabs, header, encoding }: TextTableOptions,
): Promise<TextTable> {
  const tooLong = () => new HalfspaceError('row-malformed', malformed.long(mostHeadBytes), { source: name, line: 1 });
  if (!head.whole && !head.bytes.includes(10) && !head.bytes.includes(13)) throw tooLong();
  const text = headText(head, name);
  const beginning = head.bytes.subarray(0, mostShown);
  const dialect = guessDialect(text, head.whole, tabs, encoding);
  const isNamed = encoding !== undefined && delimiterOf(text, encoding) !== null;
  const tableIn = (dialect: Dialect): TextTable => {
    const { records } = splitRecords(text, dialect, head.whole);
    if (records.length === 0 && !head.whole) throw tooLong();
    if (records.length === 0)
      throw new HalfspaceError('source-empty', 'expected a table; got blank lines', { source: name });
    const found = findHeader(records, commonLength(records).length, header ?? (isNamed ? true : undefined));
    return textTable(name, open, dialect, found, false, beginning);
  };
  const table = tableIn(dialect);
  if (dialect.delimiter !== '\t' || dialect.quote === null || head.whole) return table;
  // Quotes enclose cells in the beginning. A stray quote later in the file shows that quotes are ordinary characters.
  for await (const rows of textRows(open(), name, table.layout))
    if (rows.some(({ rejected }) => rejected !== null)) return tableIn({ ...dialect, quote: null });
  return table;
}

/**
 * Returns a table of delimited text in a known dialect.
 *
 * @param streamed true if rows can be read only once.
 * @param beginning bytes that show the encoding of text that is not UTF-8.
 */
export function textTable(
  name: string,
  open: () => BytePieces,
  dialect: Dialect,
  header: Header,
  streamed = false,
  beginning?: Uint8Array,
): TextTable {
  const layout: TextLayout = { dialect, width: header.names.length, header: header.present };
  const rows = (keepsText: boolean) => textRows(open(), name, layout, { keepsText, adapts: streamed, beginning });
  return {
    name,
    layout,
    columns: header.names.map((column, position) => ({ name: column, type: 'cell', position })),
    header: header.present,
    semicolons: dialect.delimiter === ';',
    notes: header.notes,
    rows,
    scan: (wanted, label, options) =>
      scanRows(() => rows(options.tolerant), wanted, label, streamed ? { ...options, prompt: true } : options),
  };
}
