import type { Example, Inner, Outcome, Update } from './oracle.ts';

/** The largest norm of (1, x). */
export function longest(data: readonly Example[], inner: Inner): number {
  let largest = 0;
  for (const { x } of data) {
    const squared = inner([1, ...x], [1, ...x]);
    if (squared > largest) largest = squared;
  }
  return Math.sqrt(largest);
}

/** (1, x) / divisor. */
export function divided(data: readonly Example[], divisor: number): { vectors: number[][]; divisor: number } {
  const vectors: number[][] = [];
  for (const { x } of data) {
    const scaled: number[] = [1 / divisor];
    for (let j = 0; j < x.length; j++) scaled.push(x[j]! / divisor);
    vectors.push(scaled);
  }
  return { vectors, divisor };
}

/** "Rescale each data point … such that all inputs live within the unit sphere": (1, x) / max(1, largest norm). */
export function intoUnitBall(data: readonly Example[], inner: Inner): { vectors: number[][]; divisor: number } {
  return divided(data, Math.max(1, longest(data, inner)));
}

/**
 * CS 4/5780.
 *
 *     w = 0
 *     while true:
 *       m = 0
 *       for (x, y) in D:
 *         if y·(wᵀx) ≤ 0:  w ← w + y·x;  m ← m + 1
 *       if m = 0: break
 *
 * The constant dimension is inside x, and everything inside the unit ball.
 */
export function* cs4780(
  data: readonly Example[],
  { inner, maxPasses }: { inner: Inner; maxPasses: number },
): Generator<Update, Outcome> {
  const { vectors } = intoUnitBall(data, inner);
  let w: number[] = [];
  for (let j = 0; j < vectors[0]!.length; j++) w.push(0);
  const updatesPerPass: number[] = [];
  for (let pass = 0; pass < maxPasses; pass++) {
    let m = 0;
    for (let i = 0; i < data.length; i++) {
      const x = vectors[i]!;
      const { y } = data[i]!;
      if (y * inner(w, x) <= 0) {
        const next: number[] = [];
        for (let j = 0; j < x.length; j++) next.push(w[j]! + y * x[j]!);
        w = next;
        m++;
        yield { pass, example: i, weights: w.slice(1), bias: w[0]! };
      }
    }
    updatesPerPass.push(m);
    if (m === 0) break;
  }
  return { weights: w.slice(1), bias: w[0]!, updatesPerPass };
}
