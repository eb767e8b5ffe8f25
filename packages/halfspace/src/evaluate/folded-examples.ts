import type { CompactBatch, SparseBatch } from '../batch.ts';
import { OccurringFeatures } from '../data/occurring-features.ts';
import { ExampleStore } from '../data/store.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { Random } from '../random.ts';
import { FoldParts } from './fold-parts.ts';
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
  /** Largest number of examples in a batch. Default 1024, but all training examples if they are few. */
  readonly batch?: number | undefined;
  /**
   * True allows to renumber features if most of them do not occur. This saves work and memory; scores have the same
   * bits. Not for trees, which look features up in the encoding. Default false.
   */
  readonly renumber?: boolean | undefined;
}

/** The examples of a store, dealt to folds: stratified, in random order within a fold, each fold in its own memory. */
export class FoldedExamples extends FoldParts {
  /** @param store only read. */
  constructor(kernels: Kernels, store: ExampleStore, options: FoldedOptions) {
    super(kernels, partsOf(kernels, store, options), options.batch === undefined);
  }
}

function partsOf(kernels: Kernels, store: ExampleStore, options: FoldedOptions): ExampleStore[] {
  const { folds, repeat, seed, examples, batch: size = 1024, renumber = false } = options;
  let numbers = Uint32Array.from({ length: store.rows }, (_, i) => i);
  if (examples !== undefined && examples < store.rows) {
    new Random(seed, sampleStream + repeat).shuffle(numbers);
    // Examples that are close together in the store are read faster, so restore the order of the data.
    numbers = numbers.slice(0, examples).sort();
  }
  const labels = labelsOf(store);
  const dealt = dealFolds(
    Float64Array.from(numbers, (i) => labels[i]!),
    folds,
    seed,
    repeat,
  );
  const random = new Random(seed, orderStream + repeat);
  const features = renumber ? OccurringFeatures.of(store) : null;
  return Array.from({ length: folds }, (_, fold) => {
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
