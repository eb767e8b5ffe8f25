import type { Example, Inner } from './oracle.ts';

/** The pocket just after an example. */
export interface PocketMoment {
  readonly weights: readonly number[];
  readonly bias: number;
  /** Importance that the pocket gets right of all; null without the ratchet. */
  readonly right: number | null;
}

/**
 * Gallant 1990, the pocket algorithm with ratchet, the examples in their turn and the constant feature last:
 *
 *     π = 0, run = 0; pocket W = π with run_W = 0
 *     for each example:
 *       if π is right about it:  run = run + 1
 *         if run > run_W and (without the ratchet, or π gets more of all examples right than W):  W = π, run_W = run
 *       otherwise:  π = π + y·x, run = 0
 *
 * An example of importance 0 is skipped. Yields after every example.
 */
export function* pocket(
  data: readonly Example[],
  {
    inner,
    passes,
    ratchet,
    importance,
  }: { inner: Inner; passes: number; ratchet: boolean; importance: readonly number[] },
): Generator<PocketMoment, void> {
  const score = (w: readonly number[], x: readonly number[]) => inner(w.slice(0, -1), x) + w.at(-1)!;
  // The class of score 0 is −1.
  const rightOf = (w: readonly number[]) =>
    data.reduce((sum, { x, y }, i) => sum + (score(w, x) > 0 === y > 0 ? importance[i]! : 0), 0);
  let pi = [...data[0]!.x.map(() => 0), 0];
  let w = pi;
  let [run, longest] = [0, 0];
  for (let pass = 0; pass < passes; pass++)
    for (const [i, { x, y }] of data.entries()) {
      const h = importance[i]!;
      if (h > 0 && y * score(pi, x) <= 0) {
        pi = pi.map((weight, j) => weight + h * y * (x[j] ?? 1));
        run = 0;
      } else if (h > 0) {
        run++;
        if (run > longest && (pi === w || !ratchet || rightOf(pi) > rightOf(w))) {
          w = pi;
          longest = run;
        }
      }
      yield { weights: w.slice(0, -1), bias: w.at(-1)!, right: ratchet ? rightOf(w) : null };
    }
}
