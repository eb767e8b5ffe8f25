import type { Example, Inner } from './oracle.ts';

/** The pocket just after an example. */
export interface PocketMoment {
  readonly weights: readonly number[];
  readonly bias: number;
}

/**
 * Gallant 1990, figure 3, the pocket algorithm with ratchet, letter by letter; but for the examples, which are taken in their turn, and for
 * num_ok_W, which is counted at the start instead of being 0. The constant feature is the last. `every` also compares after every π = π + y·x.
 *
 *     π = W = 0, run_π = run_W = 0
 *     for each example:
 *       if π is right about it:  run_π = run_π + 1
 *         if run_π > run_W:
 *           num_ok_π = importance of all examples that π gets right
 *           if num_ok_π > num_ok_W:  W = π, run_W = run_π, num_ok_W = num_ok_π
 *       otherwise:  π = π + y·x, run_π = 0
 *
 * Without the ratchet (figure 2): if run_π > run_W: W = π, run_W = run_π. An example of importance 0 is skipped. Yields after every example.
 */
export function* pocket(
  data: readonly Example[],
  {
    inner,
    passes,
    ratchet,
    importance,
    every,
  }: { inner: Inner; passes: number; ratchet: boolean; importance: readonly number[]; every: boolean },
): Generator<PocketMoment, void> {
  const score = (w: readonly number[], x: readonly number[]) => inner(w.slice(0, -1), x) + w.at(-1)!;
  // The class of score 0 is −1.
  const rightOf = (w: readonly number[]) =>
    data.reduce((sum, { x, y }, i) => sum + (score(w, x) > 0 === y > 0 ? importance[i]! : 0), 0);
  let pi = [...data[0]!.x.map(() => 0), 0];
  let w = pi;
  let right = rightOf(w);
  let [run, longest] = [0, 0];
  for (let pass = 0; pass < passes; pass++)
    for (const [i, { x, y }] of data.entries()) {
      const h = importance[i]!;
      if (h > 0 && y * score(pi, x) <= 0) {
        pi = pi.map((weight, j) => weight + h * y * (x[j] ?? 1));
        run = 0;
      } else if (h > 0) run++;
      if (every ? rightOf(pi) > right : run > longest && h > 0 && (!ratchet || rightOf(pi) > right)) {
        w = pi;
        longest = run;
        right = rightOf(pi);
      }
      yield { weights: w.slice(0, -1), bias: w.at(-1)! };
    }
}
