import type { Contradiction } from '../certificate.ts';
import { type Clock, within } from '../clock.ts';
import { contradictionAmong } from '../exact/contradiction.ts';
import { WholeExamples } from '../exact/separator.ts';
import type { ExactBatch } from '../exact/values.ts';
import { Frame } from './frame.ts';
import { LineSearch } from './line-search.ts';
import { maximumMargin } from './nearest-points.ts';
import { peel } from './one-sided.ts';
import { positive } from './pick.ts';
import { inAll, subsetOf } from './subset.ts';

/** Numbers of the most common features; a linear programme takes the examples that have no others. */
const mostCommon = [32, 128, 512, 1500];

/** Maximum number of examples in such a programme. */
const mostExamples = 20_000;

/** Time limit of such a programme, in seconds. */
const patience = 6;

/** Searches for a contradiction among the examples that have only the most common features. */
export async function commonFeatures(examples: ExactBatch, clock: Clock): Promise<Contradiction | null> {
  const { rows, dimension, offsets, indices } = examples;
  const counts = new Uint32Array(dimension);
  for (let at = 0; at < offsets[rows]!; at++) counts[indices[at]!]!++;
  const order = Array.from(counts, (_, j) => j).sort((a, b) => counts[b]! - counts[a]! || a - b);
  const rank = new Uint32Array(dimension);
  order.forEach((j, k) => {
    rank[j] = k;
  });
  let before = 0;
  for (const most of mostCommon) {
    const members: number[] = [];
    for (let i = 0; i < rows && members.length < mostExamples; i++) {
      let rarest = 0;
      for (let at = offsets[i]!; at < offsets[i + 1]!; at++) rarest = Math.max(rarest, rank[indices[at]!]!);
      if (rarest < most) members.push(i);
    }
    const { core } = peel(examples, members);
    if (core.length <= before) continue;
    before = core.length;
    if (clock.left() === 0) return null;
    clock.tell('programme', `a linear programme of ${core.length} examples with common features`);
    const subset = subsetOf(examples, core);
    const { contradiction } = await LineSearch.once(
      new Frame(subset.examples),
      new WholeExamples(subset.examples),
      new Uint32Array(core.length),
      within(patience, clock),
    );
    if (contradiction !== null) return inAll(contradiction, subset);
  }
  return null;
}

/** Returns the positions of the examples whose weights have grown, the largest growth first. */
export function growing(alpha: Float64Array, before: Float64Array): number[] {
  const growth = positive(alpha.map((each, i) => each - before[i]!));
  return [...growth.keys()].sort((a, b) => growth.get(b)! - growth.get(a)! || a - b);
}

/** Maximum number of examples of a contradiction: the time for the exact solution grows with the cube. */
const mostSupport = 600;

/** Maximum number of examples that are searched together. */
const mostTogether = 6000;

/** Time limit of one search for a nearest point, in seconds. */
const searching = 8;

/** A point whose length is below this share of the radius may be the origin. */
const nearZero = 1e-9;

/**
 * Returns a contradiction of some examples. Computes the point of the hull of yᵢ(xᵢ, c) that is nearest to the origin
 * (Wolfe 1976). If it is 0, the affinely independent examples that it consists of are solved in exact arithmetic.
 *
 * @param members positions of examples.
 */
export async function contradictionOf(
  frame: Frame,
  members: readonly number[],
  clock: Clock,
): Promise<Contradiction | null> {
  const { core } = peel(frame.examples, members);
  if (core.length < 2 || core.length > mostTogether) return null;
  const { examples } = subsetOf(frame.examples, core, frame.factors);
  const squares = examples.values.reduce((sum, value) => sum + value * value, 0);
  const { nearest, upper } = await maximumMargin(examples, searching, clock, {
    bias: 'absorbed',
    biasConstant: Math.sqrt(squares / examples.rows) || 1,
    gap: 1e-6,
    support: mostSupport,
  });
  if (upper > nearZero * Math.sqrt(squares) || nearest.examples.length > mostSupport + 64) return null;
  return contradictionAmong(
    frame.examples,
    Array.from(nearest.examples, (at) => core[at]!),
    clock,
  );
}
