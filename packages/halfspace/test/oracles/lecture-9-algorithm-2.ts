import type { Example, Inner, Outcome, Update } from './oracle.ts';

/** Lecture 9: sgn "returns 1 if x is positive or 0, and −1 if negative". */
function sgn(a: number): number {
  if (a >= 0) return 1;
  return -1;
}

/**
 * Lecture 9, algorithm 2, with sgn(wᵀxᵢ) where it prints sgn(yᵢ·wᵀxᵢ).
 *
 *     w₀ = 0
 *     for t = 0 … maxIter:
 *       i = random{1, …, n}
 *       w ← w + ½·(yᵢ − sgn(wᵀxᵢ))·xᵢ
 *
 * There is no branch: the step is 0·x for an example on its side. Only the counting below asks which it was.
 */
export function* lecture9Algorithm2(
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
    const factor = 0.5 * (y - sgn(inner(w, x)));
    const next: number[] = [];
    for (let j = 0; j <= d; j++) next.push(w[j]! + factor * x[j]!);
    w = next;
    unchanged++;
    if (factor !== 0) {
      unchanged = 0;
      updatesPerPass[pass]!++;
      yield { pass, example: i, weights: w.slice(1), bias: w[0]! };
    }
  }
  return { weights: w.slice(1), bias: w[0]!, updatesPerPass };
}
