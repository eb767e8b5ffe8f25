import type { StoredBatch } from '../batch.ts';
import type { FeatureEncoding } from '../features/encoding.ts';

/**
 * Where examples come from: a text file, a pipe, a table, an array. Reading is always a stream of batches in reused buffers, so
 * memory does not grow with the source.
 */
export interface ExampleSource {
  /** For messages: a path, `-` for standard input, … */
  readonly name: string;

  /**
   * The names of the classes, at least two: of two, the negative and the positive one, the source delivers labels as −1 and +1; of more as
   * positions among them (NaN: none). Null when it delivers numbers as they stand in the data; the reader may then write others over them.
   */
  readonly classes: readonly string[] | null;

  /**
   * The examples in order: batches that are all sparse (some perhaps compact), or all dense and of one dimension. A batch is valid until the next one is
   * asked for.
   * @throws HalfspaceError with the place, at the first fault (after the good examples before it were delivered).
   */
  batches(): AsyncIterable<StoredBatch>;

  /** How the features are named and made, complete once `batches()` was read to its end. */
  encoding(): FeatureEncoding;
}

/**
 * Bytes to read, in order: a file, a pipe, a fetch response, an array. Two members must be there, so that a test double is as easy
 * to write as a real one.
 */
export interface ByteSource {
  /** For messages. */
  readonly name: string;
  /**
   * Writes the next bytes to the front of `target` and returns how many: 0 at the end, fewer than fit at any time. `target`
   * must not be kept. The returned promise is awaited before `target` is read.
   */
  read(target: Uint8Array): number | Promise<number>;
  /** Called when no more is wanted, also after a fault; a source that has nothing to give back may lack it. */
  close?(): void;
  /** Where the bytes are those of a plain file, so that others may read them too. */
  readonly file?: PlainFile;
}

/** An open file that can be read at any position. */
export interface PlainFile {
  /** The process's number of it. Closed by the source. */
  readonly descriptor: number;
  /** Its length in bytes when it was opened. */
  readonly size: number;
  /** To be called with bytes that were read by way of the descriptor. */
  onRead(bytes: number): void;
  /** To be called when all was read by way of the descriptor. @throws HalfspaceError `source-changed`. */
  check(): void;
}
