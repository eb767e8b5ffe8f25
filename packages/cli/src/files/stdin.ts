import { createReadStream } from 'node:fs';
import { HalfspaceError } from 'halfspace';
import { type TemporaryFolder, temporaryCopy } from 'halfspace/node';
import { unlessInterrupted } from '../signals.ts';

/** Standard input, or another pipe, with a look at its beginning that does not use it up. */
export class StandardInput {
  readonly #iterator: AsyncIterator<Uint8Array>;
  #head: Uint8Array = new Uint8Array(0);
  #folder: TemporaryFolder | null = null;

  /** @param path `-` for standard input, or that of a pipe. */
  constructor(path = '-') {
    const stream: AsyncIterable<Uint8Array> = path === '-' ? process.stdin : createReadStream(path);
    this.#iterator = stream[Symbol.asyncIterator]();
  }

  /** The first bytes: as many as are enough, at most `count`. */
  async peek(count: number, isEnough: (head: Uint8Array) => boolean = () => false): Promise<Uint8Array> {
    const pieces = [this.#head];
    let length = this.#head.length;
    // What has come is looked at when a line has ended, or when it has doubled: the work stays linear.
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

  /** All bytes, those that were looked at included. Once only. */
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

  /** Writes everything to a temporary file, for readers that must read twice, and returns its path. */
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
