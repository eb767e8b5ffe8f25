import { HalfspaceError } from 'halfspace';
import {
  type BagPiece,
  type BytePieces,
  type Dialect,
  delimiterOf,
  delimiters,
  findHeader,
  guessDialect,
  headText,
  type JsonLayout,
  jsonBags,
  jsonLayout,
  type KnownNames,
  knownTable,
  malformed,
  mostHeadBytes,
  RecordParser,
  splitRecords,
  type Table,
  type TableEncoding,
  textTable,
  transcoded,
} from 'halfspace/internal';
import { openBytes } from 'halfspace/node';
import type { TableFile } from './text-pieces.ts';

/** The formats whose rows can be read as they arrive. A Parquet file has its directory at its end. */
export type StreamedFormat = 'csv' | 'tsv' | 'json' | 'ndjson';

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
  header: boolean | undefined,
  encoding: TableEncoding,
  known: KnownNames,
): Promise<Table> {
  const stream = new Stream(path, transcoded(piecesOf(path, stdin), path, { encoding: characters, guesses: false }));
  if (format === 'csv' || format === 'tsv')
    return openStreamedText(stream, format, header ?? encoding.header, encoding);
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
  const stream = new Stream(name, transcoded(piecesOf(name, stdin), name, { encoding, guesses: false }));
  const layout = await layoutOfStream(stream, format);
  return jsonBags(name, layout, () => stream.pieces(), { carried, several: format === 'json' });
}

async function layoutOfStream(stream: Stream, format: 'json' | 'ndjson'): Promise<JsonLayout> {
  const start = new JsonStart(format);
  const text = await stream.headUntil((piece) => start.push(piece));
  if (text.trim() === '') throw stream.empty();
  return jsonLayout(text.trimStart(), stream.ended, format, stream.name);
}

async function openStreamedText(
  stream: Stream,
  format: 'csv' | 'tsv',
  given: boolean | null,
  encoding: TableEncoding,
): Promise<Table> {
  const { name } = stream;
  const start = new FirstRecords();
  const text = await stream.headUntil((piece) => start.push(piece));
  if (stream.length > mostHeadBytes)
    throw new HalfspaceError('row-malformed', malformed.long(mostHeadBytes), { source: name, line: 1 });
  const dialect = streamedDialect(text, format, encoding);
  const [first] = splitRecords(text, dialect, true, 1).records;
  if (first === undefined) throw stream.empty();
  const named = delimiterOf(text, encoding) !== null || undefined;
  const header = findHeader([first], first.length, given ?? named);
  return textTable(name, () => stream.pieces(), dialect, header, true);
}

/** Guesses the dialect from the first records, `most` of them. Quotes are decided later, at the first quoted cell. */
export function streamedDialect(text: string, format: 'csv' | 'tsv', encoding?: TableEncoding, most = 1): Dialect {
  const delimiter = format === 'tsv' ? '\t' : guessDialect(text, most === 1, false, encoding, most).delimiter;
  return { delimiter, quote: delimiter === '\t' ? null : '"', escape: '"' };
}

/** Detects the end of the first record, for any delimiter. */
export class FirstRecords {
  #missing = delimiters.length;
  readonly #parsers = delimiters.map((delimiter) => {
    let isFirst = true;
    const quote = delimiter === '\t' ? null : '"';
    const end = () => {
      if (isFirst) this.#missing--;
      isFirst = false;
    };
    return new RecordParser({ delimiter, quote, escape: '"' }, end, { endsOnly: true });
  });

  push(piece: string): boolean {
    for (const parser of this.#parsers) parser.push(piece);
    return this.#missing === 0;
  }
}

/** Detects that the text so far is enough to guess the layout of JSON: a bracket, or a first line. */
export class JsonStart {
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

async function* piecesOf(path: string, stdin: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = await openBytes('-', { name: path, stdin });
  const buffer = new Uint8Array(64 * 1024);
  for (;;) {
    const count = await source.read(buffer);
    if (count === 0) return;
    yield buffer.slice(0, count);
  }
}

/** A byte order mark, one character per byte. */
const mark = '\xEF\xBB\xBF';

/** The pieces of a pipe. The first ones, the head, can be read in advance. */
export class Stream {
  readonly name: string;
  readonly #pieces: AsyncGenerator<Uint8Array>;
  readonly #head: Uint8Array[] = [];
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

  /** Yields all pieces, the head included. */
  async *pieces(): BytePieces & AsyncGenerator<Uint8Array> {
    if (this.#isRead) throw new RangeError('a pipe can be read only once');
    this.#isRead = true;
    yield* this.#head.splice(0);
    if (!this.ended) yield* this.#pieces;
  }
}
