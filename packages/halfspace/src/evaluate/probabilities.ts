import { naturalLog } from '../kernels/natural-log.ts';
import { type Calibration, classProbabilities } from '../model/calibration.ts';
import { labelPosition } from '../model/scorer.ts';
import type { ScoredExamples } from './out-of-fold.ts';

/** What probabilities were worth. */
export interface ProbabilityJudgement {
  /** Examples judged. */
  readonly examples: number;
  /**
   * Half the mean over examples of Σₖ (pₖ − tₖ)², tₖ = 1 for the example's class, else 0: of two classes the mean of (p − t)². In [0, 1].
   */
  readonly brierScore: number;
  /** The mean of −ln of the probability that the example's class was given, which counts as 2⁻⁵² at least; in nats, in [0, 36.05). */
  readonly logLoss: number;
}

/**
 * The probabilities of all classes of every example, row by row, of two classes the negative one first.
 *
 * @param calibration one for each score.
 * @throws HalfspaceError `number-invalid` for a score of NaN.
 */
export function classProbabilitiesOf(
  calibration: readonly Calibration[],
  { outputs, scores }: ScoredExamples,
): Float64Array {
  const classes = Math.max(2, outputs);
  const rows = scores.length / outputs;
  const probabilities = new Float64Array(rows * classes);
  for (let i = 0; i < rows; i++) probabilities.set(classProbabilities(calibration, scores, i * outputs), i * classes);
  return probabilities;
}

/** Folds Brier score (Brier 1950) and log loss (Good 1952) over examples, in constant memory. */
export class ProbabilityTally {
  #examples = 0;
  #brier = 0;
  #log = 0;

  /** @param probabilities of all classes, one example's beginning `at`. @param own the position of the example's class. */
  addRow(probabilities: ArrayLike<number>, at: number, classes: number, own: number): void {
    for (let k = 0; k < classes; k++) {
      const p = probabilities[at + k]!;
      this.#brier += (k === own ? (1 - p) ** 2 : p ** 2) / 2;
    }
    this.#log -= naturalLog(Math.max(Number.EPSILON, probabilities[at + own]!));
    this.#examples++;
  }

  /** Null without examples. */
  get judgement(): ProbabilityJudgement | null {
    const examples = this.#examples;
    return examples === 0 ? null : { examples, brierScore: this.#brier / examples, logLoss: this.#log / examples };
  }
}

/**
 * Judges what probabilities a calibration makes of scores, batch by batch, as `evaluate` hands them to `onScores`. Once a score is not a
 * number, nothing is said any more.
 */
export class CalibrationTally {
  readonly #calibration: readonly Calibration[];
  readonly #tally = new ProbabilityTally();
  #numbers = true;

  /** @param calibration one for each score. */
  constructor(calibration: readonly Calibration[]) {
    this.#calibration = calibration;
  }

  readonly add = (scores: Float64Array, labels: Float64Array): void => {
    this.#numbers &&= !scores.some(Number.isNaN);
    if (!this.#numbers) return;
    const outputs = this.#calibration.length;
    labels.forEach((label, i) => {
      const probabilities = classProbabilities(this.#calibration, scores, i * outputs);
      this.#tally.addRow(probabilities, 0, probabilities.length, labelPosition(label, outputs));
    });
  };

  /** Null without examples, and where some score was not a number. */
  get judgement(): ProbabilityJudgement | null {
    return this.#numbers ? this.#tally.judgement : null;
  }
}

/** Judges probabilities that are known already. @param probabilities as {@link classProbabilitiesOf} gives them. */
export function judgeProbabilities(
  probabilities: Float64Array,
  { outputs, labels }: Pick<ScoredExamples, 'outputs' | 'labels'>,
): ProbabilityJudgement | null {
  const classes = Math.max(2, outputs);
  const tally = new ProbabilityTally();
  labels.forEach((label, i) => {
    tally.addRow(probabilities, i * classes, classes, labelPosition(label, outputs));
  });
  return tally.judgement;
}
