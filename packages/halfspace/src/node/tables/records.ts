import { HalfspaceError, quote } from '../../errors.ts';
import type { TableEncoding } from '../../features/table-encoding.ts';
import type { BagEvidence } from '../../table/bag-evidence.ts';
import type { GivenDialect } from '../../table/dialect.ts';
import type { Header } from '../../table/header.ts';
import { finiteColumns } from '../../table/json/bags.ts';
import { type JsonCell, parsed, withoutNaN } from '../../table/json/object.ts';
import { jsonRows } from '../../table/json/rows.ts';
import { listed } from '../../table/listed.ts';
import type { Row, RowPieces } from '../../table/row-scan.ts';
import type { Shape } from '../../table/shapes/shape.ts';
import { textRows } from '../../table/text-rows.ts';
import { skippedNotes } from '../../table/text-table.ts';
import { characterEncoding, transcoded } from '../../table/transcode.ts';
import { layoutOfStream, layoutOfText, Stream, type StreamedFormat } from './streamed-table.ts';

/** Fields of a row by name, as text; null: no value. Those of bags of features are values of JSON. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * The rows of a table as records, in the order in which they come. Nothing is decided about the kinds of columns. Where
 * a table is cut, into files or pieces of a pipe, makes no difference.
 */
export interface RecordTable {
  /** True if the first line of text holds the names; null for JSON. */
  readonly header: boolean | null;
  /** Names of the columns of text, in order; null for JSON, whose rows name their fields. */
  readonly columns: readonly string[] | null;
  /** Options that the text itself declares, by position of the column. Absent: none. */
  readonly declared?: Shape['declared'];
  readonly notes: readonly string[];
  /** Yields rows as they arrive; a bad row has its error. Can be called once. */
  pieces(): RowPieces;
  /** Returns the fields of a good row. The object is valid until the next call. */
  fieldsOf(row: Row): Fields;
}

/** Layout of the text tables that were read before. */
export interface TextColumns {
  readonly header: boolean;
  readonly columns: readonly string[];
}

interface RecordOptions {
  readonly format: StreamedFormat;
  /** False: the first line of text is data. Default: as before, else guessed from the first line. */
  readonly header: boolean | undefined;
  readonly known: TextColumns | null;
  /** Form of the text, as far as it is known. */
  readonly given?: GivenDialect | undefined;
  /** Name of the label column, if it is known. */
  readonly label: string | null;
  /** True if good rows keep their text. */
  readonly keepsText: boolean;
  /** True for a pipe, which may deliver one row at a time: delimiter and header are guessed from the first line. */
  readonly live: boolean;
  /** True: rows of JSON are bags of features. */
  readonly areBags: boolean;
  /** Collects if rows of JSON are bags of features. */
  readonly evidence?: BagEvidence | null | undefined;
  /** Name of the character encoding. Default: UTF-8. */
  readonly encoding?: string | undefined;
}

/**
 * Opens a table of text or JSON, of a file or a pipe. Waits for the first row.
 *
 * @throws HalfspaceError `source-empty`, `source-corrupt`, `row-malformed`, `column-unknown`.
 */
export async function openRecords(
  name: string,
  pieces: AsyncGenerator<Uint8Array>,
  options: RecordOptions,
): Promise<RecordTable> {
  const encoding = characterEncoding(options.encoding);
  const utf8 = encoding === null ? pieces : transcoded(pieces, name, { encoding, guesses: false });
  const stream = new Stream(name, utf8);
  return options.format === 'csv' || options.format === 'tsv' ? openText(stream, options) : openJson(stream, options);
}

async function openText(stream: Stream, options: RecordOptions): Promise<RecordTable> {
  const { name } = stream;
  const { known, label, keepsText, live } = options;
  const encoding = known === null && label === null ? undefined : encodingLike(known, label);
  const {
    dialect,
    header: found,
    declared,
  } = await layoutOfText(stream, {
    ...{ tabs: options.format === 'tsv', header: options.header ?? known?.header, encoding, given: options.given },
    most: live ? 1 : headRows,
  });
  const header = namesOf(found, options);
  const notes = [...header.notes];
  if (label !== null && !header.names.includes(label))
    throw new HalfspaceError(
      'column-unknown',
      `expected a column ${quote(label)}; got ${listed(header.names)}${header.present ? ': data without a line of names need --no-header' : ''}`,
      { source: name },
    );
  const { names, present, units } = header;
  const layout = { dialect, width: names.length, header: present, units };
  const record = emptyRecord(header.names);
  return {
    header: header.present,
    columns: header.names,
    ...(declared === undefined ? {} : { declared }),
    notes,
    pieces: () =>
      textRows(stream.pieces(), name, layout, {
        ...{ keepsText, adapts: true },
        onSkipped: (skipped) => notes.push(...skippedNotes(name, skipped, dialect)),
      }),
    fieldsOf({ cells }) {
      for (let c = 0; c < header.names.length; c++) record[header.names[c]!] = cells[c]!;
      return record;
    },
  };
}

