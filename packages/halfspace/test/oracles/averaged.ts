import type { Example, Inner } from './oracle.ts';

/** The mean of all weights so far, and the largest size that each component ever had (the error bounds need it). */
export interface Mean {
  readonly pass: number;
  readonly updates: number;
  readonly steps: number;
  readonly weights: readonly number[];
  readonly bias: number;
  readonly largest: readonly number[];
}

/**
 * The averaged perceptron as Freund and Schapire define it: w̄ = (1/T) Σₜ wₜ over all time steps, with wₜ the weights
 * after example t, changed or not. Yields after every example.
 */
export function* averaged(
  data: readonly Example[],
  { inner, passes }: { inner: Inner; passes: number },
): Generator<Mean, void> {
  const d = data[0]!.x.length;
  const w: number[] = [];
  const sum: number[] = [];
  const largest: number[] = [];
  for (let j = 0; j <= d; j++) {
    w.push(0);
    sum.push(0);
    largest.push(0);
  }
  let steps = 0;
  let updates = 0;
  for (let pass = 0; pass < passes; pass++) {
    for (const { x, y } of data) {
      if (y * (inner(w.slice(1), x) + w[0]!) <= 0) {
        w[0]! += y;
        for (let j = 0; j < d; j++) w[j + 1]! += y * x[j]!;
        updates++;
      }
      steps++;
      const mean: number[] = [];
      for (let j = 0; j <= d; j++) {
        sum[j]! += w[j]!;
        if (Math.abs(w[j]!) > largest[j]!) largest[j] = Math.abs(w[j]!);
        mean.push(sum[j]! / steps);
      }
      yield { pass, updates, steps, weights: mean.slice(1), bias: mean[0]!, largest: largest.slice() };
    }
  }
}
