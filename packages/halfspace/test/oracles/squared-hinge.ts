import type { Arithmetic } from '../support/arithmetic.ts';
import type { Example } from './oracle.ts';

/**
 * Stochastic gradient steps on max(0, 1 − m)², m = y(w·x), at a constant rate η and without a penalty, the constant feature 1 being the last
 * of x:
 *
 *     for t = 1, 2, …
 *       ℓ = max{0, 1 − y(w·x)};   w = w + 2η·ℓ·y·x
 *
 * Sums run from left to right. Returns w.
 */
export function squaredHinge<T>(
  data: readonly Example[],
  { of, add, minus, times, less, double }: Arithmetic<T>,
  { passes, rate }: { passes: number; rate: number },
): number[] {
  let w = [...data[0]!.x, 1].map(() => of(0));
  for (let pass = 0; pass < passes; pass++)
    for (const { x: features, y } of data) {
      const x = [...features, 1].map(of);
      const m = times(
        of(y),
        w.reduce((sum, weight, j) => add(sum, times(weight, x[j]!)), of(0)),
      );
      const loss = minus(of(1), m);
      if (!less(of(0), loss)) continue;
      const step = times(times(of(2 * rate), loss), of(y));
      w = w.map((weight, j) => add(weight, times(step, x[j]!)));
    }
  return w.map(double);
}
