import { HalfspaceError } from '../errors.ts';
import { exponential } from '../kernels/exponential.ts';
import { naturalLog } from '../kernels/natural-log.ts';
import type { SoftmaxCalibration } from '../model/calibration.ts';
import type { ScoredExamples } from '../model/scored-rows.ts';
import { checkFiniteScores } from './checks.ts';
import { bestFit, fenceWidths, quartilesOf } from './fences.ts';

/*
 * Softmax of scores: temperature scaling (Guo, Pleiss, Sun & Weinberger, "On calibration of modern neural networks",
 * 2017).
 *
 *   minimise   F(a) = − Σᵢ Σₖ tᵢₖ ln pᵢₖ   over a ≥ 0,   pᵢₖ ∝ exp(a·dᵢₖ),   dᵢₖ = max(sᵢₖ − maxⱼ sᵢⱼ, −reach)
 *   targets    tᵢₖ = (N + 1) / (N + 2) for the example's class; the other classes share 1 / (N + 2)
 *
 * s: scores; K: classes; N: number of examples of the example's class. These are Platt's targets for K classes; they
 * keep a finite even if every example is right. F is convex. A guarded Newton's method on its derivative never leaves
 * the bracket of the root, so it converges.
 *
 * There is one slope and no offset per class, so the class with the highest score stays the most probable one. Offsets
 * would fit the runs of a cross-validation better, but not the model: the last weights of a perceptron have other
 * offsets in every run.
 */

const mostSteps = 200;

/**
 * Fits the slope of a softmax and, if it helps, the reach; see above.
 *
 * @param scored examples of K > 2 classes that the model has not learned from, with finite scores.
 * @throws HalfspaceError `source-empty`, `number-invalid`.
 */
export function fitSoftmax({ outputs, scores, labels }: ScoredExamples): SoftmaxCalibration {
  const rows = labels.length;
  if (rows === 0) throw new HalfspaceError('source-empty', 'expected examples; got none');
  checkFiniteScores(scores);
  const behind = behindHighest(scores, outputs);
  const leads = leadsOfHighest(behind, outputs);
  const [first, third] = quartilesOf(leads, new Float64Array(rows).fill(1));
  const perClass = new Float64Array(outputs);
  for (const label of labels) perClass[label]!++;
  const examples = { behind, labels, outputs, perClass };
  const plain = fitWithin(examples, Infinity, null);
  const furthest = behind.reduce((most, each) => Math.max(most, -each), 0);
  const fenced = fenceWidths.flatMap((width) => {
    const reach = third + width * (third - first);
    return reach > 0 && reach < furthest ? [fitWithin(examples, reach, plain.slope || null)] : [];
  });
  const { slope, reach } = bestFit(plain, fenced, rows);
  return { kind: 'softmax', slope, reach: reach === Infinity ? null : reach };
}

/** Returns each score minus the highest of its example, at most 0. */
function behindHighest(scores: Float64Array, outputs: number): Float64Array {
  const behind = new Float64Array(scores.length);
  for (let at = 0; at < scores.length; at += outputs) {
    let highest = -Infinity;
    for (let k = at; k < at + outputs; k++) highest = Math.max(highest, scores[k]!);
    for (let k = at; k < at + outputs; k++) behind[k] = Math.max(scores[k]! - highest, -Number.MAX_VALUE);
  }
  return behind;
}

/** Returns each example's lead of the highest score over the second highest; rising. */
function leadsOfHighest(behind: Float64Array, outputs: number): Float64Array {
  const leads = new Float64Array(behind.length / outputs);
  for (let i = 0; i < leads.length; i++) {
    let [highest, next] = [-Infinity, -Infinity];
    for (let k = i * outputs; k < (i + 1) * outputs; k++) {
      if (behind[k]! > highest) [highest, next] = [behind[k]!, highest];
      else if (behind[k]! > next) next = behind[k]!;
    }
    leads[i] = highest - next;
  }
  return leads.sort();
}

interface Examples {
  /** Each score minus the highest of its example, at most 0. */
  readonly behind: Float64Array;
  readonly labels: Float64Array;
  readonly outputs: number;
  readonly perClass: Float64Array;
}

/** Fits the slope for a given reach; also returns F there. @param start initial slope, above 0. */
function fitWithin(examples: Examples, reach: number, start: number | null) {
  const { behind, labels } = examples;
  // Unit: the largest distance, so that no sum or square overflows.
  let unit = 0;
  for (const each of behind) unit = Math.max(unit, Math.min(-each, reach));
  const distances = behind.map((each) => (unit === 0 ? 0 : Math.max(each, -reach) / unit));
  const within = { ...examples, behind: distances };
  const targets = targetsOf(within);
  const sums = new Float64Array(labels.length);
  const at = (a: number) => derivatives(within, targets, a, sums);
  const lossAt = (a: number) => sums.reduce((loss, sum, i) => loss + (naturalLog(sum) - a * targets[i]!), 0);
  const level = at(0);
  if (!(level.first < 0)) return { slope: 0, reach, loss: lossAt(0) };
  let [low, high] = [0, Infinity];
  let a = start === null ? -level.first / level.second : start * unit;
  let here = at(a);
  for (let step = 0; step < mostSteps && here.first !== 0; step++) {
    if (here.first < 0) low = a;
    else high = a;
    const newton = a - here.first / here.second;
    // Newton's steps square the error, so the remaining error is below the precision of doubles.
    const isLast = Math.abs(newton - a) <= 1e-9 * a;
    const isInside = newton > low && newton < Math.min(high, 4 * a);
    a = isLast || isInside ? newton : high === Infinity ? 4 * a : (low + high) / 2;
    here = at(a);
    if (isLast) break;
  }
  return { slope: Math.min(a / unit, Number.MAX_VALUE), reach, loss: lossAt(a) };
}

/** Returns Σₖ tᵢₖ dᵢₖ of each example. */
function targetsOf({ behind, labels, outputs, perClass }: Examples): Float64Array {
  return labels.map((label, i) => {
    const at = i * outputs;
    let all = 0;
    for (let k = at; k < at + outputs; k++) all += behind[k]!;
    const count = perClass[label]!;
    const own = behind[at + label]!;
    return ((count + 1) * own + (all - own) / (outputs - 1)) / (count + 2);
  });
}

/** Returns the first two derivatives of F at a, and writes Σₖ exp(a·dᵢₖ) of each example to `sums`. */
function derivatives({ behind, outputs }: Examples, targets: Float64Array, a: number, sums: Float64Array) {
  let [first, second] = [0, 0];
  for (let i = 0, at = 0; i < targets.length; i++, at += outputs) {
    let [sum, mean, square] = [0, 0, 0];
    for (let k = at; k < at + outputs; k++) {
      const d = behind[k]!;
      const e = d === 0 || a === 0 ? 1 : exponential(a * d);
      sum += e;
      mean += e * d;
      square += e * d * d;
    }
    mean /= sum;
    first += mean - targets[i]!;
    second += square / sum - mean * mean;
    sums[i] = sum;
  }
  return { first, second };
}
