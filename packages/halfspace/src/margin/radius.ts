import type { StoredBatch } from '../batch.ts';
import type { ExampleStore } from '../data/store.ts';
import type { Kernels } from '../kernels/kernels.ts';

/**
 * The radius R = max‖x‖ of the examples seen, folded over batches.
 *
 * With an absorbed bias x is (c, x), so R² = max‖x‖² + c²; with a separate one, R² = max‖x‖². The bound (R/γ)² on updates
 * (Novikoff 1962) takes the R and the γ of the same vectors.
 */
export class RadiusTally {
  readonly #kernels: Kernels;
  #norms = new Float64Array(0);
  #largest = 0;

  constructor(kernels: Kernels) {
    this.#kernels = kernels;
  }

  add(batch: StoredBatch): void {
    if (this.#norms.length < batch.rows) this.#norms = new Float64Array(batch.rows);
    this.#kernels.squaredNormsInto(batch, this.#norms);
    for (let i = 0; i < batch.rows; i++) if (this.#norms[i]! > this.#largest) this.#largest = this.#norms[i]!;
  }

  /** ‖x‖² of the examples of the batch added last. */
  get squaredNorms(): Float64Array {
    return this.#norms;
  }

  /** @param constant value of the absorbed constant feature; 0 without one. */
  radius(constant = 0): number {
    return Math.sqrt(this.#largest + constant * constant);
  }
}

/** The radius of all examples of a store; see {@link RadiusTally.radius} for `constant`. */
export function measureRadius(store: ExampleStore, kernels: Kernels, constant: number): number {
  const tally = new RadiusTally(kernels);
  for (let c = 0; c < store.chunks; c++) tally.add(store.load(c));
  return tally.radius(constant);
}
