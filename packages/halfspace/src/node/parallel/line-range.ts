import { readSync } from 'node:fs';
import type { ByteSource } from '../../data/source.ts';
import { HalfspaceError } from '../../errors.ts';
import { reasonOf } from '../reason.ts';

/** Read beyond a range at first, to find the end of its last line; then twice as much each time, so that a long line takes few reads. */
const leastBeyond = 4096;

/**
 * The lines of a file that begin in the bytes [from, to), as a source. Ranges that cover a file thus give each of its lines once.
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
  /** Where the first line begins, once something was read. */
  start: number;

  constructor(descriptor: number, from: number, to: number, name: string) {
    this.name = name;
    this.#descriptor = descriptor;
    this.#to = to;
    // A line begins behind a line feed, so the byte before the range is looked at too.
    this.#begun = from === 0;
    this.#position = from === 0 ? 0 : from - 1;
    this.start = from;
  }

  /** `target` has room for one byte at least. */
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
