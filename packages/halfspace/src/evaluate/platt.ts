import { exponential } from '../kernels/exponential.ts';
import { naturalLog } from '../kernels/natural-log.ts';
import type { ClippedPlattCalibration, PlattCalibration } from '../model/calibration.ts';
import { checkBothClasses, checkLabelled } from '../model/label-checks.ts';
import { type Ranking, rankScores } from '../model/ranking.ts';
import { checkFiniteScores } from './checks.ts';
import { bestFit, fenceWidths, quartilesOf } from './fences.ts';

/*
 * Platt scaling.
 *
 *   minimise   F(a, b) = − Σ hᵢ (tᵢ ln pᵢ + (1 − tᵢ) ln(1 − pᵢ)),   pᵢ = 1 / (1 + exp(−(a·sᵢ + b)))
 *   targets    tᵢ = (N₊ + 1) / (N₊ + 2) for positive examples, 1 / (N₋ + 2) for negative ones
 *
 * s: scores; h: importance; N₊, N₋: total importance of each class. The targets keep a and b finite even for separated
 * classes. Source: Platt, "Probabilistic outputs for support vector machines and comparisons to regularized likelihood
 * methods", 1999; Newton's method with backtracking after algorithm 1 of Lin, Lin & Weng, "A note on Platt's
 * probabilistic outputs for support vector machines", Machine Learning 68, 2007. Differences: a = −A and b = −B; scores
 * are standardised first, so that the fit does not depend on their scale; it ends when the gradient is 1e-12 of the
 * weight, not 1e-5; and outliers are clipped at fences if that fits better (fences.ts). The fences are the lower of
 * both classes' lower fences and the higher of their higher ones.
 */

const mostSteps = 100;
const smallGradient = 1e-12;
/** Added to the Hessian's diagonal, as in the source; here as a share of the weight. */
const ridge = 1e-12;
const leastStep = 1e-10;

/**
 * Fits the sigmoid from scores to probabilities; see the head of this file.
 *
 * @param scores n finite numbers, of examples that the model has not learned from.
 * @param labels n labels, −1 or +1, both present.
 * @param importance n numbers in [0, ∞); null (the default): all 1.
 * @returns slope 0 if all scores are equal; `clipped-platt` if outliers are clipped.
 * @throws HalfspaceError `number-invalid`, `label-classes`, `source-empty`, `label-missing`, `row-malformed`.
 */
export function fitPlatt(
  scores: Float64Array,
  labels: Float64Array,
  importance: Float64Array | null = null,
): PlattCalibration | ClippedPlattCalibration {
  checkLabelled(scores.length, labels, importance);
  checkFiniteScores(scores);
  const ranking = rankScores(scores, labels, importance);
  checkBothClasses(ranking.positives, ranking.negatives);
  const plain = fitWithin(ranking, -Infinity, Infinity);
  const fenced = fencesOf(ranking).map(([low, high]) => fitWithin(ranking, low, high));
  const { a, b, low, high } = bestFit(plain, fenced, ranking.positives + ranking.negatives);
  if (low === -Infinity) return { kind: 'platt', slope: a, intercept: b };
  return { kind: 'clipped-platt', slope: a, intercept: b, low, high };
}

/** Returns the fences that some score lies beyond. */
function fencesOf({ scores, positive, negative }: Ranking): [number, number][] {
  const rising = scores.slice().reverse();
  const quartiles = [positive, negative].map((weights) => quartilesOf(rising, weights.slice().reverse()));
  return fenceWidths.flatMap((width): [number, number][] => {
    const low = Math.min(...quartiles.map(([first, third]) => first - width * (third - first)));
    const high = Math.max(...quartiles.map(([first, third]) => third + width * (third - first)));
    const isClipping = low > rising[0]! || high < rising.at(-1)!;
    return isClipping && low < high && Number.isFinite(high - low) ? [[low, high]] : [];
  });
}

/** Fits the sigmoid to scores clipped to [low, high], and sums up its losses. */
function fitWithin(ranking: Ranking, low: number, high: number) {
  const { positive, negative, positives, negatives } = ranking;
  const total = positives + negatives;
  const examples: Examples = { s: ranking.scores.map((s) => Math.min(Math.max(s, low), high)), positive, negative };
  const { centre, unit } = standardise(examples, total);
  const targets = { high: (positives + 1) / (positives + 2), low: 1 / (negatives + 2) };
  if (unit === 0) {
    const share = (positives * targets.high + negatives * targets.low) / total;
    const b = naturalLog(share / (1 - share));
    return { a: 0, b, low, high, loss: derivativesAt(examples, targets, total, 0, b).loss };
  }
  const start = naturalLog((positives + 1) / (negatives + 1));
  const { a, b, loss } = newton(examples, targets, total, start);
  return { a: a / unit, b: b - (a / unit) * centre, low, high, loss };
}

