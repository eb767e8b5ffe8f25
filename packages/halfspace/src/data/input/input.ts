import { HalfspaceError, quote } from '../../errors.ts';
import { readable } from '../../readable.ts';
import { createBreathe, readingStopped, stoppable, unlessAborted } from '../breathe.ts';
import { type Compression, compressionOf } from '../compression.ts';
import { bytesSource, streamSource } from '../in-memory.ts';
import type { ByteSource } from '../source.ts';
import { isZip, type RandomBytes, unzipped } from '../zip.ts';
import { type FileAccess, type FoundFile, fileAccess } from './file-access.ts';
import { blobContent, bytesOf, encodedPieces, streamPieces, type TextPieces } from './pieces.ts';

/**
 * Text that a source reads, in UTF-8:
 *
 * - a string with a line break: the text itself. Any other string is the path of a file, for Node, Bun and Deno;
 * - a `URL`: a file, or what `fetch` gets from it;
 * - a `Blob` or `File`, an `ArrayBuffer` or a view of one, such as `Uint8Array` and `Buffer`;
 * - a `ReadableStream`, or an (async) iterable of text or bytes, such as a stream of Node. The pieces may be cut
 *   anywhere. A stream or generator can be read only once.
 *
 * Bytes compressed with gzip or zstd are decompressed in Node, Bun and Deno. A ZIP archive with one file is read as
 * this file, unless it comes as a stream. An input must not change while it is read.
 */
export type TextInput = string | URL | Blob | ArrayBuffer | ArrayBufferView | ReadableStream | TextPieces;

/** An input that was opened for one run. */
interface OpenInput {
  /** False if the bytes can be read only once, or are fetched again for every reading. */
  readonly isKept: boolean;
  /** Opens the bytes, decompressed, from the beginning. @throws HalfspaceError `source-unreadable`. */
  bytes(): Promise<ByteSource>;
  /** @throws HalfspaceError `source-changed` if it is a file that changed since it was opened. */
  check(): void;
}

/** An input that a source was given. Nothing is read before it is opened. */
export interface GivenInput {
  /** Name for messages. */
  readonly name: string;
  /**
   * @param signal ends the reading with the error `interrupted`.
   * @throws HalfspaceError `source-unreadable`, also for a stream that was read already.
   */
  open(signal?: AbortSignal): Promise<OpenInput>;
}

/**
 * Checks the type of an input.
 *
 * @param name for messages. Default: the path, the URL, the name of the `File`; else `text` or `stream`.
 * @throws HalfspaceError `option-invalid` for anything that is no {@link TextInput}.
 */
export function givenInput(input: TextInput, name?: string): GivenInput {
  return readable('an input', () => anyInput(input, name), 'option-invalid');
}

function anyInput(input: TextInput, name: string | undefined): GivenInput {
  if (typeof input === 'string') {
    if (isText(input)) return inMemory(() => new TextEncoder().encode(input), name ?? 'text');
    if (/^(https?|file|data|blob):/i.test(input))
      throw new HalfspaceError(
        'option-invalid',
        `expected a path; got a URL as text, ${quote(input)}: pass new URL(…)`,
      );
    return file(input, name ?? input);
  }
  if (input instanceof URL) return input.protocol === 'file:' ? file(input, name ?? input.href) : fetched(input, name);
  if (input instanceof Blob) {
    const label = name ?? (input as Partial<File>).name ?? 'text';
    return again(label, (signal) => stoppable(blobContent(input, label), signal, label));
  }
  const bytes = bytesOf(input);
  if (bytes !== null) return inMemory(() => bytes, name ?? 'text');
  if (typeof ReadableStream === 'function' && input instanceof ReadableStream)
    return once(name ?? 'stream', () => streamPieces(input));
  if (isIterable(input)) {
    const label = name ?? 'stream';
    const pieces = () => input;
    const encoded = (signal?: AbortSignal) => encodedPieces(stoppable(input, signal, label), label);
    return isOnce(input) ? once(label, pieces) : again(label, encoded);
  }
  throw new HalfspaceError(
    'option-invalid',
    `expected text, a path, a URL, a Blob, bytes or a stream of them; got ${quote(input)}`,
  );
}

/** True for text, false for a path. Empty text is no path. */
function isText(input: string): boolean {
  return input === '' || /[\r\n]/.test(input);
}

function isIterable(value: unknown): value is TextPieces {
  return typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value);
}

/** True if an iterable can be read only once: it is its own iterator, as generators are, or a stream of Node. */
function isOnce(pieces: TextPieces): boolean {
  return 'next' in pieces || 'pipe' in pieces;
}

function inMemory(bytes: () => Uint8Array, name: string): GivenInput {
  return {
    name,
    async open(signal) {
      const all = bytes();
      if (isZip(all)) return again(name, () => unzipped(randomBytes(all), name, () => [all])).open(signal);
      if (compressionOf(all) !== null) return again(name, () => encodedPieces([all], name)).open(signal);
      return { isKept: true, bytes: async () => stoppableBytes(bytesSource(all, name), signal), check() {} };
    },
  };
}

function randomBytes(bytes: Uint8Array): RandomBytes {
  return { size: bytes.length, read: (from, to) => bytes.subarray(from, to) };
}

