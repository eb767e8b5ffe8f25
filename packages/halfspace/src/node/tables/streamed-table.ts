import { HalfspaceError } from '../../errors.ts';
import type { TableEncoding } from '../../features/table-encoding.ts';
import type { BagPiece } from '../../table/bag-source.ts';
import { delimiters, type GivenDialect, isTitle, mostTitles } from '../../table/dialect.ts';
import { headText, mostHeadBytes } from '../../table/head.ts';
import { jsonBags } from '../../table/json/bags.ts';
import type { JsonLayout } from '../../table/json/rows.ts';
import { jsonLayout, knownTable } from '../../table/json/table.ts';
import { type FoundLayout, findLayout, type LayoutOptions } from '../../table/layout.ts';
import type { KnownNames } from '../../table/open.ts';
import { RecordParser } from '../../table/record-parser.ts';
import { findShape } from '../../table/shapes/find.ts';
import { dialectOf, reshaped, type Shape } from '../../table/shapes/shape.ts';
import type { Table } from '../../table/table.ts';
import { malformed } from '../../table/text-rows.ts';
import { textTable } from '../../table/text-table.ts';
import { transcoded } from '../../table/transcode.ts';
import { piecesOf, type TableFile } from './table-file.ts';

/** The formats whose rows can be read as they arrive. A Parquet file has its directory at its end. */
export type StreamedFormat = 'csv' | 'tsv' | 'json' | 'ndjson';

/** Options of text from a pipe. */
interface StreamedOptions {
  readonly header?: boolean | undefined;
  readonly given?: GivenDialect | undefined;
}

/**
 * Opens a table that comes through a pipe, for a model. Each row is delivered as soon as it is complete, and can be
 * read once.
 *
 * A file with the same rows gives the same cells, with one difference: the rules for quotes are guessed from the
 * beginning of a file, and here from the first quoted cell. Returns after the header or the first row has arrived.
 *
 * @throws HalfspaceError `source-unreadable`, `source-empty`, `source-corrupt`, `row-malformed`.
 */
export async function openStreamedTable(
  { name: path, encoding: characters }: Pick<TableFile, 'name' | 'encoding'>,
  stdin: AsyncIterable<Uint8Array>,
  format: StreamedFormat,
  { header, given }: StreamedOptions,
  encoding: TableEncoding,
  known: KnownNames,
): Promise<Table> {
  const stream = new Stream(
    path,
    transcoded(piecesOf('-', { name: path, stdin }), path, { encoding: characters, guesses: false }),
  );
  if (format === 'csv' || format === 'tsv')
    return openStreamedText(stream, {
      tabs: format === 'tsv',
      header: header ?? encoding.header ?? undefined,
      encoding,
      given,
    });
  const layout = await layoutOfStream(stream, format);
  return knownTable(path, layout, () => stream.pieces(), known, { prompt: true, several: format === 'json' });
}

/** Begins to read JSON from a pipe as bags of features, as {@link openStreamedTable} does as a table. */
export async function openStreamedBags(
  { name, encoding }: Pick<TableFile, 'name' | 'encoding'>,
  stdin: AsyncIterable<Uint8Array>,
  format: 'json' | 'ndjson',
  carried: readonly string[],
): Promise<() => AsyncGenerator<BagPiece>> {
  const stream = new Stream(name, transcoded(piecesOf('-', { name, stdin }), name, { encoding, guesses: false }));
  const layout = await layoutOfStream(stream, format);
  return jsonBags(name, layout, () => stream.pieces(), { carried, several: format === 'json' });
}

/** Finds the layout of JSON from a pipe. @throws HalfspaceError `source-empty`, `row-malformed`. */
export async function layoutOfStream(stream: Stream, format: 'json' | 'ndjson'): Promise<JsonLayout> {
  const start = new JsonStart(format);
  const text = await stream.headUntil((piece) => start.push(piece));
  if (text.trim() === '') throw stream.empty();
  return jsonLayout(text.trimStart(), stream.ended, format, stream.name, false);
}

