import type { Example } from './oracle.ts';

export interface Mistake {
  /** Number of the example. */
  readonly example: number;
  readonly x: readonly number[];
  readonly alpha: number;
  /** Examples that the vector survived which this mistake made. */
  c: number;
}

export type MercerKernel = (x: readonly number[], z: readonly number[]) => number;

/** Σ α K(x', x) over the mistakes, in their order. */
export function dualScore(mistakes: readonly Mistake[], x: readonly number[], kernel: MercerKernel): number {
  let sum = 0;
  for (const mistake of mistakes) sum += mistake.alpha * kernel(mistake.x, x);
  return sum;
}

/**
 * The perceptron in dual form, in plain loops: stores only the mistakes, each as often as it was made. Yields after
 * every example. `drop(k)` chooses the stored mistake to remove at the k-th mistake beyond the budget.
 */
export function* kernelPerceptron(
  data: readonly Example[],
  {
    kernel,
    epochs,
    budget = Infinity,
    drop = () => 0,
  }: { kernel: MercerKernel; epochs: number; budget?: number; drop?: (k: number) => number },
): Generator<readonly Mistake[], void> {
  let mistakes: Mistake[] = [];
  let made = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const [example, { x, y }] of data.entries()) {
      if (y * dualScore(mistakes, x, kernel) > 0) {
        if (mistakes.length > 0) mistakes.at(-1)!.c++;
      } else {
        made++;
        if (mistakes.length >= budget) {
          const dropped = drop(made);
          mistakes = mistakes.filter((_, k) => k !== dropped);
        }
        mistakes.push({ example, x, alpha: y, c: 1 });
      }
      yield mistakes;
    }
  }
}

/** Scores by every vector of the list, each summed anew. */
export function dualPredictions(mistakes: readonly Mistake[], x: readonly number[], kernel: MercerKernel) {
  let [sum, votes, time] = [0, 0, 0];
  mistakes.forEach(({ c }, k) => {
    const s = dualScore(mistakes.slice(0, k + 1), x, kernel);
    sum += c * s;
    votes += c * Math.sign(s);
    time += c;
  });
  return { last: dualScore(mistakes, x, kernel), averaged: sum / time, voted: votes / time };
}
