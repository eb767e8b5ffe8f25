import type { StoredBatch } from '../batch.ts';
import type { ExampleStore } from '../data/store.ts';
import type { Random } from '../random.ts';
import type { Order } from './presets.ts';

/** Examples gathered at a time where the order is not the stored one. */
const gathered = 1024;

/**
 * Appends the examples with these numbers, in this order, to another store.
 * @param size how many go into a batch at most.
 */
export function gatherInto(target: ExampleStore, store: ExampleStore, numbers: Uint32Array, size = gathered): void {
  for (let i = 0; i < numbers.length; i += size) target.append(store.gather(numbers.subarray(i, i + size)));
}

/**
 * The examples of one pass over a store, in the order asked for. A batch is valid until the next one is asked for.
 *
 * @param omits which batches of the store to pass over, in orders that take batches as they lie.
 */
export function* passBatches(
  store: ExampleStore,
  order: Exclude<Order, 'auto'>,
  random: Random,
  omits: (chunk: number) => boolean = () => false,
): Generator<StoredBatch> {
  if (order === 'cyclic' || order === 'shuffled-once') {
    for (let c = 0; c < store.chunks; c++) if (!omits(c)) yield store.load(c);
    return;
  }
  if (order === 'shuffled') {
    const permutation = Uint32Array.from({ length: store.rows }, (_, i) => i);
    random.shuffle(permutation);
    for (let i = 0; i < store.rows; i += gathered) yield store.gather(permutation.subarray(i, i + gathered));
    return;
  }
  for (let i = 0; i < store.rows; i += gathered) {
    const draws = new Uint32Array(Math.min(gathered, store.rows - i));
    for (let k = 0; k < draws.length; k++) draws[k] = random.below(store.rows);
    yield store.gather(draws);
  }
}
