import type { Example, Inner, Outcome, Update } from './oracle.ts';

interface Lecture9Options {
  readonly draw: () => number;
  readonly quiet: number;
  readonly maxIter: number;
  readonly inner: Inner;
}

/** Lecture 9: sgn "returns 1 if x is positive or 0, and −1 if negative". */
function sgn(a: number): number {
  if (a >= 0) return 1;
  return -1;
}

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
export const lecture9 = (data: readonly Example[], options: Lecture9Options): Generator<Update, Outcome> =>
  learned(data, options, (y, a) => (y * a <= 0 ? y : 0));

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
export const lecture9Algorithm2 = (data: readonly Example[], options: Lecture9Options): Generator<Update, Outcome> =>
  learned(data, options, (y, a) => 0.5 * (y - sgn(a)));

/** The loop of both. @param factorOf the factor of x in a step, from the label and the score. */
function* learned(
  data: readonly Example[],
  { draw, quiet, maxIter, inner }: Lecture9Options,
  factorOf: (y: number, a: number) => number,
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
    const x = [1, ...data[i]!.x];
    const factor = factorOf(data[i]!.y, inner(w, x));
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
