import type { Contradiction, ErrorsProof } from '../certificate.ts';
import type { Clock } from '../clock.ts';
import type { WholeExamples } from '../exact/separator.ts';
import { fewErrors, fewerErrors } from './few-errors.ts';
import type { Frame } from './frame.ts';
import { loadHighs } from './hull-programme.ts';
import { mostFeatures } from './large.ts';
import { LineSearch } from './line-search.ts';
import { type Packing, packContradictions } from './packing.ts';

/**
 * Proves bounds on the fewest errors of any line (the minimum 0–1 loss). Every line errs in every contradiction, so the
 * number of disjoint contradictions is a lower bound. The errors of any one line are an upper bound (few-errors.ts).
 *
 * The examples that this line classifies correctly contain no contradiction. Each misclassified example is therefore
 * tried with those alone, so that no contradiction uses two misclassified examples. Then the remaining examples are
 * searched together. With many features only the known contradictions count. Then overlapping contradictions are priced
 * (packing.ts), which bounds the errors more closely. If the bounds still differ, better lines are searched at last.
 *
 * @param known disjoint contradictions that are already known; none if there is an interior contradiction.
 */
export async function fewestErrors(
  frame: Frame,
  whole: WholeExamples,
  known: readonly Contradiction[],
  clock: Clock,
): Promise<{ contradictions: readonly Contradiction[]; errors: ErrorsProof }> {
  clock.tell('errors', 'looking for a line of few errors');
  const best = await fewErrors(frame, whole, Math.max(1, known.length), clock);
  const contradictions = [...known];
  if (frame.used > mostFeatures) return { contradictions, errors: boundsOf(contradictions, best) };
  const search = await LineSearch.open(frame, whole, new Uint32Array(frame.examples.rows));
  const take = (contradiction: Contradiction) => {
    contradictions.push(contradiction);
    search.exclude(contradiction.rows.map((row) => row - 1));
    clock.tell('errors', `every line errs on ${contradictions.length} to ${best.errors} examples`);
  };
  try {
    const used = new Set(known.flatMap(({ rows }) => rows.map((row) => row - 1)));
    search.exclude([...used]);
    const wrong = best.wrong.filter((i) => !used.has(i));
    search.exclude(wrong);
    const left: number[] = [];
    for (const i of wrong) {
      if (clock.left() === 0) break;
      search.admit([i]);
      const { contradiction } = await search.run(clock);
      if (contradiction !== null) take(contradiction);
      else {
        search.exclude([i]);
        left.push(i);
      }
    }
    search.admit(left);
    while (left.length > 0 && contradictions.length < best.errors && clock.left() > 0) {
      const { contradiction } = await search.run(clock);
      if (contradiction === null) break;
      take(contradiction);
    }
  } finally {
    search.dispose();
  }
  if (contradictions.length >= best.errors || clock.left() === 0)
    return { contradictions, errors: boundsOf(contradictions, best) };
  const packing = await packContradictions(await loadHighs(), frame, contradictions, best.wrong, best.errors, clock);
  const enough = Math.max(packing?.atLeast ?? 0, contradictions.length);
  const last = await fewerErrors(frame, whole, best, enough, clock);
  return packing === null || packing.atLeast <= contradictions.length
    ? { contradictions, errors: boundsOf(contradictions, last) }
    : { contradictions: packing.contradictions, errors: boundsOf(packing.contradictions, last, packing) };
}

function boundsOf(
  contradictions: readonly Contradiction[],
  { errors, weights, bias }: { errors: number; weights: readonly bigint[]; bias: bigint },
  { atLeast, prices, unit }: Omit<Packing, 'contradictions'> = {
    atLeast: Math.max(1, contradictions.length),
    prices: contradictions.map(() => 1n),
    unit: 1n,
  },
): ErrorsProof {
  return {
    atLeast,
    atMost: errors,
    prices: prices.map(String),
    unit: String(unit),
    weights: weights.map(String),
    bias: String(bias),
  };
}