async function openStreamedText(
  stream: Stream,
  options: LayoutOptions & { readonly encoding: TableEncoding },
): Promise<Table> {
  const { name } = stream;
  const { dialect, header } = await layoutOfText(stream, options);
  return textTable(name, () => stream.pieces(), dialect, header, true);
}

/**
 * Finds the layout of text from a pipe, which may deliver one row at a time: from its first record, and those after
 * titles. Quotes are decided later, at the first quoted cell.
 *
 * @param options with `most`: the number of records that the stream has already.
 * @throws HalfspaceError `source-empty`, `row-malformed`.
 */
export async function layoutOfText(
  stream: Stream,
  options: LayoutOptions,
): Promise<FoundLayout & Pick<Shape, 'declared'>> {
  const shape = options.tabs || options.given !== undefined ? null : await shapeOf(stream, options.header);
  if (shape !== null) {
    const found = await layoutOfLines(stream, { ...options, header: true, given: dialectOf(shape) });
    const { declared } = shape;
    return {
      ...found,
      ...(declared === undefined ? {} : { declared }),
      header: { ...found.header, notes: [...shape.notes, ...found.header.notes] },
    };
  }
  return layoutOfLines(stream, options);
}

/** Finds the shape of text that is no delimited table, from its first lines. */
async function shapeOf(stream: Stream, header: boolean | undefined): Promise<Shape | null> {
  const { name: source } = stream;
  let seen = '';
  let next = 0;
  const text = await stream.headUntil((piece) => {
    seen += piece;
    if (seen.length < next) return false;
    if (seen.length > mostTitles * 1000) next = seen.length * 2;
    return findShape(seen, { whole: false, source, header, isLive: true }) !== 'more';
  });
  const found = findShape(text, { whole: true, source, header, isLive: true });
  const shape = found === 'more' ? null : found;
  if (shape === null) stream.rewind();
  else stream.translate(shape);
  return shape;
}

async function layoutOfLines(stream: Stream, options: LayoutOptions): Promise<FoundLayout> {
  const { given, encoding, header, most = 1 } = options;
  const start = new FirstRecords(given);
  let seen = '';
  const mayBeTitled = encoding !== undefined && header !== false && most === 1;
  const titles = () => (mayBeTitled ? linesAbove(seen, encoding) : { above: 0, all: 1 });
  const text = await stream.headUntil((piece) => {
    if (seen.length < mostTitles * 1000) seen += piece;
    const { above, all } = titles();
    return start.push(piece) && above < all;
  });
  if (stream.length > mostHeadBytes)
    throw new HalfspaceError('row-malformed', malformed.long(mostHeadBytes), { source: stream.name, line: 1 });
  const own = titles().above > 0 ? mostTitles : most;
  const found = findLayout(text, own === 1 || stream.ended, { ...options, most: own });
  if (found.records === 0) throw stream.empty();
  if (given?.quote !== undefined) return found;
  const { padded: _, wrapped: __, ...dialect } = found.dialect;
  const quote = dialect.delimiter === '\t' ? null : '"';
  return { ...found, dialect: { ...dialect, quote, escape: '"' } };
}

/** Counts the lines of the text so far, and of its first lines those above the names of a model: titles, comments. */
function linesAbove(text: string, { columns, leftOut, label }: TableEncoding): { above: number; all: number } {
  const lines = text.split(/\r\n|\n|\r/).slice(0, -1);
  const names = [label.column, ...columns.map(({ name }) => name)];
  const isNamed = (line: string) => names.some((name) => line.includes(name));
  const width = columns.length + leftOut.length;
  const isShort = (line: string) =>
    /^(?:#|%|\/\/|sep=)/i.test(line) || delimiters.every((delimiter) => isTitle(line.split(delimiter), width));
  const end = lines.findIndex((line, k) => k >= mostTitles || isNamed(line) || !isShort(line));
  return { above: end < 0 ? lines.length : end, all: Math.max(1, end < 0 ? lines.length : end + 1) };
}

/** Detects the end of the first record, for any delimiter. */
class FirstRecords {
  #missing = delimiters.length;
  readonly #parsers: readonly RecordParser[];

  constructor({ quote, skipLines: skip = 0 }: GivenDialect = {}) {
    this.#parsers = delimiters.map((delimiter) => {
      let isFirst = true;
      const mark = quote === undefined && delimiter === '\t' ? null : (quote ?? '"');
      const end = () => {
        if (isFirst) this.#missing--;
        isFirst = false;
      };
      return new RecordParser({ delimiter, quote: mark, escape: mark ?? '"', skip }, end, { endsOnly: true });
    });
  }

  push(piece: string): boolean {
    for (const parser of this.#parsers) parser.push(piece);
    return this.#missing === 0;
  }
}

