import { HalfspaceError } from '../errors.ts';
import { exponential } from '../kernels/exponential.ts';
import { type Calibration, interpolate, type JointCalibration, probabilityOf } from './calibration.ts';
import { lead } from './lead.ts';

/**
 * Returns the probabilities of all classes from the scores of one example. Two classes use the calibration of their one
 * score; more classes use a joint calibration.
 *
 * @param calibration of a model: a list of one.
 * @param at position of the example's first score.
 * @param outputs number of scores of an example: 1 for two classes, else one for each class.
 * @returns one for each class, the negative one first; they add up to 1.
 * @throws HalfspaceError `number-invalid` for a score of NaN.
 */
export function classProbabilities(
  calibration: readonly [Calibration],
  scores: ArrayLike<number>,
  at: number,
  outputs: number,
): number[] {
  const [first] = calibration;
  if (isJoint(first)) {
    for (let k = 0; k < outputs; k++) checkNumber(scores[at + k]!);
    return shares(first.kind === 'softmax' ? softmax(first, scores, at, outputs) : byLead(first, scores, at, outputs));
  }
  const p = probabilityOf(first, scores[at]!);
  return [1 - p, p];
}

/**
 * Returns the position of the most probable class. If several are equally probable, it is `scored`, or the first if
 * `scored` is not among them.
 *
 * @param at position of the example's first probability.
 * @param scored position of the class that the scores predict; see {@link classPosition}.
 */
export function mostProbable(probabilities: ArrayLike<number>, at: number, classes: number, scored: number): number {
  let best = scored;
  for (let k = 0; k < classes; k++) if (probabilities[at + k]! > probabilities[at + best]!) best = k;
  return best;
}

export function isJoint(calibration: Calibration): calibration is JointCalibration {
  return calibration.kind === 'softmax' || calibration.kind === 'isotonic-leads';
}

/** Returns the numbers whose shares are the probabilities of a softmax of scores. */
export function softmax(
  { slope, reach }: Extract<JointCalibration, { kind: 'softmax' }>,
  scores: ArrayLike<number>,
  at: number,
  outputs: number,
): number[] {
  let highest = -Infinity;
  for (let k = 0; k < outputs; k++) highest = Math.max(highest, scores[at + k]!);
  return Array.from({ length: outputs }, (_, k) => {
    const score = scores[at + k]!;
    const behind = score === highest ? 0 : Math.max(score - highest, -(reach ?? Infinity));
    return slope === 0 ? 1 : exponential(slope * behind);
  });
}

/** Returns the numbers whose shares are the probabilities by leads. */
export function byLead(
  { leads, probabilities }: Extract<JointCalibration, { kind: 'isotonic-leads' }>,
  scores: ArrayLike<number>,
  at: number,
  outputs: number,
): number[] {
  return Array.from({ length: outputs }, (_, k) => interpolate(leads, probabilities, lead(scores, at, outputs, k)));
}

/** Divides numbers by their sum; returns equal shares if all are 0. */
export function shares(numbers: number[]): number[] {
  const sum = numbers.reduce((total, each) => total + each, 0);
  return numbers.map((each) => (sum === 0 ? 1 / numbers.length : each / sum));
}

function checkNumber(score: number): void {
  if (Number.isNaN(score)) throw new HalfspaceError('number-invalid', 'expected a score that is a number; got NaN');
}
