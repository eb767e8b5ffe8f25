import { arraySource, findMaximumMargin } from 'halfspace';
import type { Clock } from './clock.ts';
import type { Frame } from './frame.ts';
import type { Widest } from './widest.ts';

/**
 * The line of largest margin half-way between the nearest points of the hulls of the classes (Wolfe 1976; `findMaximumMargin`), in the
 * data's own units: where columns are of very unlike size it has the digits that a programme in scaled columns lacks.
 *
 * @param seconds after which it ends, with what it has.
 */
export async function nearestPoints(frame: Frame, seconds: number, clock: Clock): Promise<Widest> {
  const controller = new AbortController();
  const end = performance.now() + 1000 * seconds;
  const { weights, nearest } = await findMaximumMargin(arraySource(frame.examples, ['-1', '1']), {
    gap: 1e-12,
    signal: controller.signal,
    onProgress({ lower, upper }) {
      clock.tell('widening', `the widest margin is between ${lower.toPrecision(6)} and ${upper.toPrecision(6)}`);
      if (performance.now() > end || clock.left() === 0) controller.abort();
    },
  });
  return {
    u: weights.map((w, j) => w / frame.factors[j]!),
    lambda: new Map(Array.from(nearest.examples, (example, k) => [example, nearest.weights[k]!])),
  };
}
