import type { Batch } from '../batch.ts';
import { HalfspaceError, type Place } from '../errors.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import type { Block, Kernels, RowBlocks } from '../kernels/kernels.ts';
import { parseStatus, report as slots } from '../kernels/kernels.ts';
import type { ByteSource, ExampleSource } from './source.ts';
import { describeFault } from './text-fault.ts';
import type { TextFormat } from './text-format.ts';

/** A line that was set aside. */
export interface RejectedLine {
  /** The place and the reason. */
  readonly error: HalfspaceError;
  /** The line as it stood, without its line end. Valid during the call only. */
  readonly line: Uint8Array;
}

export interface TextSourceOptions {
  /** The files, opened one after the other as they are needed; called anew for every reading. */
  readonly open: () => Iterable<ByteSource> | AsyncIterable<ByteSource>;
  readonly name: string;
  readonly format: TextFormat;
  readonly kernels: Kernels;
  /** Called for every line that is refused; without it the first one ends the reading with its error. */
  readonly onReject?: ((rejected: RejectedLine) => void) | undefined;
  /** Bytes of text read at a time, and numbers of one batch; larger lines enlarge both. */
  readonly textBytes?: number;
  readonly batchValues?: number;
  readonly batchRows?: number;
}

/** The longest line that is taken: beyond it the data are hardly text of this kind. */
const longestLine = 256 * 1024 * 1024;

/** Examples from libsvm or Vowpal Wabbit text, parsed by the kernels batch by batch in constant memory. */
export class TextSource implements ExampleSource {
  readonly name: string;
  readonly classes = null;
  readonly #options: TextSourceOptions;
  readonly #format: TextFormat;

  constructor(options: TextSourceOptions) {
    this.name = options.name;
    this.#options = options;
    this.#format = options.format;
  }

  encoding(): FeatureEncoding {
    return this.#format.encoding();
  }

  async *batches(): AsyncGenerator<Batch> {
    const buffers = new TextBuffers(this.#options);
    try {
      for await (const source of this.#options.open()) {
        try {
          yield* this.#file(source, buffers);
        } finally {
          source.close?.();
        }
      }
    } finally {
      buffers.free();
    }
  }

  async *#file(source: ByteSource, buffers: TextBuffers): AsyncGenerator<Batch> {
    const { onReject } = this.#options;
    const { report, rows } = buffers;
    let start = 0; // unread bytes are [start, end) of the text block
    let end = 0;
    let position = 0; // of byte `start` in the source
    let lines = 0;
    let last = false;

    for (;;) {
      // Read behind the unread tail, which moves to the front first.
      const { text } = buffers;
      if (start > 0) text.array.copyWithin(0, start, end);
      end -= start;
      start = 0;
      const room = text.length - TextBuffers.padding - end;
      if (room === 0) {
        this.#checkLongLine(source.name, lines, position, text, end);
        text.resize((text.length - TextBuffers.padding) * 2 + TextBuffers.padding);
        continue;
      }
      const reading = source.read(text.array.subarray(end, end + room));
      const count = typeof reading === 'number' ? reading : await reading;
      if (count === 0) last = true;
      if (position === 0 && end < 3) {
        const skipped = byteOrderMark(text.array, end + count, source.name);
        start += skipped;
        position += skipped;
      }
      end += count;

      // Parse all complete lines.
      for (;;) {
        const request = report.array;
        request[slots.from] = start;
        request[slots.to] = end;
        request[slots.last] = last ? 1 : 0;
        const status = this.#format.parse(text, rows, report);
        if (status === parseStatus.enlarge) {
          buffers.enlargeRows();
          continue;
        }
        const answer = report.array;
        const consumed = answer[slots.consumed]!;
        lines += answer[slots.lines]!;
        const faultFrom = answer[slots.faultFrom]!;
        const faultTo = answer[slots.faultTo]!;
        position += consumed - start;
        start = consumed;
        if (answer[slots.rows]! > 0) yield this.#format.finish(buffers.batch());
        if (status === parseStatus.done) break;
        if (status < parseStatus.firstFault) continue;

        const bytes = buffers.text.array;
        const newline = bytes.subarray(0, end).indexOf(10, start);
        const lineEnd = newline === -1 ? end : newline;
        const where: Place = {
          source: source.name,
          line: lines + 1,
          column: faultFrom - start + 1,
          byte: position + faultFrom - start,
        };
        const error = describeFault(status, bytes.subarray(start, lineEnd), faultFrom - start, faultTo - start, where);
        if (onReject === undefined || status === parseStatus.binary) throw error;
        onReject({ error, line: bytes.subarray(start, bytes[lineEnd - 1] === 13 ? lineEnd - 1 : lineEnd) });
        position += lineEnd + 1 - start;
        start = Math.min(lineEnd + 1, end);
        lines++;
      }
      if (last) return;
    }
  }

