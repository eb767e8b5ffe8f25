import { HalfspaceError } from '../errors.ts';
import type { TableEncoding } from '../features/table-encoding.ts';
import type { BytePieces } from './byte-text.ts';
import type { GivenDialect } from './dialect.ts';
import { headText, mostHeadBytes, mostShown, readHead, type TableHead } from './head.ts';
import type { Header } from './header.ts';
import { findLayout } from './layout.ts';
import { listed } from './listed.ts';
import type { Dialect } from './record-parser.ts';
import { type RowTable, scanRows } from './row-scan.ts';
import { findShape } from './shapes/find.ts';
import { dialectOf, reshaped, type Shape } from './shapes/shape.ts';
import { malformed, type SkippedRecords, type TextLayout, textRows } from './text-rows.ts';

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
  /** Form of the text, as far as it is known. */
  readonly given?: GivenDialect | undefined;
}

/**
 * Opens delimited text as a table: guesses the dialect, the header and the columns from its beginning. Text in another
 * shape is translated line by line.
 *
 * @param open starts a scan of the whole text.
 * @throws HalfspaceError `source-empty`, `source-corrupt`, `row-malformed`.
 */
export async function openTextTable(
  name: string,
  head: TableHead,
  open: () => BytePieces,
  options: TextTableOptions,
): Promise<TextTable> {
  const tooLong = () => new HalfspaceError('row-malformed', malformed.long(mostHeadBytes), { source: name, line: 1 });
  if (!head.whole && !head.bytes.includes(10) && !head.bytes.includes(13)) throw tooLong();
  const text = headText(head, name);
  const shape = await shapeOf(name, text, head, open, options);
  if (shape !== null) return openShaped(name, shape, open, options);
  const beginning = head.bytes.subarray(0, mostShown);
  const tableIn = (given: GivenDialect | undefined): TextTable => {
    const { dialect, header, records } = findLayout(text, head.whole, { ...options, given });
    if (records === 0 && !head.whole) throw tooLong();
    if (records === 0) throw new HalfspaceError('source-empty', 'expected a table; got blank lines', { source: name });
    return textTable(name, open, dialect, header, false, beginning);
  };
  const table = tableIn(options.given);
  const { delimiter, quote } = table.layout.dialect;
  if (delimiter !== '\t' || quote === null || head.whole || options.given?.quote !== undefined) return table;
  // Quotes enclose cells in the beginning. A stray quote later in the file shows that quotes are ordinary characters.
  for await (const rows of textRows(open(), name, table.layout))
    if (rows.some(({ rejected }) => rejected !== null)) return tableIn({ ...options.given, quote: null });
  return table;
}

/** Finds the shape of text that is no delimited table. What is given about its form says that it is one. */
async function shapeOf(
  source: string,
  text: string,
  head: TableHead,
  open: () => BytePieces,
  { tabs, header, given = {} }: TextTableOptions,
): Promise<Shape | null> {
  if (tabs || Object.values(given).some((each) => each !== undefined)) return null;
  const found = findShape(text, { whole: head.whole, source, header });
  if (found !== 'more') return found;
  // Declarations may be longer than the beginning.
  const parts: Uint8Array[] = [];
  let length = 0;
  let next = head.bytes.length * 2;
  for await (const piece of open()) {
    parts.push(piece.slice());
    length += piece.length;
    if (length < next) continue;
    next = length * 2;
    const longer = findShape(textOf(parts, length), { whole: false, source, header });
    if (longer !== 'more' || length > mostHeadBytes) return longer === 'more' ? null : longer;
  }
  const whole = findShape(textOf(parts, length), { whole: true, source, header });
  return whole === 'more' ? null : whole;
}

function textOf(parts: readonly Uint8Array[], length: number): string {
  const decoder = new TextDecoder();
  const text = parts.map((part) => decoder.decode(part, { stream: true })).join('');
  return length === 0 ? '' : text + decoder.decode();
}

const declaredNote =
  'columns have the kinds that the text declares (features: {"columns": …} changes one, --column NAME=KIND of the command)';

async function openShaped(
  name: string,
  shape: Shape,
  open: () => BytePieces,
  { encoding }: TextTableOptions,
): Promise<TextTable> {
  const lines = () => reshaped(open(), name, shape);
  const hasKinds = shape.declared !== undefined && encoding === undefined;
  const given = dialectOf(shape);
  const table = await openTextTable(name, await readHead(lines(), name), lines, {
    ...{ tabs: false, header: true, encoding, given },
  });
  return {
    ...table,
    layout: { ...table.layout, isTranslated: true },
    columns: table.columns.map((column, c) => ({ ...column, declared: shape.declared?.[c] })),
    notes: [...shape.notes, ...(hasKinds ? [declaredNote] : []), ...table.notes],
  };
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
  const { present, names, units, notes } = header;
  const layout: TextLayout = {
    dialect,
    width: names.length,
    header: present && header.isComment !== true,
    ...(units > 0 ? { units } : {}),
  };
  let skipped: SkippedRecords | null = null;
  const onSkipped = (found: SkippedRecords) => {
    skipped = found;
  };
  const rows = (keepsText: boolean, numbers?: readonly number[]) =>
    textRows(open(), name, layout, { keepsText, adapts: streamed, onSkipped, beginning, numbers });
  return {
    name,
    layout,
    columns: names.map((column, position) => ({ name: column, type: 'cell', position })),
    header: present,
    semicolons: dialect.delimiter === ';',
    notes,
    lateNotes: () => (skipped === null ? [] : skippedNotes(name, skipped, dialect)),
    rows,
    scan: (wanted, label, options) =>
      scanRows(
        (numbers) => rows(options.tolerant, numbers),
        wanted,
        label,
        streamed ? { ...options, prompt: true } : options,
      ),
  };
}

/** Returns notes on records that are no rows. */
export function skippedNotes(name: string, { comments, names, last }: SkippedRecords, { comment }: Dialect): string[] {
  const notes: string[] = [];
  const lines = (count: number) => (count === 1 ? '1 line' : `${count.toLocaleString('en')} lines`);
  if (comments > 0)
    notes.push(
      `${name}: left out ${lines(comments)} that begin with ${comment} (comment: "none" reads them, --comment none of the command)`,
    );
  if (names > 0) notes.push(`${name}: left out ${lines(names)} that repeat the names`);
  const totals = last.filter((text) => text !== '');
  if (totals.length > 0) notes.push(`${name}: left out the last line, which is no row but a sum: ${listed(totals, 2)}`);
  if (last.length > totals.length)
    notes.push(`${name}: left out ${lines(last.length - totals.length)} of empty cells at the end`);
  return notes;
}
