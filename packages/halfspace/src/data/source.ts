import type { StoredBatch } from '../batch.ts';
import type { FeatureEncoding } from '../features/encoding.ts';

/**
 * A source of examples: text files, a pipe, a table, arrays. It delivers batches in reused buffers, so memory does not
 * grow with the source.
 */
export interface ExampleSource {
  /** Name for messages: a path, `-` for standard input, … */
  readonly name: string;

  /**
   * Names of at least two classes. For two, the negative and the positive one, labels are −1 and +1; for more,
   * positions (NaN: none). Null: labels are the numbers in the data, and the reader may overwrite them.
   */
  readonly classes: readonly string[] | null;

  /**
   * Yields the examples in order: all batches sparse (some perhaps compact), or all dense with the same dimension. A
   * batch is valid until the next one is requested.
   * @throws HalfspaceError with the place, at the first fault, after all good examples before it.
   */
  batches(): AsyncIterable<StoredBatch>;

  /** Returns the encoding of the features; complete once `batches()` has been read to its end. */
  encoding(): FeatureEncoding;
}

/**
 * A source of bytes: a file, a pipe, a fetch response, an array. Only two members are required, so that a test can
 * write one easily.
 */
export interface ByteSource {
  /** Name for messages. */
  readonly name: string;
  /**
   * Writes the next bytes to the front of `target` and returns their number: 0 only at the end. Must not keep `target`.
   * If it returns a promise, the caller awaits it before reading `target`.
   */
  read(target: Uint8Array): number | Promise<number>;
  /** Called when no more bytes are needed, also after an error. Optional. */
  close?(): void;
  /** Present if the bytes are those of a plain file, so that other threads can read them too. */
  readonly file?: PlainFile;
}

/** An open file that can be read at any position. */
export interface PlainFile {
  /** The file descriptor; the source closes it. */
  readonly descriptor: number;
  /** Length in bytes when it was opened. */
  readonly size: number;
  /** Call with the number of bytes read through the descriptor. */
  onRead(bytes: number): void;
  /** Call after all reads through the descriptor. @throws HalfspaceError `source-changed`. */
  check(): void;
}
