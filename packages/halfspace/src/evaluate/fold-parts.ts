import type { StoredBatch } from '../batch.ts';
import { ExampleStore } from '../data/store.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { Folds } from './candidate.ts';

/** Largest number of stored values for which the training examples of a fold are copied to one batch: about 1 MiB. */
const mostJoined = 1 << 16;

/** Examples by fold, each fold in its own store. */
export class FoldParts implements Folds {
  /** Number of examples in all folds. */
  readonly examples: number;
  /** Number of values stored in them. */
  readonly stored: number;
  readonly #kernels: Kernels;
  readonly #parts: readonly ExampleStore[];
  /** The training examples of a fold in one batch, where that was done. */
  readonly #joined: (ExampleStore | undefined)[] = [];
  /** True if a fold's training examples are in one batch. */
  readonly joins: boolean;

  /**
   * @param parts of the kernels' memory; owned from now on.
   * @param joins true allows larger training batches than the parts have.
   */
  constructor(kernels: Kernels, parts: readonly ExampleStore[], joins: boolean) {
    this.#kernels = kernels;
    this.#parts = parts;
    this.examples = parts.reduce((sum, { rows }) => sum + rows, 0);
    this.stored = parts.reduce((sum, part) => sum + part.stored, 0);
    this.joins = joins && this.stored <= mostJoined && parts.every(({ chunks }) => chunks <= 1);
  }

  get folds(): number {
    return this.#parts.length;
  }

  /** Yields the batches of all folds but one, fold by fold. */
  *learnedFrom(fold: number): Generator<StoredBatch> {
    const parts = this.#parts.filter((_, k) => k !== fold);
    if (this.joins) {
      // In small batches, a run would mostly call kernels.
      this.#joined[fold] ??= this.#join(parts);
      yield* this.#joined[fold].batches();
      return;
    }
    const most = parts.reduce((longest, { chunks }) => Math.max(longest, chunks), 0);
    for (let c = 0; c < most; c++) for (const part of parts) if (c < part.chunks) yield part.load(c);
  }

  judgedOn(fold: number): Iterable<StoredBatch> {
    return this.#parts[fold]!.batches();
  }

  /** Returns the number of examples in a fold. */
  rows(fold: number): number {
    return this.#parts[fold]!.rows;
  }

  free(): void {
    for (const part of [...this.#parts, ...this.#joined]) part?.free();
  }

  /** Returns a store with the rows of some parts in one batch. */
  #join(parts: readonly ExampleStore[]): ExampleStore {
    const options = { compact: true, memoryBudget: Infinity };
    const apart = new ExampleStore(this.#kernels, options);
    const together = new ExampleStore(this.#kernels, options);
    for (const part of parts) for (const batch of part.batches()) apart.append(batch);
    const all = Uint32Array.from({ length: apart.rows }, (_, i) => i);
    for (const owned of apart.gatherOwned(all, all.length)) together.adopt(owned);
    apart.free();
    return together;
  }
}
