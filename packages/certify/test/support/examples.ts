import fc from 'fast-check';
import { denseBatch, type SparseBatch } from 'halfspace/rules';
import { arraySource } from 'halfspace/runs';
import { type CheckResult, check } from '../../src/check.ts';
import { type Clock, clockUntil } from '../../src/clock.ts';
import { signedColumns } from '../../src/exact/contradiction.ts';
import { decideExactly } from '../../src/exact/linear-programme.ts';
import type { ExactBatch } from '../../src/exact/values.ts';
import { gather } from '../../src/gather.ts';
import { canonicalRows } from '../../src/rows.ts';

/** A clock without a limit. */
export const endless: Clock = clockUntil(Infinity, {});

/** Examples as `certify` takes them. */
export async function examplesOf(
  rows: readonly (readonly number[])[],
  labels: readonly number[],
): Promise<SparseBatch> {
  return (await gather(arraySource(denseBatch(rows, labels), ['-1', '1']))).examples;
}

/** Checks a certificate against examples, as canonical rows. */
export function checkFor(certificate: unknown, examples: ExactBatch): Promise<CheckResult> {
  return check(certificate, canonicalRows(examples));
}

export interface Labelled {
  readonly rows: number[][];
  readonly labels: number[];
}

/** At least one example of each class, in one to four features, whose numbers `value` gives. */
export function labelled(value: fc.Arbitrary<number>, most = 12): fc.Arbitrary<Labelled> {
  return fc
    .integer({ min: 1, max: 4 })
    .chain((dimension) =>
      fc.array(fc.tuple(fc.array(value, { minLength: dimension, maxLength: dimension }), fc.constantFrom(-1, 1)), {
        minLength: 2,
        maxLength: most,
      }),
    )
    .map((drawn) => ({
      rows: drawn.map(([row]) => row),
      labels: drawn.map(([, label], i) => (i === 0 ? -1 : i === 1 ? 1 : label)),
    }));
}

/**
 * Examples within about `width` of a random line through the origin, on the side that their label says or, for 0, on
 * the line.
 */
export const nearlyDegenerate: fc.Arbitrary<Labelled> = fc
  .tuple(
    labelled(fc.double({ min: -1, max: 1, noNaN: true }), 20),
    fc.array(fc.double({ min: 0.1, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }),
    fc.constantFrom(0, 1e-15, 1e-12, 1e-9),
  )
  .map(([{ rows, labels }, w, width]) => ({
    labels,
    rows: rows.map((row, i) => {
      const norm = row.reduce((sum, _, j) => sum + w[j]! ** 2, 0);
      const score = row.reduce((sum, x, j) => sum + w[j]! * x, 0);
      return row.map((x, j) => x + ((labels[i]! * width - score) * w[j]!) / norm);
    }),
  }));

/**
 * Returns the fewest rows without which a line separates the others: all subsets are tried.
 *
 * @param must true if the last row must stay.
 */
export async function fewest(examples: ExactBatch, must = false): Promise<number> {
  const all = Array.from({ length: examples.rows }, (_, i) => i);
  let least = examples.rows;
  for (let set = 0; set < 2 ** (must ? examples.rows - 1 : examples.rows); set++) {
    const kept = all.filter((i) => ((set >> i) & 1) === 0);
    if (examples.rows - kept.length >= least) continue;
    if (kept.length === 0 || (await decide(examples, kept)) !== null) least = examples.rows - kept.length;
  }
  return least;
}

/** Returns a separator of some rows, by the exact simplex method over all of them at once. */
async function decide(examples: ExactBatch, rows: readonly number[]) {
  const columns = signedColumns(examples, rows).columns.map((column) =>
    Array.from({ length: examples.dimension + 1 }, (_, j) => column.get(j) ?? 0n),
  );
  return (await decideExactly(columns, endless))!.separator;
}

/** Decides by the exact simplex method over all examples at once: slow, without floating point. */
export async function isSeparable({ rows, labels }: Labelled): Promise<boolean> {
  const examples = await examplesOf(rows, labels);
  return (await decide(examples, [...rows.keys()])) !== null;
}

/** Returns the fewest errors of all ways to split points on a line by a threshold, or by none. */
export function fewestOfThresholds({ rows, labels }: Labelled): number {
  const cuts = [-Infinity, ...rows.map(([x]) => x! + 0.5), ...rows.map(([x]) => x! - 0.5)];
  const wrong = (cut: number, side: number) => rows.filter(([x], i) => (x! > cut ? side : -side) !== labels[i]).length;
  return Math.min(...cuts.flatMap((cut) => [wrong(cut, 1), wrong(cut, -1)]));
}
