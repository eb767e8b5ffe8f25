import { exponential } from '../kernels/exponential.ts';
import { logOnePlus, naturalLog } from '../kernels/natural-log.ts';
import { type PlattCalibration, sigmoid } from '../model/calibration.ts';
import { checkBothClasses, checkFiniteScores, checkLabelled } from './checks.ts';

/*
 * Platt scaling.
 *
 *   minimise   F(a, b) = − Σ hᵢ (tᵢ ln pᵢ + (1 − tᵢ) ln(1 − pᵢ)),   pᵢ = 1 / (1 + exp(−(a·sᵢ + b)))
 *   targets    tᵢ = (N₊ + 1) / (N₊ + 2) for positive examples, 1 / (N₋ + 2) for negative ones
 *
 * s: scores; h: importance; N₊, N₋: how much the classes weigh. The targets keep a and b finite even for separated classes.
 * Source: Platt, "Probabilistic outputs for support vector machines and comparisons to regularized likelihood methods", 1999; Newton's
 * method with backtracking after algorithm 1 of Lin, Lin & Weng, "A note on Platt's probabilistic outputs for support vector
 * machines", Machine Learning 68, 2007. We differ: a = −A and b = −B; scores are centred and scaled first, so that scores of any size
 * are fitted alike, and the end is reached when the gradient is 1e-12 of the weight, not 1e-5.
 */

const mostSteps = 100;
const smallGradient = 1e-12;
/** Added to the Hessian's diagonal, as in the source; here in shares of the weight. */
const ridge = 1e-12;
const leastStep = 1e-10;

/**
 * Fits the sigmoid that makes probabilities of scores; see the head of this file.
 *
 * @param scores n finite numbers, of examples that the model has not learned from.
 * @param labels n labels, −1 or +1, both present.
 * @param importance n numbers in [0, ∞); null (the default): all 1.
 * @returns slope 0 where all scores are equal.
 * @throws HalfspaceError `number-invalid`, `label-classes`, `source-empty`, `label-missing`, `row-malformed`.
 */
export function fitPlatt(
  scores: Float64Array,
  labels: Float64Array,
  importance: Float64Array | null = null,
): PlattCalibration {
  const total = checkLabelled(scores.length, labels, importance);
  checkFiniteScores(scores);
  const h = importance ?? new Float64Array(scores.length).fill(1);
  let positives = 0;
  for (let i = 0; i < h.length; i++) if (labels[i]! > 0) positives += h[i]!;
  let negatives = 0;
  for (let i = 0; i < h.length; i++) if (labels[i]! < 0) negatives += h[i]!;
  checkBothClasses(positives, negatives);
  const { values, centre, unit } = standardised(scores, h, total);
  const high = (positives + 1) / (positives + 2);
  const low = 1 / (negatives + 2);
  const targets = labels.map((y) => (y > 0 ? high : low));
  if (unit === 0) {
    const share = (positives * high + negatives * low) / total;
    return { kind: 'platt', slope: 0, intercept: naturalLog(share / (1 - share)) };
  }
  const [a, b] = newton(values, targets, h, total, naturalLog((positives + 1) / (negatives + 1)));
  return { kind: 'platt', slope: a / unit, intercept: b - (a / unit) * centre };
}

function newton(s: Float64Array, t: Float64Array, h: Float64Array, total: number, start: number): [number, number] {
  let a = 0;
  let b = start;
  let objective = objectiveAt(s, t, h, a, b);
  for (let step = 0; step < mostSteps; step++) {
    // Gradient (g1, g2) and Hessian (h11 h12; h12 h22).
    let h11 = ridge * total;
    let h22 = ridge * total;
    let h12 = 0;
    let g1 = 0;
    let g2 = 0;
    for (let i = 0; i < s.length; i++) {
      const p = sigmoid(a * s[i]! + b);
      const curvature = h[i]! * p * (1 - p);
      h11 += s[i]! * s[i]! * curvature;
      h22 += curvature;
      h12 += s[i]! * curvature;
      const d = h[i]! * (p - t[i]!);
      g1 += s[i]! * d;
      g2 += d;
    }
    if (Math.max(Math.abs(g1), Math.abs(g2)) < smallGradient * total) break;
    const determinant = h11 * h22 - h12 * h12;
    const da = -(h22 * g1 - h12 * g2) / determinant;
    const db = -(h11 * g2 - h12 * g1) / determinant;
    const descent = g1 * da + g2 * db;
    let length = 1;
    for (; length >= leastStep; length /= 2) {
      const next = objectiveAt(s, t, h, a + length * da, b + length * db);
      if (next < objective + 1e-4 * length * descent) {
        a += length * da;
        b += length * db;
        objective = next;
        break;
      }
    }
    if (length < leastStep) break; // as low as doubles can tell
  }
  return [a, b];
}

/** F(a, b), each term as t·ln(1 + e⁻ᶻ) + (1 − t)·ln(1 + eᶻ) without overflow. */
function objectiveAt(s: Float64Array, t: Float64Array, h: Float64Array, a: number, b: number): number {
  let sum = 0;
  for (let i = 0; i < s.length; i++) {
    const z = a * s[i]! + b;
    sum += h[i]! * ((z >= 0 ? (1 - t[i]!) * z : -t[i]! * z) + logOnePlus(exponential(-Math.abs(z))));
  }
  return sum;
}

/** Scores as (s − centre) / unit, of mean 0 and deviation 1; unit 0 where they are all equal. */
function standardised(scores: Float64Array, h: Float64Array, total: number) {
  let largest = 0;
  for (const s of scores) largest = Math.max(largest, Math.abs(s));
  if (largest === 0) return { values: scores, centre: 0, unit: 0 };
  // Divided by the largest first, so that no sum or square overflows.
  const values = scores.map((s) => s / largest);
  let mean = 0;
  for (let i = 0; i < values.length; i++) mean += (h[i]! / total) * values[i]!;
  let variance = 0;
  for (let i = 0; i < values.length; i++) variance += (h[i]! / total) * (values[i]! - mean) ** 2;
  const deviation = Math.sqrt(variance);
  const unit = deviation * largest;
  const weighted = scores.filter((_, i) => h[i]! > 0);
  // A slope of 1 / unit must be a number.
  if (weighted.every((s) => s === weighted[0]) || !(unit > 1e-300)) return { values, centre: 0, unit: 0 };
  for (let i = 0; i < values.length; i++) values[i] = (values[i]! - mean) / deviation;
  return { values, centre: mean * largest, unit };
}
