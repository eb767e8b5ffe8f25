import type { StoredBatch } from '../batch.ts';
import { HalfspaceError } from '../errors.ts';
import type { Block } from '../kernels/block.ts';
import type { Kernels, RowBlocks } from '../kernels/kernels.ts';
import { compactArrays } from '../kernels/kernels.ts';
import * as layout from '../kernels/layout.ts';
import type { ByteSource } from './source.ts';
import type { NewNames, TextParser } from './text-parser.ts';

/** The parts that reading text yields, in the order of the lines. */
export type TextPart = ParsedRows | RefusedLine | EndlessLine;

/** Some lines and their examples; no examples if all lines were blank. Valid until the next part is requested. */
export interface ParsedRows {
  readonly kind: 'rows';
  readonly batch: StoredBatch & { dimension: number };
  readonly lines: number;
  readonly facts: RowFacts;
  /** The names that were new to the parser. Absent: its `newNames` has them. */
  readonly names?: NewNames | null;
}

/** Facts about the parsed rows. */
export interface RowFacts {
  /** True if index 0 occurs. */
  readonly zeroIndex: boolean;
  /** Occurrences of features left out because the model does not know their names. */
  readonly unknown: number;
}

/** A line that the kernel refuses. Valid until the next part is requested. */
export interface RefusedLine {
  readonly kind: 'refused';
  /** A status of kernels/layout.ts from `statusFirstFault` on. */
  readonly status: number;
  /** The line without its line feed; the fault is at [from, to). */
  readonly line: Uint8Array;
  readonly from: number;
  readonly to: number;
  /** The position of the line in the source, in bytes. */
  readonly byte: number;
}

/** A line of more than {@link TextBufferSizes.lineBytes}; the last part. */
export interface EndlessLine {
  readonly kind: 'endless';
  /** The position in the line of the first zero byte, which text does not have; −1: none. */
  readonly zero: number;
  /** The position of the line in the source, in bytes. */
  readonly byte: number;
}

/** The default of {@link TextBufferSizes.lineBytes}. */
export const defaultLineBytes = 64 * 1024 * 1024;

export interface TextBufferSizes {
  /**
   * The largest length of a line in bytes, without its line feed; a line must fit into memory. A whole number from 1. A
   * longer line ends the reading with an error. Default 64 MiB.
   */
  readonly lineBytes?: number | undefined;
  /** Bytes of text per read, and values and rows per batch; long lines enlarge the first two. */
  readonly textBytes?: number | undefined;
  readonly batchValues?: number | undefined;
  readonly batchRows?: number | undefined;
}

/**
 * Reads one source to its end.
 *
 * @param start returns the position of the source's first byte in its file; called after the first read. Default: 0,
 *   where a byte order mark is allowed.
 * @throws HalfspaceError `source-corrupt` for UTF-16, and what the source throws.
 */
export async function* readText(
  source: ByteSource,
  parser: TextParser,
  buffers: TextBuffers,
  start: () => number = () => 0,
): AsyncGenerator<TextPart> {
  const { report, rows, lineBytes } = buffers;
  let from = 0; // unread bytes are [from, end) of the text block
  let end = 0;
  let position = -1; // of byte `from`, once something was read
  let last = false;

  while (!last) {
    // Moves the unread tail to the front, and reads behind it.
    const { text } = buffers;
    if (from > 0) text.array.copyWithin(0, from, end);
    end -= from;
    from = 0;
    // The unread tail has no line feed. One byte more than the longest line shows that a line is too long.
    const room = Math.min(text.length - TextBuffers.padding, lineBytes + 1) - end;
    if (room <= 0) {
      if (end > lineBytes) {
        yield { kind: 'endless', zero: text.array.subarray(0, end).indexOf(0), byte: position };
        return;
      }
      text.resize(Math.min((text.length - TextBuffers.padding) * 2, lineBytes + 1) + TextBuffers.padding);
      continue;
    }
    const reading = source.read(text.array.subarray(end, end + room));
    const count = typeof reading === 'number' ? reading : await reading;
    if (count === 0) last = true;
    if (position === -1) position = start();
    if (position === 0 && end < 3) {
      from = byteOrderMark(text.array, end + count, source.name);
      position = from;
    }
    // Only new bytes are searched, and kernels get complete lines: every byte is searched once, however long its line.
    const to = last ? end : end + text.array.subarray(end, end + count).lastIndexOf(10) + 1;
    const complete = last || to > end;
    end += count;
    if (!complete) continue;

    for (;;) {
      const request = report.array;
      request[layout.reportFrom] = from;
      request[layout.reportTo] = to;
      request[layout.reportLast] = last ? 1 : 0;
      const status = parser.parse(text, rows, report);
      if (status === layout.statusEnlarge) {
        buffers.enlargeRows();
        continue;
      }
      const answer = report.array;
      const consumed = answer[layout.reportConsumed]!;
      const faultFrom = answer[layout.reportFaultFrom]! - consumed;
      const faultTo = answer[layout.reportFaultTo]! - consumed;
      const facts = { zeroIndex: answer[layout.reportZeroIndex] === 1, unknown: 0 };
      position += consumed - from;
      from = consumed;
      if (answer[layout.reportLines]! > 0)
        yield { kind: 'rows', batch: buffers.batch(parser.compact), lines: answer[layout.reportLines]!, facts };
      if (status === layout.statusDone) break;
      if (status < layout.statusFirstFault) continue;

      const bytes = buffers.text.array;
      const newline = bytes.subarray(0, end).indexOf(10, from);
      const lineEnd = newline === -1 ? end : newline;
      const line = bytes.subarray(from, lineEnd);
      yield { kind: 'refused', status, line, from: faultFrom, to: faultTo, byte: position };
      position += lineEnd + 1 - from;
      from = Math.min(lineEnd + 1, end);
    }
  }
}

