import type { SeparatorProof } from '../certificate.ts';
import { type ExactBatch, type Unit, unitOf, valueIn } from './values.ts';
import { fraction, gcd, quotient } from './whole.ts';

/**
 * The data as whole numbers X = S·x, S being 1 in their common unit. They are kept in memory if they are few and small.
 */
export class WholeExamples {
  readonly examples: ExactBatch;
  readonly #unit: Unit;
  readonly #kept: BigInt64Array | null;

  constructor(examples: ExactBatch) {
    this.examples = examples;
    this.#unit = unitOf(examples, examples.values.keys());
    const limit = 2 ** 62 / Number(this.one);
    const { values } = examples;
    this.#kept =
      values.length <= 5e6 && values.every((value) => Math.abs(value) < limit)
        ? BigInt64Array.from(values, (_, at) => valueIn(examples, at, this.#unit))
        : null;
  }

  value(at: number): bigint {
    return this.#kept?.[at] ?? valueIn(this.examples, at, this.#unit);
  }

  /** S. */
  get one(): bigint {
    return this.#unit.one;
  }

  /** Returns S·w·xᵢ. */
  score(i: number, weights: readonly bigint[]): bigint {
    const { offsets, indices } = this.examples;
    let sum = 0n;
    for (let at = offsets[i]!; at < offsets[i + 1]!; at++) sum += weights[indices[at]!]! * this.value(at);
    return sum;
  }

  /** Returns S²·max‖x‖². */
  largestSquare(): bigint {
    const { offsets, rows, values } = this.examples;
    const squares = new Float64Array(rows);
    for (let i = 0; i < rows; i++) {
      let square = 0;
      for (let at = offsets[i]!; at < offsets[i + 1]!; at++) square += values[at]! * values[at]!;
      squares[i] = square;
    }
    const most = squares.reduce((a, b) => Math.max(a, b), 0);
    let largest = 0n;
    for (let i = 0; i < rows; i++) {
      // The relative rounding error of a sum of m squares is below (m + 2)·2⁻⁵³, unless it underflows or overflows; a
      // decimal may differ from its double by 2⁻⁵³ of it.
      const rounding = (offsets[i + 1]! - offsets[i]! + 2) * 2 ** -51;
      if (squares[i]! < most * (1 - rounding) && most > 1e-280 && most < Infinity) continue;
      let square = 0n;
      for (let at = offsets[i]!; at < offsets[i + 1]!; at++) square += this.value(at) ** 2n;
      if (square > largest) largest = square;
    }
    return largest;
  }

  /**
   * Returns the lowest score of the positive examples and the highest of the negative ones, times S. Doubles with a
   * bound on their rounding find the examples that may have these scores; only those are computed in whole numbers.
   */
  nearest(weights: readonly bigint[]): { lowest: bigint | null; highest: bigint | null } {
    const { rows, offsets, indices, values, labels } = this.examples;
    const unit = weights.reduce((largest, w) => (w > largest ? w : -w > largest ? -w : largest), 1n);
    const rounded = Float64Array.from(weights, (w) => (w < 0n ? -quotient(-w, unit) : quotient(w, unit)));
    const scores = new Float64Array(rows);
    const bounds = new Float64Array(rows);
    // For each class an upper bound on the least y·score.
    const below = [Infinity, Infinity];
    for (let i = 0; i < rows; i++) {
      let score = 0;
      let size = 0;
      for (let at = offsets[i]!; at < offsets[i + 1]!; at++) {
        const term = rounded[indices[at]!]! * values[at]!;
        score += term;
        // The second term is for weights that are subnormal after scaling.
        size += Math.abs(term) + 2 ** -1000 * Math.abs(values[at]!);
      }
      const terms = offsets[i + 1]! - offsets[i]!;
      scores[i] = labels[i]! * score;
      bounds[i] = (terms + 4) * (2 ** -51 * size + 1e-322);
      const side = labels[i]! > 0 ? 1 : 0;
      if (scores[i]! + bounds[i]! < below[side]!) below[side] = scores[i]! + bounds[i]!;
    }
    let lowest: bigint | null = null;
    let highest: bigint | null = null;
    for (let i = 0; i < rows; i++) {
      // NaN passes this test, so those examples are computed too.
      if (scores[i]! - bounds[i]! > below[labels[i]! > 0 ? 1 : 0]!) continue;
      const score = this.score(i, weights);
      if (labels[i]! > 0) {
        if (lowest === null || score < lowest) lowest = score;
      } else if (highest === null || score > highest) highest = score;
    }
    return { lowest, highest };
  }
}

/**
 * Returns weights of the frame's features as whole weights of the data's own features, rounded to `digits` binary
 * digits.
 */
export function wholeWeights(factors: Float64Array, u: Float64Array, digits: number): bigint[] | null {
  let largest = 0;
  for (const each of u) largest = Math.max(largest, Math.abs(each));
  if (!(largest > 0 && largest < Infinity)) return null;
  const exponents = Array.from(factors, (factor) => Math.round(Math.log2(factor)));
  const least = exponents.reduce((a, b) => Math.min(a, b), 0);
  const weights = Array.from(u, (each, j) => {
    const rounded = Math.round((each / largest) * 2 ** digits);
    return rounded === 0 ? 0n : BigInt(rounded) << BigInt(exponents[j]! - least);
  });
  return reduced(weights);
}

function reduced(weights: bigint[]): bigint[] {
  let divisor = 0n;
  for (const w of weights) {
    divisor = gcd(divisor, w);
    if (divisor === 1n) return weights;
  }
  return divisor === 0n ? weights : weights.map((w) => w / divisor);
}

/**
 * Returns the separator with these weights and the best bias: half-way between the nearest examples of both classes.
 *
 * @returns null if no bias separates the examples.
 */
export function separatorOf(whole: WholeExamples, given: readonly bigint[]): SeparatorProof | null {
  const { lowest, highest } = whole.nearest(given);
  if (lowest === null || highest === null || lowest <= highest) return null;
  // Multiplied by 2·S so that b is whole; then divided by the common divisor.
  const scaledUp = [...given.map((w) => 2n * w * whole.one), -(lowest + highest)];
  const numbers = reduced(scaledUp);
  const bias = numbers.at(-1)!;
  const weights = numbers.slice(0, -1);
  const norm = weights.reduce((sum, w) => sum + w * w, 0n);
  // Scores of `given` are multiplied by S. The margin of (w, b) is half the gap, in the same units.
  const first = weights.findIndex((w) => w !== 0n);
  const gap = (lowest - highest) * weights[first]!;
  const per = 2n * given[first]! * whole.one;
  return {
    weights: weights.map(String),
    bias: String(bias),
    marginSquared: fraction(gap * gap, norm * per * per),
    absorbedMarginSquared: fraction(gap * gap, (norm + bias * bias) * per * per),
  };
}

/**
 * Returns the bias with the fewest errors, among the biases half-way between two scores, and the misclassified
 * examples, the farthest on the wrong side first.
 *
 * @param must true for the fewest errors of the lines that are right on the last example.
 */
export function fewestWrong(
  whole: WholeExamples,
  given: readonly bigint[],
  must = false,
): { weights: bigint[]; bias: bigint; errors: number; wrong: number[] } {
  const { rows, labels } = whole.examples;
  const cost = (i: number) => (must && i === rows - 1 ? rows : 1);
  const scored = Array.from({ length: rows }, (_, i) => ({ i, score: whole.score(i, given), y: labels[i]! }));
  scored.sort((a, b) => (a.score < b.score ? -1 : a.score > b.score ? 1 : 0));
  // Begin with all examples above the threshold: every negative example is an error.
  let wrong = scored.reduce((count, { i, y }) => count + (y < 0 ? cost(i) : 0), 0);
  let errors = wrong;
  let twice = rows === 0 ? 0n : 2n * scored[0]!.score - 1n;
  for (let at = 0; at < rows; at++) {
    const { i, y } = scored[at]!;
    wrong += y > 0 ? cost(i) : -cost(i);
    // A threshold equal to an example's score would make the example an error.
    const next = scored[at + 1];
    if (next !== undefined && next.score === scored[at]!.score) continue;
    if (wrong >= errors) continue;
    errors = wrong;
    twice = next === undefined ? 2n * scored[at]!.score + 1n : next.score + scored[at]!.score;
  }
  const numbers = reduced([...given.map((w) => 2n * w * whole.one), -twice]);
  const misplaced = scored.filter(({ score, y }) => (y > 0 ? 2n * score <= twice : 2n * score >= twice));
  const farthestFirst = misplaced.sort((a, b) => {
    const [p, q] = [a, b].map(({ score, y }) => (2n * score - twice) * BigInt(y)) as [bigint, bigint];
    return p < q ? -1 : p > q ? 1 : a.i - b.i;
  });
  return { weights: numbers.slice(0, -1), bias: numbers.at(-1)!, errors, wrong: farthestFirst.map(({ i }) => i) };
}

/** Returns the positions of the examples that (w, b) misclassifies. */
export function wrongExamples(whole: WholeExamples, weights: readonly bigint[], bias: bigint): number[] {
  const { rows, labels } = whole.examples;
  const constant = bias * whole.one;
  const wrong: number[] = [];
  for (let i = 0; i < rows; i++) {
    const score = whole.score(i, weights) + constant;
    if (labels[i]! > 0 ? score <= 0n : score >= 0n) wrong.push(i);
  }
  return wrong;
}
