import { CountedSplit } from '../data/split.ts';
import { HalfspaceError } from '../errors.ts';
import { Random } from '../random.ts';
import { listed } from '../table/listed.ts';

/** Share of the examples of every class that early stopping holds out. */
const share = 0.1;

/** Random stream for the draw of shard 0; shard k uses the (2k)-th after it, the others are for `holdout`. */
const firstStream = 2;

/**
 * Returns the number of examples of each class that early stopping holds out: a tenth, rounded, at least one of two or
 * more, and never all.
 *
 * @param examples number of examples of each class.
 * @throws HalfspaceError `option-invalid` if that is none.
 */
export function stoppingCounts(classes: readonly string[], examples: readonly number[], source?: string): number[] {
  const counts = examples.map((all) => (all < 2 ? 0 : Math.max(1, Math.round(all * share))));
  if (counts.some((count) => count > 0)) return counts;
  const rows = classes.map((name, k) => `${name} (${examples[k]})`);
  throw new HalfspaceError(
    'option-invalid',
    `patience must hold out a row of a class that has two or more; got a single row of each class: ${listed(rows, 8)}: leave patience out, or give more rows`,
    source === undefined ? {} : { source },
  );
}

/**
 * Draws the examples that early stopping holds out.
 *
 * @param classes for each class, the negative one first: its number of examples, and that of those to hold out.
 * @param shard number of the shard; 0 on one machine.
 */
export function stoppingSplit(
  classes: readonly (readonly [examples: number, held: number])[],
  seed: number,
  shard = 0,
): CountedSplit {
  const labelOf = (k: number) => (classes.length > 2 ? k : 2 * k - 1);
  const counts = classes.map(([examples, held], k) => [labelOf(k), examples, held] as const);
  return new CountedSplit(counts, new Random(seed, firstStream + 2 * shard));
}
