import type { CompactBatch, SparseBatch, StoredBatch } from '../batch.ts';
import { OccurringFeatures } from '../data/occurring-features.ts';
import { ExampleStore } from '../data/store.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { Random } from '../random.ts';
import type { Folds } from './candidate.ts';
import { dealFolds } from './folds.ts';

/** Random stream for the order of the examples within folds. */
const orderStream = 32;
/** Random stream for sampling examples. */
const sampleStream = 48;

export interface FoldedOptions {
  /** k, a whole number from 2. */
  readonly folds: number;
  /** Number of the repetition, from 0. */
  readonly repeat: number;
  readonly seed: number;
  /** Number of examples to sample by the seed. Default: all. */
  readonly examples?: number | undefined;
  /** Largest number of examples in a batch. Default 1024. */
  readonly batch?: number | undefined;
  /**
   * True allows to renumber features if most of them do not occur. This saves work and memory; scores have the same
   * bits. Not for trees, which look features up in the encoding. Default false.
   */
  readonly renumber?: boolean | undefined;
}

/** The examples of a store, dealt to folds: stratified, in random order within a fold, each fold in its own memory. */
export class FoldedExamples implements Folds {
  readonly folds: number;
  /** Number of examples in all folds. */
  readonly examples: number;
  readonly #parts: ExampleStore[];

  /** @param store only read. */
  constructor(kernels: Kernels, store: ExampleStore, options: FoldedOptions) {
    const { folds, repeat, seed, examples, batch: size = 1024, renumber = false } = options;
    this.folds = folds;
    let numbers = Uint32Array.from({ length: store.rows }, (_, i) => i);
    if (examples !== undefined && examples < store.rows) {
      new Random(seed, sampleStream + repeat).shuffle(numbers);
      // Examples that are close together in the store are read faster, so restore the order of the data.
      numbers = numbers.slice(0, examples).sort();
    }
    this.examples = numbers.length;
    const labels = labelsOf(store);
    const dealt = dealFolds(
      Float64Array.from(numbers, (i) => labels[i]!),
      folds,
      seed,
      repeat,
    );
    const random = new Random(seed, orderStream + repeat);
    const features = renumber ? OccurringFeatures.of(store) : null;
    this.#parts = Array.from({ length: folds }, (_, fold) => {
      const own = numbers.filter((_, k) => dealt[k] === fold);
      random.shuffle(own);
      const part = new ExampleStore(kernels, { compact: true, memoryBudget: Infinity });
      for (const owned of store.gatherOwned(own, size)) {
        features?.renumber(owned.packed.batch as (SparseBatch | CompactBatch) & { dimension: number });
        part.adopt(owned);
      }
      return part;
    });
  }

  /** Yields the batches of all folds but one, fold by fold. */
  *learnedFrom(fold: number): Generator<StoredBatch> {
    const parts = this.#parts.filter((_, k) => k !== fold);
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
    for (const part of this.#parts) part.free();
  }
}

/** Returns the labels of all examples of a store, in order. */
export function labelsOf(store: ExampleStore): Float64Array {
  const labels = new Float64Array(store.rows);
  let row = 0;
  for (const batch of store.batches()) {
    labels.set(batch.labels.subarray(0, batch.rows), row);
    row += batch.rows;
  }
  return labels;
}
