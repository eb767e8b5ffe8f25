import type { Example, Inner } from './oracle.ts';

/** A vector that the perceptron had, the constant's weight first, and the number of examples that it survived. */
export interface Vector {
  readonly v: readonly number[];
  c: number;
}

/**
 * Freund and Schapire's figure 1, with y(v·x) ≤ 0 for a mistake; keeps all vectors. Yields the whole list, v₀ = 0
 * first, after every example.
 */
export function* voted(
  data: readonly Example[],
  { inner, epochs }: { inner: Inner; epochs: number },
): Generator<readonly Vector[], void> {
  const vectors: Vector[] = [{ v: [0, ...data[0]!.x.map(() => 0)], c: 0 }];
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const { x, y } of data) {
      const last = vectors.at(-1)!;
      if (y * inner(last.v, [1, ...x]) > 0) last.c++;
      else vectors.push({ v: last.v.map((weight, j) => weight + y * [1, ...x][j]!), c: 1 });
      yield vectors;
    }
  }
}

/** The paper's predictions, of which the votes are divided by their number; each vector scores x by itself. */
export function predictions(vectors: readonly Vector[], x: readonly number[], inner: Inner) {
  let [sum, votes, time] = [0, 0, 0];
  for (const { v, c } of vectors) {
    const s = inner(v, [1, ...x]);
    sum += c * s;
    votes += c * Math.sign(s);
    time += c;
  }
  return { last: inner(vectors.at(-1)!.v, [1, ...x]), averaged: sum / time, voted: votes / time };
}
