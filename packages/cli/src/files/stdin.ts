import { createReadStream, read } from 'node:fs';
import { promisify } from 'node:util';
import { HalfspaceError } from 'halfspace';
import { type TemporaryFolder, temporaryCopy } from 'halfspace/node';
import { unlessInterrupted } from '../signals.ts';

/** Standard input or another pipe. Its first bytes can be read in advance. */
export class StandardInput {
  readonly #iterator: AsyncIterator<Uint8Array>;
  #head: Uint8Array = new Uint8Array(0);
  #folder: TemporaryFolder | null = null;

  /** @param path `-` for standard input, or the path of a pipe. */
  constructor(path = '-') {
    const stream: AsyncIterable<Uint8Array> = path === '-' ? process.stdin : createReadStream(path);
    this.#iterator = stream[Symbol.asyncIterator]();
  }

  /**
   * Returns the first bytes, at most `count`, without consuming them. Waits until they are enough or the input ends.
   */
  async peek(count: number, isEnough: (head: Uint8Array) => boolean = () => false): Promise<Uint8Array> {
    const pieces = [this.#head];
    let length = this.#head.length;
    // Tests the bytes at the end of a line or when their number has doubled, so the work is linear.
    for (let next = 1; length < count; ) {
      const { done, value } = await this.#next();
      if (done === true) break;
      pieces.push(value);
      length += value.length;
      if (length < next && !value.includes(10)) continue;
      if (isEnough(Buffer.concat(pieces))) break;
      next = length * 2;
    }
    this.#head = Buffer.concat(pieces);
    return this.#head.subarray(0, count);
  }

  /** Yields all bytes, including those that `peek` returned. Can be called only once. */
  async *pieces(): AsyncGenerator<Uint8Array> {
    if (this.#head.length > 0) yield this.#head;
    for (;;) {
      const { done, value } = await this.#next();
      if (done === true) return;
      yield value;
    }
  }

  #next(): Promise<IteratorResult<Uint8Array>> {
    return unlessInterrupted(
      this.#iterator.next(),
      () =>
        new HalfspaceError('interrupted', 'expected to read all of it; stopped before that', {
          source: 'standard input',
        }),
    );
  }

  /** Writes all bytes to a temporary file, for readers that read twice, and returns its path. */
  async spool(extension: string): Promise<string> {
    const copy = await temporaryCopy(this.pieces(), `stdin.${extension}`);
    this.#folder = copy;
    return copy.file;
  }

  /** Removes what {@link spool} wrote. */
  clear(): void {
    this.#folder?.remove();
    this.#folder = null;
  }
}

/**
 * Yields standard input in pieces of at most 1 MiB, which share their memory. The stream of Node makes a new buffer for
 * each 64 KiB, and collecting these takes as long as learning from them.
 */
export async function* largePieces(): AsyncGenerator<Uint8Array> {
  const memory = new Uint8Array(1 << 20);
  for (;;) {
    let count: number;
    try {
      ({ bytesRead: count } = await promisify(read)(0, memory, 0, memory.length, null));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Another process may have set the pipe to answer at once. On Windows, the end is an error.
      if (code === 'EAGAIN') yield* process.stdin;
      else if (code !== 'EOF') throw error;
      return;
    }
    if (count === 0) return;
    yield memory.subarray(0, count);
  }
}
