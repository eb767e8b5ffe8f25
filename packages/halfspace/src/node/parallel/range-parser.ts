import { readSync } from 'node:fs';
import type { ByteSource } from '../../data/source.ts';
import type { NewNames, TextParser } from '../../data/text-parser.ts';
import { type ParsedRows, readText, TextBuffers, type TextPart } from '../../data/text-reader.ts';
import { HalfspaceError } from '../../errors.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { reasonOf } from '../reason.ts';
import { type ParseJob, rangeOf } from './parse-protocol.ts';

/** Bytes read beyond a range to find the end of its last line; doubled for each further read. */
const leastBeyond = 4096;

/** Bytes of the reads that find the first line. The range is then read from there on, so that nothing is moved. */
const searchBytes = 4096;

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
    if (!this.#begun) this.#findStart(target);
    while (!this.#done) {
      const at = this.#position;
      if (at >= this.#to) this.#beyond *= 2;
      const wanted = Math.min(target.length, Math.max(0, this.#to - at) + this.#beyond);
      const count = this.#readAt(target.subarray(0, wanted), at);
      this.#position += count;
      if (count === 0) {
        this.#done = true;
      } else if (this.#position >= this.#to) {
        // The last line ends with the first line feed from byte `to − 1` on.
        const end = target.subarray(0, count).indexOf(10, Math.max(0, this.#to - 1 - at));
        this.#done = end !== -1;
        return this.#done ? end + 1 : count;
      } else return count;
    }
    return 0;
  }

  /** Finds the first line. Done if none begins in the range. @param target where it may read to. */
  #findStart(target: Uint8Array): void {
    this.#begun = true;
    while (this.#position < this.#to) {
      const bytes = target.subarray(0, searchBytes);
      const count = this.#readAt(bytes, this.#position);
      if (count === 0) break;
      const feed = bytes.subarray(0, count).indexOf(10);
      this.#position += feed === -1 ? count : feed + 1;
      if (feed === -1) continue;
      this.start = this.#position;
      this.#done = this.start >= this.#to;
      return;
    }
    this.#done = true;
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

/** A part of a range. Names that are new to the parser come with the rows in which they first occur. */
export type RangePart = (ParsedRows & { readonly names: NewNames | null }) | Exclude<TextPart, ParsedRows>;

/** Parses ranges of a file, one at a time. */
export class RangeParser {
  readonly #buffers: TextBuffers;
  readonly #parser: TextParser;

  /** @param parser several range parsers of a thread may share it; the caller frees it. */
  constructor(kernels: Kernels, { rangeBytes, lineBytes }: ParseJob, parser: TextParser) {
    // Room for a range, the end of its last line, and bytes read beyond it.
    const textBytes = rangeBytes + 64 * 1024;
    this.#buffers = new TextBuffers(kernels, { textBytes, lineBytes, batchValues: 256 * 1024 });
    this.#parser = parser;
  }

  /** Yields the parts of one range. */
  async *parts(job: ParseJob, range: number): AsyncGenerator<RangePart> {
    const [from, to] = rangeOf(job, range);
    const source = new LineRange(job.descriptor, from, to, job.name);
    for await (const part of readText(source, this.#parser, this.#buffers, () => source.start))
      yield part.kind === 'rows' ? { ...part, names: this.#parser.newNames() } : part;
  }

  free(): void {
    this.#buffers.free();
  }
}
