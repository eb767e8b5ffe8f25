import type { StoredBatch } from '../batch.ts';
import { splitReciprocal } from './decimal-places.ts';

/**
 * Reads the rows of a batch of any layout, one at a time: stored values and their features, in the order of the
 * kernels' sums. Valid as long as the batch's arrays, that is until kernel memory grows.
 */
export class BatchView {
  /** Number of stored values of the open row, including stored zeros. */
  count = 0;
  #from = 0;
  readonly #values: StoredBatch['values'];
  /** Null for dense rows. */
  readonly #offsets: Uint32Array | null = null;
  readonly #indices: Uint32Array | Uint16Array | null = null;
  readonly #high: number = 1;
  readonly #low: number = 0;
  readonly #compact: boolean;

  constructor(batch: StoredBatch) {
    this.#values = batch.values;
    this.#compact = batch.kind === 'compact';
    if (batch.kind === 'compact') ({ high: this.#high, low: this.#low } = splitReciprocal(batch.places));
    if (batch.kind === 'dense') this.count = batch.dimension;
    else {
      this.#offsets = batch.offsets;
      this.#indices = batch.indices;
    }
  }

  /** Opens row i. */
  open(i: number): this {
    const offsets = this.#offsets;
    if (offsets === null) this.#from = i * this.count;
    else {
      this.#from = offsets[i]!;
      this.count = offsets[i + 1]! - this.#from;
    }
    return this;
  }

  /** Returns the feature of value k, k in [0, count). */
  feature(k: number): number {
    return this.#indices === null ? k : this.#indices[this.#from + k]!;
  }

  /** Returns value k, k in [0, count), as a double. */
  value(k: number): number {
    const value = this.#values[this.#from + k]!;
    return this.#compact ? value * this.#high + value * this.#low : value;
  }
}

/** Calls `visit` with every nonzero value of row i and its feature, in the order of the row. */
export function forEachNonzero(
  batch: StoredBatch | BatchView,
  i: number,
  visit: (feature: number, value: number) => void,
): void {
  const row = (batch instanceof BatchView ? batch : new BatchView(batch)).open(i);
  for (let k = 0; k < row.count; k++) {
    const value = row.value(k);
    if (value !== 0) visit(row.feature(k), value);
  }
}
