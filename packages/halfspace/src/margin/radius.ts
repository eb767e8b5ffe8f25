import type { StoredBatch } from '../batch.ts';
import type { ReadableStore } from '../data/store.ts';
import { BatchView } from '../kernels/batch-view.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { leastSquares, scaledLength } from './scaled-length.ts';

/**
 * Computes the radius R = max‖x‖ of examples, batch by batch.
 *
 * With an absorbed bias x is (c, x), so R² = max‖x‖² + c²; with a separate bias R² = max‖x‖². The bound (R/γ)² on
 * updates (Novikoff 1962) needs R and γ of the same vectors.
 */
export class RadiusTally {
  readonly #kernels: Kernels;
  #norms = new Float64Array(0);
  #largest = 0;
  /** The largest length among rows whose squared length overflows or underflows. */
  #extreme = 0;

  constructor(kernels: Kernels) {
    this.#kernels = kernels;
  }

  add(batch: StoredBatch): void {
    if (this.#norms.length < batch.rows) this.#norms = new Float64Array(batch.rows);
    this.#kernels.squaredNormsInto(batch, this.#norms);
    for (let i = 0; i < batch.rows; i++) {
      const norm = this.#norms[i]!;
      if (norm > this.#largest) this.#largest = norm;
      if (norm < leastSquares || norm === Infinity) this.#extreme = Math.max(this.#extreme, lengthOfRow(batch, i));
    }
  }

  /** ‖x‖² of each example of the last batch. */
  get squaredNorms(): Float64Array {
    return this.#norms;
  }

  /** True if there are nonzero values, but all so small that every ‖x‖² is 0 in doubles. */
  get vanishes(): boolean {
    return this.#largest === 0 && this.#extreme > 0;
  }

  /** Returns R; ∞ if it overflows. @param constant value of the absorbed constant feature; 0: none. */
  radius(constant = 0): number {
    const squares = this.#largest + constant * constant;
    if (squares < Infinity && (squares >= leastSquares || this.#extreme === 0)) return Math.sqrt(squares);
    return scaledLength([this.#extreme, constant]);
  }
}

/** Returns the radius of all examples of a store; see {@link RadiusTally.radius} for `constant`. */
export function measureRadius(store: ReadableStore, kernels: Kernels, constant: number): number {
  const tally = new RadiusTally(kernels);
  for (let c = 0; c < store.chunks; c++) tally.add(store.load(c));
  return tally.radius(constant);
}

function lengthOfRow(batch: StoredBatch, i: number): number {
  const row = new BatchView(batch).open(i);
  return scaledLength(Array.from({ length: row.count }, (_, k) => row.value(k)));
}
