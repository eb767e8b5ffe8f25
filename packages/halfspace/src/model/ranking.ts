import { HalfspaceError } from '../errors.ts';
import { checkLabelled } from './label-checks.ts';

/** Examples in the order of their scores: arrays of equal length, with an entry for every distinct score. */
export interface Ranking {
  /** Strictly decreasing; not NaN. */
  readonly scores: Float64Array;
  /** Sum of the importance of the positive examples of each score. */
  readonly positive: Float64Array;
  /** Sum of the importance of the negative examples of each score. */
  readonly negative: Float64Array;
  /** Sum of `positive`. */
  readonly positives: number;
  /** Sum of `negative`. */
  readonly negatives: number;
}

/**
 * Ranks examples by score, in O(n log n). Examples of importance 0 do not count.
 *
 * @param scores n numbers, ±∞ included.
 * @param labels n labels, −1 or +1.
 * @param importance n numbers in [0, ∞), not all 0; null (the default): all 1.
 * @throws HalfspaceError `number-invalid` for a score that is NaN; `source-empty`, `label-missing`, `row-malformed`.
 */
export function rankScores(
  scores: Float64Array,
  labels: Float64Array,
  importance: Float64Array | null = null,
): Ranking {
  checkLabelled(scores.length, labels, importance);
  const nan = scores.findIndex(Number.isNaN);
  if (nan !== -1)
    throw new HalfspaceError('number-invalid', 'expected a score that is a number; got NaN', { row: nan + 1 });
  return importance === null ? rankCounted(scores, labels) : rankWeighted(scores, labels, importance);
}

/** Ranks examples of importance 1: sorts the scores of each class, which is faster than sorting rows, then merges. */
function rankCounted(scores: Float64Array, labels: Float64Array): Ranking {
  // Positive examples from the start of the array, negative ones from its end.
  const byClass = new Float64Array(scores.length);
  let front = 0;
  let end = scores.length;
  for (let i = 0; i < scores.length; i++) byClass[labels[i]! > 0 ? front++ : --end] = scores[i]!;
  const ofPositive = byClass.subarray(0, front).sort();
  const ofNegative = byClass.subarray(front).sort();
  const groups = new Groups(scores.length);
  let p = ofPositive.length - 1;
  let n = ofNegative.length - 1;
  while (p >= 0 || n >= 0) {
    const score = Math.max(p >= 0 ? ofPositive[p]! : -Infinity, n >= 0 ? ofNegative[n]! : -Infinity);
    const [startP, startN] = [p, n];
    while (p >= 0 && ofPositive[p] === score) p--;
    while (n >= 0 && ofNegative[n] === score) n--;
    groups.push(score, startP - p, startN - n);
  }
  return groups.ranking();
}

function rankWeighted(scores: Float64Array, labels: Float64Array, importance: Float64Array): Ranking {
  const order = Uint32Array.from(scores.keys()).filter((i) => importance[i]! > 0);
  // A difference would be NaN for two infinite scores.
  order.sort((a, b) => (scores[a]! > scores[b]! ? -1 : scores[a]! < scores[b]! ? 1 : a - b));
  const groups = new Groups(order.length);
  for (let k = 0; k < order.length; ) {
    const score = scores[order[k]!]!;
    let positive = 0;
    let negative = 0;
    for (; k < order.length && scores[order[k]!] === score; k++) {
      const i = order[k]!;
      if (labels[i]! > 0) positive += importance[i]!;
      else negative += importance[i]!;
    }
    groups.push(score, positive, negative);
  }
  return groups.ranking();
}

class Groups {
  readonly #scores: Float64Array;
  readonly #positive: Float64Array;
  readonly #negative: Float64Array;
  #size = 0;
  #positives = 0;
  #negatives = 0;

  constructor(most: number) {
    this.#scores = new Float64Array(most);
    this.#positive = new Float64Array(most);
    this.#negative = new Float64Array(most);
  }

  push(score: number, positive: number, negative: number): void {
    this.#scores[this.#size] = score + 0; // −0 becomes 0
    this.#positive[this.#size] = positive;
    this.#negative[this.#size++] = negative;
    this.#positives += positive;
    this.#negatives += negative;
  }

  ranking(): Ranking {
    return {
      scores: this.#scores.slice(0, this.#size),
      positive: this.#positive.slice(0, this.#size),
      negative: this.#negative.slice(0, this.#size),
      positives: this.#positives,
      negatives: this.#negatives,
    };
  }
}

/**
 * Returns the area under the ROC curve: the probability that a random positive example scores higher than a random
 * negative one, both drawn by importance; equal scores count one half. It is the Mann–Whitney statistic divided by the
 * number of pairs (Hanley & McNeil, "The meaning and use of the area under a ROC curve", 1982). For counts up to 2⁵²
 * pairs only the division rounds.
 *
 * @returns in [0, 1]; null if a class is missing.
 */
export function rocArea({ positive, negative, positives, negatives }: Ranking): number | null {
  if (positives === 0 || negatives === 0) return null;
  let pairs = 0;
  let above = 0;
  for (let g = 0; g < positive.length; g++) {
    pairs += negative[g]! * (above + positive[g]! / 2);
    above += positive[g]!;
  }
  return Math.min(1, pairs / (positives * negatives));
}

/**
 * Returns the average precision: Σ (recallᵢ − recallᵢ₋₁) · precisionᵢ over the points of the curve. Straight lines
 * between the points would be too optimistic (Davis & Goadrich, "The relationship between precision-recall and ROC
 * curves", 2006).
 *
 * @returns in (0, 1]; null if a class is missing.
 */
export function averagePrecision({ positive, negative, positives, negatives }: Ranking): number | null {
  if (positives === 0 || negatives === 0) return null;
  let sum = 0;
  let above = 0;
  let wrong = 0;
  for (let g = 0; g < positive.length; g++) {
    above += positive[g]!;
    wrong += negative[g]!;
    sum += positive[g]! * (above / (above + wrong));
  }
  return Math.min(1, sum / positives);
}
