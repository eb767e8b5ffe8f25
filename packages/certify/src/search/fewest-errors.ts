import type { Contradiction, ErrorsProof } from '../certificate.ts';
import { type Clock, within } from '../clock.ts';
import { fewestWrong, type WholeExamples } from '../exact/separator.ts';
import { searchCones } from './cones.ts';
import { fewErrors, fewerErrors } from './few-errors.ts';
import type { Frame } from './frame.ts';
import { loadHighs } from './hull-programme.ts';
import { mostFeatures } from './large.ts';
import { LineSearch } from './line-search.ts';
import { packContradictions } from './packing.ts';

/**
 * Maximum number of features for which cones have all the time. Each further one halves it, as it doubles the cones;
 * contradictions are packed in the rest.
 */
const fewFeatures = 4;

/** A proof that every line has so many errors. */
interface Lower extends Pick<ErrorsProof, 'atLeast' | 'prices' | 'unit' | 'cones'> {
  readonly contradictions: readonly Contradiction[];
}

/**
 * Proves bounds on the fewest errors of any line (the minimum 0–1 loss). The errors of any one line are an upper bound
 * (few-errors.ts). With few features, a search of all lines bounds the errors from below (cones.ts). Otherwise, every
 * line errs in every contradiction, so the number of disjoint contradictions is a lower bound.
 *
 * The examples that the best line classifies correctly contain no contradiction. Each misclassified example is
 * therefore tried with those alone, so that no contradiction uses two misclassified examples. Then the remaining
 * examples are searched together. With many features only the known contradictions count. Then overlapping
 * contradictions are priced (packing.ts), which bounds the errors more closely. If the bounds still differ, better
 * lines are searched at last.
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
  let best = await fewErrors(frame, whole, Math.max(1, known.length), clock);
  let lower = disjoint(known);
  const isEnough = () => lower.atLeast >= best.errors || clock.left() === 0;
  const cones = await searchCones(
    whole,
    best.errors,
    frame.used <= fewFeatures ? clock : within(clock.left() / 2 ** (frame.used - fewFeatures), clock),
    (weights) => {
      const found = fewestWrong(whole, weights);
      if (found.errors < best.errors) best = { ...found, near: best.near };
      return best.errors;
    },
  );
  if (cones !== null && cones.atLeast >= lower.atLeast)
    lower = { ...cones, prices: [], unit: '1', contradictions: known.slice(0, 1) };
  if (!isEnough() && frame.used <= mostFeatures) {
    const contradictions = await disjointContradictions(frame, whole, known, best, clock);
    if (contradictions.length > lower.atLeast) lower = disjoint(contradictions);
    if (!isEnough()) {
      const { wrong, errors } = best;
      const packing = await packContradictions(await loadHighs(), frame, contradictions, wrong, errors, clock);
      if (packing !== null && packing.atLeast > lower.atLeast)
        lower = { ...packing, prices: packing.prices.map(String), unit: String(packing.unit), cones: null };
    }
  }
  if (!isEnough()) best = await fewerErrors(frame, whole, best, lower.atLeast, clock);
  const { contradictions, atLeast, prices, unit, cones: proof } = lower;
  return {
    contradictions,
    errors: {
      ...{ atLeast, atMost: best.errors, prices, unit, cones: proof },
      weights: best.weights.map(String),
      bias: String(best.bias),
    },
  };
}

function disjoint(contradictions: readonly Contradiction[]): Lower {
  const prices = contradictions.map(() => '1');
  return { atLeast: Math.max(1, contradictions.length), prices, unit: '1', cones: null, contradictions };
}

/** Returns the known contradictions, and more that have no rows in common with them or with each other. */
async function disjointContradictions(
  frame: Frame,
  whole: WholeExamples,
  known: readonly Contradiction[],
  best: { readonly wrong: readonly number[]; readonly errors: number },
  clock: Clock,
): Promise<Contradiction[]> {
  const contradictions = [...known];
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
  return contradictions;
}
