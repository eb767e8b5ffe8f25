import { compactArrays, type Kernels, type NameTableMemory } from '../../src/kernels/kernels.ts';
import * as layout from '../../src/kernels/layout.ts';
import type { NameTable } from '../../src/kernels/name-table.ts';

/** An example as the Vowpal Wabbit kernel wrote it. */
export interface VwRow {
  readonly label: number;
  readonly importance: number;
  readonly indices: number[];
  readonly values: number[];
}

/** The result of one call of the kernel. */
export interface VwOutcome {
  readonly status: number;
  readonly consumed: number;
  readonly lines: number;
  readonly stored: number;
  readonly dimension: number;
  readonly weighted: number;
  readonly rows: VwRow[];
  /** Bytes [from, to) of the text; null where nothing is refused. */
  readonly fault: readonly [from: number, to: number] | null;
}

export interface VwOptions {
  /** Null: hashed to `bits`. */
  readonly names?: NameTableMemory | null;
  readonly bits?: number;
  /** Read to compact rows; the values are decoded here. */
  readonly compactly?: boolean;
}

/** Calls `parseVw` of one set of kernels in blocks that are reused, so that stale contents would show. */
export class VwReading {
  readonly kernels: Kernels;
  readonly #text;
  readonly #report;
  readonly #rows;

  constructor(kernels: Kernels, { rowCapacity = 64, capacity = 512, textBytes = 1 << 16 } = {}) {
    this.kernels = kernels;
    this.#text = kernels.uint8(textBytes);
    this.#report = kernels.float64(layout.reportSize);
    this.#rows = {
      offsets: kernels.uint32(rowCapacity + 1),
      indices: kernels.uint32(capacity),
      values: kernels.float64(capacity),
      labels: kernels.float64(rowCapacity),
      importance: kernels.float64(rowCapacity),
    };
  }

  /** One call on `bytes`. The byte behind them is poisoned, and must be as it was afterwards. */
  once(
    bytes: Uint8Array,
    { names = null, bits = 18, compactly = false }: VwOptions = {},
    last = true,
    from = 0,
  ): VwOutcome {
    const poison = 0x7c; // a bar
    this.#text.array.set(bytes);
    this.#text.array[bytes.length] = poison;
    const report = this.#report.array.fill(-1);
    report[layout.reportFrom] = from;
    report[layout.reportTo] = bytes.length;
    report[layout.reportLast] = last ? 1 : 0;
    const status = this.kernels.parseVw(this.#text, this.#rows, names, bits, this.#report, compactly);
    if (this.#text.array[bytes.length] !== poison) throw new Error('the byte behind the text was changed');

    const after = this.#report.array;
    const [offsets, labels, importance] = [
      this.#rows.offsets.array,
      this.#rows.labels.array,
      this.#rows.importance.array,
    ];
    const { indices, values } = compactly
      ? compactArrays(this.#rows)
      : { indices: this.#rows.indices.array, values: this.#rows.values.array };
    const unit = compactly ? 10 ** layout.parsedPlaces : 1;
    return {
      status,
      consumed: after[layout.reportConsumed]!,
      lines: after[layout.reportLines]!,
      stored: after[layout.reportStored]!,
      dimension: after[layout.reportDimension]!,
      weighted: after[layout.reportWeighted]!,
      rows: Array.from({ length: after[layout.reportRows]! }, (_, i) => ({
        label: labels[i]!,
        importance: importance[i]!,
        indices: [...indices.subarray(offsets[i]!, offsets[i + 1]!)],
        values: Array.from(values.subarray(offsets[i]!, offsets[i + 1]!), (value) => value / unit),
      })),
      fault: status >= layout.statusFirstFault ? [after[layout.reportFaultFrom]!, after[layout.reportFaultTo]!] : null,
    };
  }

  /**
   * Reads `bytes` in pieces of `chunk`; keeps an incomplete line for the next call, as readers do. Stops at the first
   * refusal. Enlarges a table that is too small.
   */
  all(bytes: Uint8Array, { names = null, bits = 18 }: { names?: NameTable | null; bits?: number }, chunk: number) {
    const rows: VwRow[] = [];
    let lines = 0;
    let from = 0;
    for (let to = Math.min(chunk, bytes.length); ; to = Math.min(to + chunk, bytes.length)) {
      const last = to === bytes.length;
      for (;;) {
        const outcome = this.once(bytes.subarray(from, to), { names, bits }, last);
        rows.push(...outcome.rows);
        lines += outcome.lines;
        const start = from;
        from += outcome.consumed;
        if (outcome.status === layout.statusEnlargeNames) names!.enlarge();
        else if (outcome.status !== layout.statusFull) {
          if (outcome.status === layout.statusDone && !last) break;
          const fault = outcome.fault === null ? null : outcome.fault.map((at) => at + start);
          return { status: outcome.status, rows, lines, consumed: from, fault };
        }
      }
    }
  }
}