/** Number of rows of a file from which delimiter and header are guessed. */
const headRows = 200;

/** Names the columns; without a line of names they are those of earlier text. */
function namesOf(found: Header, { header, known }: RecordOptions): Header {
  if (known === null || found.present || (header ?? known.header)) return found;
  const isAlike = known.columns.length === found.names.length || header === undefined;
  return isAlike ? { ...found, names: known.columns, notes: [] } : found;
}

/** Returns the parts of an encoding that show the delimiter. */
function encodingLike(known: TextColumns | null, label: string | null): TableEncoding {
  const { header, columns } = known ?? { header: true, columns: [] };
  const others = columns.filter((name) => name !== label).map((name) => ({ name }));
  return { header, label: { column: label ?? '' }, columns: others, leftOut: [] } as unknown as TableEncoding;
}

async function openJson(stream: Stream, { format, areBags, evidence }: RecordOptions): Promise<RecordTable> {
  const { name } = stream;
  const layout = await layoutOfStream(stream, format as 'json' | 'ndjson');
  if (areBags)
    return {
      ...{ header: null, columns: null, notes: [] },
      pieces: () => jsonRows(stream.pieces(), name, layout, finiteColumns([])),
      fieldsOf: ({ text }) => JSON.parse(text!) as Fields,
    };
  const ignored = new Set<string>();
  /** Fields with lists. */
  const lists = new Set<string>();
  const notes: string[] = [];
  // Rows hold keys and cells in turn: their fields join in the order of the row.
  const members = {
    width: 0,
    begin: (): (string | null)[] => [],
    put(cells: (string | null)[], key: string, cell: JsonCell) {
      if (typeof cell === 'object' && cell !== null && cell.items !== 'numbers') {
        lists.add(key);
        cells.push(key, cell.text);
      } else if (typeof cell === 'string' || cell === null) cells.push(key, cell);
      else if (!ignored.has(key) && ignored.size < mostIgnored) {
        ignored.add(key);
        notes.push(`ignored the lists and objects in ${quote(key)}`);
      }
      return null;
    },
  };
  return {
    header: null,
    columns: null,
    notes,
    pieces() {
      const rows = jsonRows(stream.pieces(), name, layout, members);
      return evidence == null ? rows : seenBy(evidence, rows);
    },
    fieldsOf({ cells }) {
      const record: Record<string, unknown> = {};
      for (let k = 0; k < cells.length; k += 2) {
        const key = cells[k]!;
        const cell = cells[k + 1]!;
        const value = lists.has(key) && cell?.startsWith('[') ? (parsed(cell) ?? cell) : cell;
        if (key === '__proto__') defineField(record, key, value);
        else record[key] = value;
      }
      return record;
    },
  };
}

/** Yields rows of JSON unchanged, after showing their objects to `evidence`. */
async function* seenBy(evidence: BagEvidence, rows: RowPieces): RowPieces {
  for await (const piece of rows) {
    for (const { rejected, text } of piece)
      if (rejected === null && !evidence.isComplete) evidence.add(parsed(withoutNaN(text!)) as Fields);
    yield piece;
  }
}

/** Maximum number of notes about nested fields. */
const mostIgnored = 20;

/** Returns a record with these fields, all null. Assigning them later keeps its shape, which is fast. */
function emptyRecord(names: readonly string[]): Record<string, string | null> {
  const record: Record<string, string | null> = {};
  for (const name of names) defineField(record, name, null);
  return record;
}

/** Makes a field of the record itself, also for the name `__proto__`. */
function defineField(record: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(record, name, { value, writable: true, enumerable: true, configurable: true });
}
