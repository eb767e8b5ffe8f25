import type { StoredBatch } from '../batch.ts';
import { selectRows } from '../data/split.ts';
import { Random } from '../random.ts';

/** Random stream of the numbers that decide how often an example is drawn. */
const bootstrapStream = 80;

/** e⁻¹. */
const never = 0.36787944117144233;

/** Returns a Poisson number of mean 1. @param uniform in [0, 1). */
export function poisson(uniform: number): number {
  let count = 0;
  let share = never;
  let below = share;
  // From the 19th on, the shares no longer change the sum.
  while (uniform >= below && count < 19) {
    count++;
    share /= count;
    below += share;
  }
  return count;
}

/**
 * Yields a bootstrap sample of examples: each a Poisson number of times, of mean 1, in the order of the batches.
 * Equal seeds give equal samples. Takes memory for one batch, because each example is drawn by itself.
 *
 * The copies are rows, not importance: a mistake-driven rule updates by an example of importance 2 in one large step,
 * which gives longer weights than two visits.
 *
 * @see Oza & Russell (2001), Online bagging and boosting; Chamandy, Muralidharan, Najmi & Naidu (2012), Estimating
 *   uncertainty for massive data streams: with many examples it is the bootstrap that draws n of n with replacement.
 */
export function* resampled(batches: Iterable<StoredBatch>, seed: number): Generator<StoredBatch> {
  const random = new Random(seed, bootstrapStream);
  for (const batch of batches) {
    const drawn: number[] = [];
    for (let i = 0; i < batch.rows; i++)
      for (let copies = poisson(random.uniform()); copies > 0; copies--) drawn.push(i);
    if (drawn.length > 0) yield selectRows(batch, drawn);
  }
}

/**
 * Returns the value below which a share of the values lie, interpolated between neighbours.
 *
 * @param sorted rising, not empty.
 * @param share in [0, 1].
 * @see Hyndman & Fan (1996), Sample quantiles in statistical packages, definition 7.
 */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const at = (sorted.length - 1) * share;
  const below = Math.floor(at);
  const [a, b] = [sorted[below]!, sorted[Math.min(below + 1, sorted.length - 1)]!];
  return a + (b - a) * (at - below);
}