/** Detects that the text so far is enough to guess the layout of JSON: a bracket, or a first line. */
class JsonStart {
  readonly #format: 'json' | 'ndjson';
  #hasBegun = false;

  constructor(format: 'json' | 'ndjson') {
    this.#format = format;
  }

  push(piece: string): boolean {
    const text = this.#hasBegun ? piece : piece.trimStart();
    if (text === '') return false;
    const isEnough = !this.#hasBegun && (text[0] !== '{' || this.#format === 'ndjson');
    this.#hasBegun = true;
    return isEnough || /[\r\n]/.test(text);
  }
}

/** A byte order mark, one character per byte. */
const mark = '\xEF\xBB\xBF';

/** The pieces of a pipe. The first ones, the head, can be read in advance. */
export class Stream {
  readonly name: string;
  #pieces: AsyncGenerator<Uint8Array>;
  #head: Uint8Array[] = [];
  #isRead = false;
  /** Length of the head in bytes. */
  length = 0;
  /** True if the head is the whole text. */
  ended = false;

  constructor(name: string, pieces: AsyncGenerator<Uint8Array>) {
    this.name = name;
    this.#pieces = pieces;
  }

  /**
   * Reads pieces until `isEnough` returns true, and returns their text: one character per byte, without a byte order
   * mark. `isEnough` is called once with each piece.
   * @throws HalfspaceError if the input is empty or no text.
   */
  async headUntil(isEnough: (piece: string) => boolean): Promise<string> {
    let waiting = '';
    while (this.length <= mostHeadBytes) {
      const { done, value } = await this.#pieces.next();
      if (done === true) {
        this.ended = true;
        break;
      }
      this.#head.push(value);
      const isFirst = this.length === waiting.length;
      this.length += value.length;
      waiting += Buffer.from(value).toString('latin1');
      if (isFirst && waiting.length < mark.length && mark.startsWith(waiting)) continue;
      const piece = isFirst && waiting.startsWith(mark) ? waiting.slice(mark.length) : waiting;
      waiting = '';
      if (isEnough(piece)) break;
    }
    if (this.length === 0) throw this.empty();
    const bytes = Buffer.concat(this.#head, this.length);
    return headText({ bytes, whole: this.ended }, this.name);
  }

  empty(): HalfspaceError {
    const got = this.length === 0 ? 'an empty file' : 'blank lines';
    return new HalfspaceError('source-empty', `expected a table; got ${got}`, { source: this.name });
  }

  /** Lets the head be read again by `headUntil`. */
  rewind(): void {
    this.#restart(this.pieces());
  }

  /** Replaces the text by its translation into CSV. */
  translate(shape: Shape): void {
    this.#restart(reshaped(this.pieces(), this.name, shape));
  }

  #restart(pieces: AsyncGenerator<Uint8Array>): void {
    this.#pieces = pieces;
    this.#head = [];
    this.#isRead = false;
    this.length = 0;
    this.ended = false;
  }

  /** Yields all pieces, the head included. */
  pieces(): AsyncGenerator<Uint8Array> {
    if (this.#isRead) throw new RangeError('a pipe can be read only once');
    this.#isRead = true;
    return inTurn(this.#head, this.ended ? null : this.#pieces);
  }
}

async function* inTurn(head: Uint8Array[], rest: AsyncGenerator<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  yield* head.splice(0);
  if (rest !== null) yield* rest;
}
