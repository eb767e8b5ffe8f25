import { arraySource, findMaximumMargin, type SparseBatch } from 'halfspace';
import type { Contradiction } from '../certificate.ts';
import { contradictionAmong } from '../exact/contradiction.ts';
import { WholeExamples } from '../exact/separator.ts';
import type { Clock } from './clock.ts';
import { Frame } from './frame.ts';
import { peel } from './one-sided.ts';
import { Search } from './search.ts';
import { inAll, subsetOf } from './subset.ts';

/** Features, at most, of which a linear programme takes examples. */
const mostCommon = [32, 128, 512, 1500];

/** Examples that a look at common features takes at most. */
const mostExamples = 20_000;

/** The seconds that one such look may take. */
const patience = 6;

/**
 * A contradiction among the examples that have no other than the most common features; null where none was found.
 */
export async function commonFeatures(examples: SparseBatch, clock: Clock): Promise<Contradiction | null> {
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
    const search = await Search.open(
      new Frame(subset.examples),
      new WholeExamples(subset.examples),
      new Uint32Array(core.length),
    );
    const end = performance.now() + 1000 * patience;
    try {
      const own = { ...clock, left: () => Math.min(clock.left(), Math.max(0, (end - performance.now()) / 1000)) };
      const { contradiction } = await search.run(own);
      if (contradiction !== null) return inAll(contradiction, subset);
    } finally {
      search.dispose();
    }
  }
  return null;
}

/** Positions of the examples whose weights have grown, those that have grown most first. */
export function growing(alpha: Float64Array, before: Float64Array): number[] {
  const growth = alpha.map((each, i) => each - before[i]!);
  const grown: number[] = [];
  growth.forEach((each, i) => {
    if (each > 0) grown.push(i);
  });
  return grown.sort((a, b) => growth[b]! - growth[a]! || a - b);
}

/** Examples of a contradiction, at most: its exact solution takes their cube. */
const mostSupport = 600;

/** Examples that are looked at together, at most. */
const mostTogether = 6000;

/** The seconds that one search for a nearest point may take. */
const searching = 8;

/** Shorter than this, of the radius, a point may be the origin. */
const nearZero = 1e-9;

/**
 * The contradiction that some examples carry: the point of the hull of their yᵢ(xᵢ, c) nearest to the origin (Wolfe 1976), which is 0 where there
 * is one, and then the examples that it is made of, which are affinely independent, solved for in exact arithmetic.
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
  const controller = new AbortController();
  const end = performance.now() + 1000 * searching;
  const squares = examples.values.reduce((sum, value) => sum + value * value, 0);
  const { nearest, upper } = await findMaximumMargin(arraySource(examples, ['-1', '1']), {
    bias: 'absorbed',
    biasConstant: Math.sqrt(squares / examples.rows) || 1,
    gap: 1e-6,
    support: mostSupport,
    signal: controller.signal,
    onProgress() {
      if (performance.now() > end || clock.left() === 0) controller.abort();
    },
  });
  if (upper > nearZero * Math.sqrt(squares) || nearest.examples.length > mostSupport + 64) return null;
  return contradictionAmong(
    frame.examples,
    Array.from(nearest.examples, (at) => core[at]!),
  );
}
