import { createTextParser, type TextParser } from '../../data/text-parser.ts';
import { type ParsedRows, readText, TextBuffers, type TextPart } from '../../data/text-reader.ts';
import type { Kernels, NameEntries } from '../../kernels/kernels.ts';
import { LineRange } from './line-range.ts';
import { type ParseJob, rangeOf } from './parse-protocol.ts';

/** A part of a range. Names that are new to the parser come with the rows in which they first occur. */
export type RangePart = (ParsedRows & { readonly names: NameEntries | null }) | Exclude<TextPart, ParsedRows>;

/** Parses ranges of a file and numbers names independently of other parsers. Each thread has one. */
export class RangeParser {
  readonly #buffers: TextBuffers;
  readonly #parser: TextParser;
  /** Bytes and number of names that came with earlier parts. */
  #sentBytes = 0;
  #sentNames = 0;

  constructor(kernels: Kernels, { recipe, rangeBytes, lineBytes }: ParseJob) {
    // Room for a range, the end of its last line, and bytes read beyond it.
    const textBytes = rangeBytes + 64 * 1024;
    this.#buffers = new TextBuffers(kernels, { textBytes, lineBytes, batchValues: 256 * 1024 });
    this.#parser = createTextParser(kernels, recipe);
  }

  /** Yields the parts of one range. */
  async *parts(job: ParseJob, range: number): AsyncGenerator<RangePart> {
    const [from, to] = rangeOf(job, range);
    const source = new LineRange(job.descriptor, from, to, job.name);
    for await (const part of readText(source, this.#parser, this.#buffers, () => source.start))
      yield part.kind === 'rows' ? { ...part, names: this.#newNames() } : part;
  }

  /** Returns the names numbered since the last call, in the parser's table; null: the parser numbers no names. */
  #newNames(): NameEntries | null {
    const { names } = this.#parser;
    if (names === null || names.frozen) return null;
    const [from, sent] = [this.#sentBytes, this.#sentNames];
    this.#sentBytes = names.bytes;
    this.#sentNames = names.size;
    return { block: names.arena, from, to: this.#sentBytes, count: this.#sentNames - sent };
  }

  /** True if it numbers features by names, so that they must be renumbered. */
  get numbersNames(): boolean {
    return this.#parser.names?.frozen === false;
  }

  free(): void {
    this.#buffers.free();
    this.#parser.free();
  }
}
