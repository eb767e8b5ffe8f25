import { classOf } from '../kernels/kernels.ts';
import type { Ranking } from '../model/ranking.ts';

/** Coverage and errors of a model that abstains if |score| is too small. One entry for every distinct |score|. */
export interface AbstentionCurve {
  /** Smallest |score| that is answered; strictly decreasing. */
  readonly shares: Float64Array;
  /** Share of all examples that are answered, in (0, 1]; increasing, to 1. */
  readonly coverage: Float64Array;
  /** Share of all examples that are answered wrongly, in [0, 1]; not decreasing. */
  readonly errors: Float64Array;
}

/**
 * Returns the curve of abstention. For the voted perceptron |score| is the lead of the winner in the vote, at most 1;
 * other scores have other units. A larger threshold answers a subset of the examples.
 *
 * Source: Freund & Schapire 1999, section 5, for votes; the risk–coverage curve of El-Yaniv & Wiener 2010, but with
 * errors as a share of all examples: divide by the coverage for the errors among those answered.
 *
 * @param tie class of score 0, −1 or +1.
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
  // Scores are sorted, so the largest |score| is at either end.
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
