import { arraySource, trainOnce } from 'halfspace/internal';
import type { SparseBatch } from 'halfspace/rules';
import type { Contradiction, ErrorsProof } from '../certificate.ts';
import type { Clock } from '../clock.ts';
import { fewestWrong, type WholeExamples, wholeWeights } from '../exact/separator.ts';
import { linesOfFewErrors } from './few-errors-line.ts';
import type { Frame } from './frame.ts';
import { loadHighs } from './hull-programme.ts';
import { mostFeatures } from './large.ts';
import { LineSearch } from './line-search.ts';
import { type Packing, packContradictions } from './packing.ts';

/**
 * Proves bounds on the fewest errors of any line (the minimum 0–1 loss). Every line errs in every contradiction, so the
 * number of disjoint contradictions is a lower bound. The errors of any one line are an upper bound; it is the best
 * line of the pocket algorithm (Gallant 1990) and, for small data, of some linear programmes.
 *
 * The examples that this line classifies correctly contain no contradiction. Each misclassified example is therefore
 * tried with those alone, so that no contradiction uses two misclassified examples. Then the remaining examples are
 * searched together. With many features only the known contradictions count. At last, overlapping contradictions are
 * priced (packing.ts), which bounds the errors more closely.
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
  const best = await fewErrors(frame, whole, clock);
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
  return packing === null || packing.atLeast <= contradictions.length
    ? { contradictions, errors: boundsOf(contradictions, best) }
    : { contradictions: packing.contradictions, errors: boundsOf(packing.contradictions, best, packing) };
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

async function fewErrors(frame: Frame, whole: WholeExamples, clock: Clock) {
  const lines = [await pocketLine(frame, clock), ...(await linesOfFewErrors(await loadHighs(), frame, clock))];
  // A line with all examples on one side can be the best.
  const oneSided = Float64Array.from({ length: frame.examples.dimension }, (_, j) => (j === 0 ? 1 : 0));
  let best = fewestWrong(whole, wholeWeights(frame.factors, oneSided, 28)!);
  for (const line of lines) {
    const weights = line && wholeWeights(frame.factors, line, 28);
    if (weights === null || !(await clock.breathe())) continue;
    const other = fewestWrong(whole, weights);
    if (other.errors < best.errors) best = other;
  }
  return best;
}

/** Returns the weights of a line with few errors; null if time runs out. */
async function pocketLine(frame: Frame, clock: Clock): Promise<Float64Array | null> {
  const over = new AbortController();
  try {
    const { model } = await trainOnce(arraySource(scaledExamples(frame), ['-1', '1']), {
      rule: 'pocket',
      passes: 50,
      seed: 1,
      signal: over.signal,
      onProgress() {
        if (clock.left() === 0) over.abort();
      },
    });
    return model.kind === 'linear' ? model.weights : null;
  } catch (error) {
    if (!over.signal.aborted) throw error;
    return null;
  }
}

/** Returns the examples with scaled features: a perceptron learns sooner from columns of the same size. */
function scaledExamples({ examples, factors }: Frame): SparseBatch {
  return { ...examples, values: examples.values.map((value, at) => value * factors[examples.indices[at]!]!) };
}
