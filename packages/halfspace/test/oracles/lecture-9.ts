import type { Example, Inner, Outcome, Update } from './oracle.ts';

/**
 * Lecture 9, algorithm 1.
 *
 *     w₀ = 0
 *     for t = 0 … maxIter:
 *       i = random{1, …, n}
 *       if yᵢ·wᵀxᵢ ≤ 0:  w ← w + yᵢ·xᵢ
 *
 * x has a 1 as its 0th component. Step 4 of the text ends the loop when w has not changed for a fixed number of draws.
 */
export function* lecture9(
  data: readonly Example[],
  { draw, quiet, maxIter, inner }: { draw: () => number; quiet: number; maxIter: number; inner: Inner },
): Generator<Update, Outcome> {
  const n = data.length;
  const d = data[0]!.x.length;
  let w: number[] = [];
  for (let j = 0; j <= d; j++) w.push(0);
  const updatesPerPass: number[] = [];
  let unchanged = 0;
  for (let t = 0; t < maxIter && unchanged < quiet; t++) {
    const pass = Math.floor(t / n);
    if (t % n === 0) updatesPerPass.push(0);
    const i = draw();
    const { y } = data[i]!;
    const x = [1, ...data[i]!.x];
    unchanged++;
    if (y * inner(w, x) <= 0) {
      const next: number[] = [];
      for (let j = 0; j <= d; j++) next.push(w[j]! + y * x[j]!);
      w = next;
      unchanged = 0;
      updatesPerPass[pass]!++;
      yield { pass, example: i, weights: w.slice(1), bias: w[0]! };
    }
  }
  return { weights: w.slice(1), bias: w[0]!, updatesPerPass };
}
