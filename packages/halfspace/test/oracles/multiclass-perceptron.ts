import type { Inner } from './oracle.ts';

/** An example of one of several classes. */
export interface Labelled {
  /** The features, without the constant. */
  readonly x: readonly number[];
  /** Its class, from 0. */
  readonly y: number;
}

/** The step of a two-class rule at an example of class +1: score a, squared length n, importance h; null: no update. */
export type Step = (a: number, n: number, h: number) => number | null;

/** W after an example, as one weight vector for each class. */
export interface Blocks {
  readonly updates: number;
  /** Block k of W without its last component. */
  readonly weights: readonly (readonly number[])[];
  /** The last components: those of the constant. */
  readonly biases: readonly number[];
  /** The number of examples so far that were misclassified before the update. */
  readonly mistakes: number;
}

/**
 * Kesler's construction with vectors written out: K blocks of d + 1 components, the last of each for the constant 1.
 *
 *     W = 0
 *     for (x, y) in turn:
 *       r = the class other than y, of those that compete, with the highest W·(x at block r)
 *       z = (x, 1) at block y, −(x, 1) at block r, 0 elsewhere
 *       apply the rule of two classes to the example (z, +1):  W = W + τ·z
 *
 * Classes compete from the start (`known`), or from their first example of importance above 0. Yields after every example.
 */
export function* kesler(
  data: readonly Labelled[],
  {
    classes,
    known,
    inner,
    step,
    importance,
    passes,
  }: {
    classes: number;
    known: boolean;
    inner: Inner;
    step: Step;
    importance: readonly number[];
    passes: number;
  },
): Generator<Blocks, void> {
  const d = data[0]!.x.length;
  const size = d + 1;
  let W: number[] = new Array(classes * size).fill(0);
  const competes: boolean[] = new Array(classes).fill(known);
  const block = (vector: readonly number[], k: number) => vector.slice(k * size, (k + 1) * size);
  // Block by block, in each the constant last, as the header of the rule sums.
  const blockwise = (a: readonly number[], b: readonly number[], k: number) => {
    const [u, v] = [block(a, k), block(b, k)];
    return inner(u.slice(0, d), v.slice(0, d)) + u[d]! * v[d]!;
  };
  const at = (k: number, x: readonly number[], sign: number) => {
    const z: number[] = new Array(classes * size).fill(0);
    [...x, 1].forEach((value, j) => {
      z[k * size + j] = sign * value;
    });
    return z;
  };
  let updates = 0;
  let mistakes = 0;
  for (let pass = 0; pass < passes; pass++)
    for (const [i, { x, y }] of data.entries()) {
      const h = importance[i]!;
      if (h > 0) competes[y] = true;
      const scores = competes.map((there, k) => (there || k === y ? blockwise(W, at(k, x, 1), k) : -Infinity));
      let r = -1;
      for (let k = 0; k < classes; k++) {
        if (k === y || !competes[k]) continue;
        if (r === -1 || scores[k]! > scores[r]!) r = k;
      }
      if (r !== -1) {
        if (scores.indexOf(Math.max(...scores)) !== y) mistakes++;
        const z = at(y, x, 1);
        at(r, x, -1).forEach((value, j) => {
          if (value !== 0) z[j] = value;
        });
        const a = blockwise(W, z, y) + blockwise(W, z, r);
        const n = blockwise(z, z, y) + blockwise(z, z, r);
        const tau = h > 0 ? step(a, n, h) : null;
        if (tau !== null) {
          W = W.map((weight, j) => weight + tau * z[j]!);
          updates++;
        }
      }
      yield {
        updates,
        mistakes,
        weights: Array.from({ length: classes }, (_, k) => block(W, k).slice(0, d)),
        biases: Array.from({ length: classes }, (_, k) => W[k * size + d]!),
      };
    }
}