/** Distinct scores, each with the importance of its positive and its negative examples. */
interface Examples {
  readonly s: Float64Array;
  readonly positive: Float64Array;
  readonly negative: Float64Array;
}

interface Targets {
  readonly high: number;
  readonly low: number;
}

function newton(examples: Examples, targets: Targets, total: number, start: number) {
  let a = 0;
  let b = start;
  let here = derivativesAt(examples, targets, total, a, b);
  for (let step = 0; step < mostSteps && here.slope > smallGradient; step++) {
    const { g1, g2, h11, h12, h22 } = here;
    const determinant = h11 * h22 - h12 * h12;
    // If saturated rows make the Hessian singular by rounding, a step along the axes still descends.
    const isSafe = determinant > 1e-14 * h11 * h22;
    const da = isSafe ? -(h22 * g1 - h12 * g2) / determinant : -g1 / (2 * h11);
    const db = isSafe ? -(h11 * g2 - h12 * g1) / determinant : -g2 / (2 * h22);
    const descent = g1 * da + g2 * db;
    let length = 1;
    let next = derivativesAt(examples, targets, total, a + da, b + db);
    while (!isBetter(next, here, length * descent) && length >= leastStep) {
      length /= 2;
      next = derivativesAt(examples, targets, total, a + length * da, b + length * db);
    }
    if (length < leastStep) break; // smaller steps change nothing in doubles
    a += length * da;
    b += length * db;
    here = next;
  }
  return { a, b, loss: here.loss };
}

/** Returns true if F decreases enough; or, if rounding hides that, if its gradient decreases. */
function isBetter(next: Derivatives, here: Derivatives, descent: number): boolean {
  if (next.loss < here.loss + 1e-4 * descent) return true;
  return Math.abs(next.loss - here.loss) <= 1e-13 * here.loss && next.slope < here.slope;
}

interface Derivatives {
  /** Value of F. */
  readonly loss: number;
  /** The larger component of the gradient, as a share of the weight. */
  readonly slope: number;
  readonly g1: number;
  readonly g2: number;
  readonly h11: number;
  readonly h12: number;
  readonly h22: number;
}

/** Returns F, its gradient and its Hessian. F sums t·ln(1 + e⁻ᶻ) + (1 − t)·ln(1 + eᶻ), here without overflow. */
function derivativesAt(
  { s, positive, negative }: Examples,
  { high, low }: Targets,
  total: number,
  a: number,
  b: number,
): Derivatives {
  let [loss, g1, g2, h12] = [0, 0, 0, 0];
  let [h11, h22] = [ridge * total, ridge * total];
  for (let i = 0; i < s.length; i++) {
    const z = a * s[i]! + b;
    const e = exponential(-Math.abs(z));
    const p = z >= 0 ? 1 / (1 + e) : e / (1 + e);
    const weight = positive[i]! + negative[i]!;
    // Σ h t over the examples with this score.
    const target = positive[i]! * high + negative[i]! * low;
    loss += (z >= 0 ? weight - target : -target) * z + weight * naturalLog(1 + e);
    const d = weight * p - target;
    g1 += s[i]! * d;
    g2 += d;
    const curvature = weight * p * (1 - p);
    h11 += s[i]! * s[i]! * curvature;
    h12 += s[i]! * curvature;
    h22 += curvature;
  }
  return { loss, slope: Math.max(Math.abs(g1), Math.abs(g2)) / total, g1, g2, h11, h12, h22 };
}

/** Replaces scores by (s − centre) / unit, with mean 0 and deviation 1; unit 0 if all are equal. */
function standardise({ s, positive, negative }: Examples, total: number): { centre: number; unit: number } {
  let largest = 0;
  for (const score of s) largest = Math.max(largest, Math.abs(score));
  if (largest === 0) return { centre: 0, unit: 0 };
  // Divide by the largest first, so that no sum or square overflows.
  const share = (i: number) => (positive[i]! + negative[i]!) / total;
  let mean = 0;
  for (let i = 0; i < s.length; i++) mean += share(i) * (s[i]! / largest);
  let variance = 0;
  for (let i = 0; i < s.length; i++) variance += share(i) * (s[i]! / largest - mean) ** 2;
  const deviation = Math.sqrt(variance);
  const unit = deviation * largest;
  // 1 / unit must be finite.
  if (s.every((score) => score === s[0]) || !(unit > 1e-300)) return { centre: 0, unit: 0 };
  for (let i = 0; i < s.length; i++) s[i] = (s[i]! / largest - mean) / deviation;
  return { centre: mean * largest, unit };
}