  #checkLongLine(name: string, lines: number, position: number, text: Block<Uint8Array>, end: number): void {
    const where: Place = { source: name, line: lines + 1, byte: position };
    if (text.array.subarray(0, end).includes(0))
      throw new HalfspaceError('source-corrupt', 'expected text; got binary data', where);
    if (end >= longestLine)
      throw new HalfspaceError(
        'row-malformed',
        `expected lines of at most ${longestLine} bytes; got a longer one`,
        where,
      );
  }
}

/** Length of a UTF-8 byte order mark. @throws for UTF-16, which is not read. */
function byteOrderMark(text: Uint8Array, count: number, source: string): number {
  if (count >= 2 && ((text[0] === 0xff && text[1] === 0xfe) || (text[0] === 0xfe && text[1] === 0xff)))
    throw new HalfspaceError('source-corrupt', 'expected UTF-8 text; got UTF-16', { source, byte: 0 });
  return count >= 3 && text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf ? 3 : 0;
}

/** The reused buffers of one reading. */
class TextBuffers {
  /** Kernels store a line feed behind the text. */
  static readonly padding = 16;
  readonly text: Block<Uint8Array>;
  readonly rows: RowBlocks;
  readonly report: Block<Float64Array>;

  constructor({
    kernels,
    textBytes = 1024 * 1024,
    batchValues = 128 * 1024,
    batchRows = 16 * 1024,
  }: TextSourceOptions) {
    this.text = kernels.uint8(textBytes + TextBuffers.padding);
    this.report = kernels.float64(slots.size);
    this.rows = {
      offsets: kernels.uint32(batchRows + 1),
      indices: kernels.uint32(batchValues),
      values: kernels.float64(batchValues),
      labels: kernels.float64(batchRows),
      importance: kernels.float64(batchRows),
    };
  }

  enlargeRows(): void {
    this.rows.indices.resize(this.rows.indices.length * 2);
    this.rows.values.resize(this.rows.values.length * 2);
  }

  /** The rows of the last report as a batch over the reused arrays. */
  batch(): RowsBatch {
    const { array } = this.report;
    return new RowsBatch(this.rows, array[slots.rows]!, array[slots.dimension]!, array[slots.weighted] === 1);
  }

  free(): void {
    this.text.free();
    this.report.free();
    for (const block of Object.values(this.rows)) block.free();
  }
}

/** Rows that a text kernel wrote, as a batch; arrays are looked up afresh at every access. */
export class RowsBatch {
  readonly kind = 'sparse';
  readonly rows: number;
  /** A text format may rewrite indices and then narrows this. */
  dimension: number;
  readonly #blocks: RowBlocks;
  readonly #weighted: boolean;

  constructor(blocks: RowBlocks, rows: number, dimension: number, weighted: boolean) {
    this.#blocks = blocks;
    this.rows = rows;
    this.dimension = dimension;
    this.#weighted = weighted;
  }

  get offsets(): Uint32Array {
    return this.#blocks.offsets.array;
  }

  get indices(): Uint32Array {
    return this.#blocks.indices.array;
  }

  get values(): Float64Array {
    return this.#blocks.values.array;
  }

  get labels(): Float64Array {
    return this.#blocks.labels.array;
  }

  get importance(): Float64Array | null {
    return this.#weighted ? this.#blocks.importance.array : null;
  }
}
