import type { NewNames, TextParser } from '../../data/text-parser.ts';
import { type ParsedRows, readText, TextBuffers, type TextPart } from '../../data/text-reader.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { LineRange } from './line-range.ts';
import { type ParseJob, rangeOf } from './parse-protocol.ts';

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
