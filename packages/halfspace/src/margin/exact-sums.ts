import type { ExampleStore } from '../data/store.ts';
import { BatchView } from '../kernels/batch-view.ts';

/**
 * Tests if every sum of up to `summands` stored examples is exact: all values are multiples of one power of two,
 * and every sum fits into 53 bits.
 *
 * @param constant value of the constant feature, which is summed too; 0: none.
 */
export function sumsAreExact(store: ExampleStore, constant: number, summands: number): boolean {
  let grid = 1;
  let largest = 0;
  const fits = (value: number): boolean => {
    while (grid > 2 ** -52 && !Number.isInteger(value / grid)) grid /= 2;
    largest = Math.max(largest, Math.abs(value));
    return (summands * largest) / grid <= 2 ** 53 && Number.isInteger(value / grid);
  };
  if (!fits(constant)) return false;
  for (let c = 0; c < store.chunks; c++) {
    const batch = store.load(c);
    const row = new BatchView(batch);
    for (let i = 0; i < batch.rows; i++) {
      row.open(i);
      for (let k = 0; k < row.count; k++) if (!fits(row.value(k))) return false;
    }
  }
  return true;
}