/** An input whose pieces can be read any number of times. */
function again(
  name: string,
  pieces: (signal?: AbortSignal) => AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): GivenInput {
  return {
    name,
    async open(signal) {
      const bytes = async () => streamSource(plainPieces(pieces(signal), name), name);
      return { isKept: true, bytes, check() {} };
    },
  };
}

/** An input that can be read only once. */
function once(name: string, pieces: () => TextPieces): GivenInput {
  let isRead = false;
  const check = () => {
    if (!isRead) return;
    const message = 'expected data that can be read again; got a stream that was read already: pass a new stream';
    throw new HalfspaceError('source-unreadable', message, { source: name });
  };
  return {
    name,
    async open(signal) {
      check();
      const bytes = async () => {
        check();
        isRead = true;
        return streamSource(plainPieces(encodedPieces(stoppable(pieces(), signal, name), name), name), name);
      };
      return { isKept: false, bytes, check() {} };
    },
  };
}

function file(path: string | URL, name: string): GivenInput {
  return {
    name,
    async open(signal) {
      const files = await fileAccess();
      if (files === null) throw noFiles(name);
      const found = find(files, path, name);
      const bytes = async () => stoppableBytes(await found.open(), signal);
      if (found.isPlain) return { isKept: true, bytes, check: () => found.check() };
      return { isKept: false, bytes, check() {} };
    },
  };
}

function find(files: FileAccess, path: string | URL, name: string): FoundFile {
  if (typeof path === 'string') return files.find(path, name);
  try {
    path = files.pathOf(path);
  } catch (error) {
    throw new HalfspaceError('source-unreadable', `expected the URL of a file; got ${(error as Error).message}`, {
      source: name,
    });
  }
  return files.find(path, name);
}

function noFiles(name: string): HalfspaceError {
  return new HalfspaceError(
    'source-unreadable',
    `expected data that this runtime can read; got the path of a file, ${quote(name)}: pass a URL, a File, or the text itself`,
  );
}

function fetched(url: URL, given: string | undefined): GivenInput {
  // A URL may contain a password, and a data URL the whole text.
  const name = given ?? (url.protocol === 'data:' ? 'text' : `${url.protocol}//${url.host}${url.pathname}`);
  return {
    name,
    async open(signal) {
      const pieces = () => stoppable(bodyPieces(url, name, signal), signal, name);
      return { isKept: false, bytes: async () => streamSource(plainPieces(pieces(), name), name), check() {} };
    },
  };
}

async function* bodyPieces(url: URL, source: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const refused = (got: string) =>
    new HalfspaceError('source-unreadable', `expected a readable URL; got ${got}`, { source });
  const failed = (error: unknown): never => {
    throw refused(quote((error as Error)?.message ?? error, 200));
  };
  const response = await fetch(url, signal === undefined ? {} : { signal }).catch(failed);
  if (!response.ok) throw refused(`the status ${response.status} ${response.statusText}`.trimEnd());
  if (response.body === null) return;
  const pieces = streamPieces(response.body as ReadableStream<Uint8Array>);
  try {
    for (;;) {
      const { done, value } = await pieces.next().catch(failed);
      if (done === true) return;
      yield value;
    }
  } finally {
    await pieces.return!();
  }
}

/** Returns bytes whose reading ends with the signal, also while some are awaited. */
function stoppableBytes(bytes: ByteSource, signal: AbortSignal | undefined): ByteSource {
  if (signal === undefined) return bytes;
  const { name } = bytes;
  const breathe = createBreathe(signal, () => readingStopped);
  return {
    ...bytes,
    async read(target) {
      await breathe();
      const count = bytes.read(target);
      return typeof count === 'number' ? count : unlessAborted(count, signal, name);
    },
  };
}

type Pieces = AsyncIterable<Uint8Array>;
type AnyPieces = Pieces | Iterable<Uint8Array>;

/**
 * Yields pieces, decompressed if their first bytes are those of gzip or zstd.
 *
 * @throws HalfspaceError `source-unreadable` for compressed bytes that this runtime does not decompress.
 */
async function* plainPieces(pieces: AnyPieces, name: string): AsyncGenerator<Uint8Array> {
  const iterator = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
  const head: Uint8Array[] = [];
  const magic: number[] = [];
  try {
    while (magic.length < 4) {
      const { done, value } = await iterator.next();
      if (done === true) break;
      // The caller of `next` may reuse the bytes of a piece.
      head.push(value.slice());
      magic.push(...value.subarray(0, 4));
    }
    const all = joined(head, iterator);
    const compression = compressionOf(Uint8Array.from(magic));
    yield* compression === null ? all : await decompressed(compression, all, name);
  } finally {
    await iterator.return?.();
  }
}

async function* joined(
  head: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array> | Iterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* head;
  for (;;) {
    const { done, value } = await rest.next();
    if (done === true) return;
    yield value;
  }
}

async function decompressed(compression: Compression, pieces: Pieces, name: string): Promise<Pieces> {
  const files = await fileAccess();
  if (files !== null) return files.decompress(compression, pieces, name);
  const advice = compression === 'gzip' ? ", such as stream.pipeThrough(new DecompressionStream('gzip'))" : '';
  throw new HalfspaceError(
    'source-unreadable',
    `expected plain text; got ${compression}: pass a stream that decompresses it${advice}`,
    { source: name },
  );
}
