import { classOf } from '../kernels/kernels.ts';
import type { Ranking } from './ranking.ts';

/** What it buys to give no class where a score is too near 0. An entry for every distinct size of a score. */
export interface AbstentionCurve {
  /** Falling strictly: the examples with |score| at least so large are given a class. */
  readonly shares: Float64Array;
  /** How much of all examples is given a class, in (0, 1]; rising, to 1. */
  readonly coverage: Float64Array;
  /** How much of all examples is given a wrong class, in [0, 1]; not falling. */
  readonly errors: Float64Array;
}

/**
 * The curve of abstention. For the votes of the voted perceptron, |score| is how far the winner is ahead, of 1; other scores have a size
 * in units of their own. Who asks for fewer errors gets fewer answers: a larger share leaves a subset of the same answers.
 * Source: Freund & Schapire 1999, section 5, use the votes so; the curve is the risk–coverage curve of El-Yaniv & Wiener 2010, with the
 * errors counted of all examples. Divide by the coverage for the errors among those answered.
 *
 * @param tie the class of score 0, −1 or +1.
 */
export function abstentionCurve(ranking: Ranking, tie: -1 | 1 = -1): AbstentionCurve {
  const { scores, positive, negative } = ranking;
  const total = ranking.positives + ranking.negatives;
  const curve = {
    shares: new Float64Array(scores.length),
    coverage: new Float64Array(scores.length),
    errors: new Float64Array(scores.length),
  };
  let size = 0;
  let answered = 0;
  let wrong = 0;
  // The largest sizes stand at both ends, those of both signs together.
  let [first, last] = [0, scores.length - 1];
  while (first <= last) {
    const share = Math.max(Math.abs(scores[first]!), Math.abs(scores[last]!));
    const take = (at: number): void => {
      answered += positive[at]! + negative[at]!;
      wrong += classOf(scores[at]!, tie) === 1 ? negative[at]! : positive[at]!;
    };
    if (first <= last && Math.abs(scores[first]!) === share) take(first++);
    if (first <= last && Math.abs(scores[last]!) === share) take(last--);
    curve.shares[size] = share;
    curve.coverage[size] = answered / total;
    curve.errors[size++] = wrong / total;
  }
  return {
    shares: curve.shares.slice(0, size),
    coverage: curve.coverage.slice(0, size),
    errors: curve.errors.slice(0, size),
  };
}
