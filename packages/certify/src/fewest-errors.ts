import { arraySource, type SparseBatch, train } from 'halfspace';
import type { Contradiction, ErrorsProof } from './certificate.ts';
import type { Clock } from './clock.ts';
import type { Frame } from './frame.ts';
import { Search } from './search.ts';
import { fewestWrong, type WholeExamples, wholeWeights } from './separator.ts';

/**
 * Bounds on the fewest errors of any line (the minimum 0–1 loss), both proved: every line errs in every contradiction, so as many as are
 * disjoint is a lower bound; and what one line errs on is an upper bound. That line is a pocket's (Gallant 1990): the weights, among
 * those a perceptron passes through, that are right on most examples.
 *
 * @param known disjoint contradictions to begin with.
 */
export async function fewestErrors(
  frame: Frame,
  whole: WholeExamples,
  known: readonly Contradiction[],
  clock: Clock,
): Promise<{ contradictions: readonly Contradiction[]; errors: ErrorsProof } | null> {
  clock.tell('errors', 'looking for a line of few errors');
  const { model } = await train(arraySource(scaledExamples(frame), ['-1', '1']), {
    rule: 'pocket',
    passes: 50,
    seed: 1,
  });
  if (model.kind !== 'linear') return null;
  const weights = wholeWeights(frame, model.weights, 28);
  if (weights === null) return null;
  const best = fewestWrong(whole, weights);
  const contradictions = [...known];
  const search = await Search.open(frame, whole, new Uint32Array(frame.examples.rows));
  try {
    search.exclude(known.flatMap(({ rows }) => rows.map((row) => row - 1)));
    while (contradictions.length < best.errors && clock.left() > 0) {
      const { contradiction } = await search.run(clock);
      if (contradiction === null) break;
      contradictions.push(contradiction);
      search.exclude(contradiction.rows.map((row) => row - 1));
      clock.tell('errors', `every line errs on ${contradictions.length} to ${best.errors} examples`);
    }
  } finally {
    search.dispose();
  }
  return {
    contradictions,
    errors: {
      atLeast: contradictions.length,
      atMost: best.errors,
      weights: best.weights.map(String),
      bias: String(best.bias),
    },
  };
}

/** The frame's features as data of their own: columns of about one size, which a perceptron learns sooner. */
function scaledExamples({ examples, factors }: Frame): SparseBatch {
  return { ...examples, values: examples.values.map((value, at) => value * factors[examples.indices[at]!]!) };
}