/** Returns the length of a UTF-8 byte order mark. @throws HalfspaceError for UTF-16, which is not supported. */
function byteOrderMark(text: Uint8Array, count: number, source: string): number {
  if (count >= 2 && ((text[0] === 0xff && text[1] === 0xfe) || (text[0] === 0xfe && text[1] === 0xff)))
    throw new HalfspaceError('source-corrupt', 'expected UTF-8 text; got UTF-16', { source, byte: 0 });
  return count >= 3 && text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf ? 3 : 0;
}

/** The reused buffers of a reading. */
export class TextBuffers {
  /** Room behind the text, where kernels write a line feed. */
  static readonly padding = 16;
  readonly text: Block<Uint8Array>;
  readonly rows: RowBlocks;
  readonly report: Block<Float64Array>;
  readonly lineBytes: number;

  constructor(
    kernels: Kernels,
    {
      lineBytes = defaultLineBytes,
      textBytes = 1024 * 1024,
      batchValues = 128 * 1024,
      batchRows = 16 * 1024,
    }: TextBufferSizes = {},
  ) {
    this.lineBytes = lineBytes;
    this.text = kernels.uint8(textBytes + TextBuffers.padding, false);
    this.report = kernels.float64(layout.reportSize);
    this.rows = {
      offsets: kernels.uint32(batchRows + 1, false),
      indices: kernels.uint32(batchValues, false),
      values: kernels.float64(batchValues, false),
      labels: kernels.float64(batchRows, false),
      importance: kernels.float64(batchRows, false),
    };
  }

  enlargeRows(): void {
    this.rows.indices.resize(this.rows.indices.length * 2);
    this.rows.values.resize(this.rows.values.length * 2);
  }

  /** Returns the rows of the last report as a batch over the reused arrays. */
  batch(compact: boolean): StoredBatch & { dimension: number } {
    const { array } = this.report;
    const Rows = compact ? CompactRows : SparseRows;
    return new Rows(
      this.rows,
      array[layout.reportRows]!,
      array[layout.reportDimension]!,
      array[layout.reportWeighted] === 1,
    );
  }

  free(): void {
    this.text.free();
    this.report.free();
    for (const block of Object.values(this.rows)) block.free();
  }
}

/** Rows that a text kernel wrote, as a batch. The arrays are looked up at each access, because memory may grow. */
class ParsedBatch {
  readonly rows: number;
  /** A text format may lower it when it rewrites indices. */
  dimension: number;
  protected readonly blocks: RowBlocks;
  readonly #weighted: boolean;

  constructor(blocks: RowBlocks, rows: number, dimension: number, weighted: boolean) {
    this.blocks = blocks;
    this.rows = rows;
    this.dimension = dimension;
    this.#weighted = weighted;
  }

  get offsets(): Uint32Array {
    return this.blocks.offsets.array;
  }

  get labels(): Float64Array {
    return this.blocks.labels.array;
  }

  get importance(): Float64Array | null {
    return this.#weighted ? this.blocks.importance.array : null;
  }
}

class SparseRows extends ParsedBatch {
  readonly kind = 'sparse';

  get indices(): Uint32Array {
    return this.blocks.indices.array;
  }

  get values(): Float64Array {
    return this.blocks.values.array;
  }
}

class CompactRows extends ParsedBatch {
  readonly kind = 'compact';
  readonly places = layout.parsedPlaces;

  get indices(): Uint16Array {
    return compactArrays(this.blocks).indices;
  }

  get values(): Int32Array {
    return compactArrays(this.blocks).values;
  }
}
