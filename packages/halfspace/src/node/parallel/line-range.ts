import { readSync } from 'node:fs';
import type { ByteSource } from '../../data/source.ts';
import { HalfspaceError } from '../../errors.ts';
import { reasonOf } from '../reason.ts';

/** Bytes read beyond a range to find the end of its last line; doubled for each further read. */
const leastBeyond = 4096;

/**
 * A source of the lines that begin in the bytes [from, to) of a file. Consecutive ranges give every line exactly once.
 *
 * @param to Infinity: up to the end of the file.
 */
export class LineRange implements ByteSource {
  readonly name: string;
  readonly #descriptor: number;
  readonly #to: number;
  #position: number;
  #begun: boolean;
  #done = false;
  #beyond = leastBeyond;
  /** The position of the first line, known after the first read. */
  start: number;

  constructor(descriptor: number, from: number, to: number, name: string) {
    this.name = name;
    this.#descriptor = descriptor;
    this.#to = to;
    // A line begins after a line feed, so read from the byte before the range.
    this.#begun = from === 0;
    this.#position = from === 0 ? 0 : from - 1;
    this.start = from;
  }

  /** @param target at least one byte long. */
  read(target: Uint8Array): number {
    while (!this.#done) {
      const at = this.#position;
      if (at >= this.#to) this.#beyond *= 2;
      const wanted = Math.min(target.length, Math.max(0, this.#to - at) + this.#beyond);
      let count = this.#readAt(target.subarray(0, wanted), at);
      if (count === 0) {
        this.#done = true;
        return 0;
      }
      this.#position += count;
      let skipped = 0;
      if (!this.#begun) {
        skipped = target.subarray(0, count).indexOf(10) + 1;
        if (skipped === 0) {
          this.#done = this.#position >= this.#to;
          continue;
        }
        this.#begun = true;
        this.start = at + skipped;
        if (this.start >= this.#to) {
          this.#done = true;
          return 0;
        }
      }
      // The last line ends with the first line feed from byte `to − 1` on.
      if (this.#position >= this.#to) {
        const end = target.subarray(0, count).indexOf(10, Math.max(skipped, this.#to - 1 - at));
        if (end !== -1) {
          this.#done = true;
          count = end + 1;
        }
      }
      if (skipped > 0) target.copyWithin(0, skipped, count);
      if (count > skipped) return count - skipped;
    }
    return 0;
  }

  #readAt(target: Uint8Array, position: number): number {
    try {
      return readSync(this.#descriptor, target, 0, target.length, position);
    } catch (error) {
      throw new HalfspaceError('source-unreadable', `expected a readable file; got ${reasonOf(error)}`, {
        source: this.name,
      });
    }
  }
}
