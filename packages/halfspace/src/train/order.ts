import type { StoredBatch } from '../batch.ts';
import type { ExampleStore } from '../data/store.ts';
import type { Random } from '../random.ts';
import type { Order } from './presets.ts';

/** Number of examples per batch if the order is not that of the store. */
const gathered = 1024;

/** Numbers of a batch's examples in the store; or that of the first, if they are consecutive. */
export type StoreNumbers = Uint32Array | number;

/** A batch of a pass. */
export interface BatchOfPass {
  readonly batch: StoredBatch;
  readonly numbers: StoreNumbers;
}

/**
 * Yields the examples of one pass over a store. A batch is valid until the next one is requested.
 *
 * @param omits returns true for batches of the store to leave out, in the orders `cyclic` and `shuffled-once`.
 */
export function* passBatches(
  store: ExampleStore,
  order: Exclude<Order, 'auto'>,
  random: Random,
  omits: (chunk: number) => boolean = () => false,
): Generator<BatchOfPass> {
  if (order === 'cyclic' || order === 'shuffled-once') {
    for (let c = 0; c < store.chunks; c++) if (!omits(c)) yield { batch: store.load(c), numbers: store.firstRow(c) };
    return;
  }
  if (order === 'shuffled') {
    const permutation = random.permutation(store.rows);
    let i = 0;
    for (const batch of store.gather(permutation, gathered)) {
      yield { batch, numbers: permutation.subarray(i, i + gathered) };
      i += gathered;
    }
    return;
  }
  for (let i = 0; i < store.rows; i += gathered) {
    const draws = new Uint32Array(Math.min(gathered, store.rows - i));
    for (let k = 0; k < draws.length; k++) draws[k] = random.below(store.rows);
    for (const batch of store.gather(draws, gathered)) yield { batch, numbers: draws };
  }
}
