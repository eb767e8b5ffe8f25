import { HalfspaceError, type TableEncoding } from 'halfspace';
import { openBytes } from 'halfspace/node';
import { decompressZstd } from '../data/zstd.ts';
import { malformed } from './faults.ts';
import { headText, mostHeadBytes } from './file-head.ts';
import { findHeader } from './header.ts';
import { jsonLayout, type KnownNames, knownTable } from './json-table.ts';
import { RecordParser } from './record-parser.ts';
import { type Dialect, delimiterOf, delimiters, guessDialect } from './records.ts';
import { scanRows } from './row-scan.ts';
import type { Table } from './table.ts';
import type { BytePieces } from './text-pieces.ts';
import { textRows } from './text-rows.ts';

/** The formats whose rows can be read as they come. Parquet has its columns' places at its end. */
export type StreamedFormat = 'csv' | 'tsv' | 'json' | 'ndjson';

/**
 * Opens a table that comes through a pipe, for a model. Its rows are given as they come, as soon as each is complete, and can be read once.
 *
 * The same rows in a file give the same, with one difference: a file shows how its quotes are written, and here the first quoted cell in question
 * decides. Returns when the first row, or the header, has come.
 *
 * @throws HalfspaceError `source-unreadable`, `source-empty`, `source-corrupt`, `row-malformed`.
 */
export async function openStreamedTable(
  path: string,
  stdin: AsyncIterable<Uint8Array>,
  format: StreamedFormat,
  header: boolean | undefined,
  encoding: TableEncoding,
  known: KnownNames,
): Promise<Table> {
  const stream = new Stream(path, await piecesOf(path, stdin));
  if (format === 'csv' || format === 'tsv') return textTable(stream, format, header ?? encoding.header, encoding);
  const text = await stream.headUntil((head) => {
    const start = head.trimStart();
    return start[0] === '[' || format === 'ndjson' ? start !== '' : /[\r\n]/.test(start) || !/^(\{|$)/.test(start);
  });
  if (text.trim() === '')
    throw new HalfspaceError(
      'source-empty',
      `expected a table; got ${stream.length === 0 ? 'an empty file' : 'blank lines'}`,
      { source: path },
    );
  const layout = jsonLayout(text.trimStart(), stream.ended, format, path);
  return knownTable(path, layout, () => stream.pieces(), known, { prompt: true, several: format === 'json' });
}

async function textTable(
  stream: Stream,
  format: 'csv' | 'tsv',
  given: boolean | null,
  encoding: TableEncoding,
): Promise<Table> {
  const { name } = stream;
  // However the record is parted into cells, all of it must be there.
  const text = await stream.headUntil((head) => delimiters.every((delimiter) => firstRecord(head, delimiter) !== null));
  if (stream.length === 0)
    throw new HalfspaceError('source-empty', 'expected a table; got an empty file', { source: name });
  if (stream.length > mostHeadBytes && !stream.ended)
    throw new HalfspaceError('row-malformed', malformed.long(mostHeadBytes), { source: name, line: 1 });
  const dialect = streamedDialect(text, format, encoding);
  const first = firstRecord(text, dialect.delimiter, true);
  if (first === null) throw new HalfspaceError('source-empty', 'expected a table; got blank lines', { source: name });
  const named = delimiterOf(text, encoding) !== null || undefined;
  const header = findHeader([[...first.cells]], first.cells.length, given ?? named);
  const layout = { dialect, width: header.names.length, header: header.present };
  return {
    name,
    columns: header.names.map((column, position) => ({ name: column, type: 'cell', position })),
    header: header.present,
    notes: header.notes,
    scan: (wanted, label, options) =>
      scanRows(() => textRows(stream.pieces(), name, layout, options.tolerant, true), wanted, label, {
        ...options,
        prompt: true,
      }),
  };
}

/** The dialect as far as the first record shows it. */
function streamedDialect(text: string, format: 'csv' | 'tsv', encoding: TableEncoding): Dialect {
  const delimiter = format === 'tsv' ? '\t' : guessDialect(text, true, false, encoding, 1).delimiter;
  return { delimiter, quote: delimiter === '\t' ? null : '"', escape: '"' };
}

/** The first record; null when it is not complete. @param whole whether nothing follows the text. */
function firstRecord(text: string, delimiter: string, whole = false): { readonly cells: readonly string[] } | null {
  let first: { readonly cells: readonly string[] } | null = null;
  const parser = new RecordParser({ delimiter, quote: delimiter === '\t' ? null : '"', escape: '"' }, (record) => {
    first ??= record;
  });
  parser.push(text);
  if (whole) parser.end();
  return first;
}

async function* piecesOf(path: string, stdin: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = await openBytes('-', { name: path, stdin, zstd: decompressZstd });
  const buffer = new Uint8Array(64 * 1024);
  for (;;) {
    const count = await source.read(buffer);
    if (count === 0) return;
    yield buffer.slice(0, count);
  }
}

/** Pieces of a pipe, with a look at the first of them. */
class Stream {
  readonly name: string;
  readonly #pieces: AsyncGenerator<Uint8Array>;
  readonly #head: Uint8Array[] = [];
  #isRead = false;
  /** Of the head, in bytes. */
  length = 0;
  /** Whether the head is all there is. */
  ended = false;

  constructor(name: string, pieces: AsyncGenerator<Uint8Array>) {
    this.name = name;
    this.#pieces = pieces;
  }

  /** The text of the first pieces: as few as are enough. @throws HalfspaceError for what is no text. */
  async headUntil(isEnough: (text: string) => boolean): Promise<string> {
    // A long head without a line end is looked at again only when it has grown by half: the work stays linear.
    for (let next = 0; ; next = this.length > 1 << 16 ? this.length * 1.5 : 0) {
      const { done, value } = await this.#pieces.next();
      if (done === true) this.ended = true;
      else {
        this.#head.push(value);
        this.length += value.length;
        if (this.length < next && !value.includes(10) && !value.includes(13)) continue;
      }
      const bytes = Buffer.concat(this.#head, this.length);
      const text = headText({ bytes, whole: this.ended, compression: 'none' }, this.name);
      if (this.ended || this.length > mostHeadBytes || isEnough(text)) return text;
    }
  }

  /** All pieces. */
  async *pieces(): BytePieces & AsyncGenerator<Uint8Array> {
    if (this.#isRead) throw new RangeError('a pipe can be read only once');
    this.#isRead = true;
    yield* this.#head.splice(0);
    if (!this.ended) yield* this.#pieces;
  }
}
