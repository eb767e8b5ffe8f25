import { HalfspaceError } from '../errors.ts';
import { naturalLog } from '../kernels/natural-log.ts';
import type { Calibration } from './calibration.ts';
import { classProbabilities, mostProbable } from './class-probabilities.ts';
import { type Model, tieOf } from './model.ts';
import type { ScoredExamples } from './scored-rows.ts';
import { classPosition, labelPosition } from './scorer.ts';

/** Quality of probabilities, and of the most probable classes. */
export interface ProbabilityJudgement {
  /** Number of examples. */
  readonly examples: number;
  /** Number of examples whose most probable class is not their own; see {@link mostProbable}. */
  readonly errors: number;
  /** Share of examples whose most probable class is their own, in [0, 1]. */
  readonly accuracy: number;
  /** Accuracy of predictions by score. It differs if the probability does not cross ½ at score 0. */
  readonly scoreAccuracy: number;
  /** Half the mean of Σₖ (pₖ − tₖ)², tₖ = 1 for the example's class, else 0; for two classes (p − t)². In [0, 1]. */
  readonly brierScore: number;
  /** Mean of −ln of the probability of the example's class, but at least 2⁻⁵²; in nats, in [0, 36.05). */
  readonly logLoss: number;
}

/**
 * Returns the probabilities of all classes of every example, row by row; the negative of two classes first.
 *
 * @param calibration of a model: one, or one for each score.
 * @throws HalfspaceError `number-invalid` for a score of NaN.
 */
export function classProbabilitiesOf(
  calibration: readonly [Calibration],
  { outputs, scores }: Pick<ScoredExamples, 'outputs' | 'scores'>,
): Float64Array {
  const classes = Math.max(2, outputs);
  const rows = scores.length / outputs;
  const probabilities = new Float64Array(rows * classes);
  for (let i = 0; i < rows; i++) {
    const own = classProbabilities(calibration, scores, i * outputs, outputs);
    for (let k = 0; k < classes; k++) probabilities[i * classes + k] = own[k]!;
  }
  return probabilities;
}

/** Accumulates Brier score (Brier 1950), log loss (Good 1952) and errors in constant memory. */
class ProbabilityTally {
  #examples = 0;
  #errors = 0;
  #scoreErrors = 0;
  #brier = 0;
  #log = 0;

  /** @param probabilities of the examples, by {@link classProbabilitiesOf}. */
  add(probabilities: Float64Array, { outputs, scores, labels }: ScoredExamples, tie: number): void {
    const classes = Math.max(2, outputs);
    labels.forEach((label, i) => {
      const at = i * classes;
      const own = labelPosition(label, outputs);
      const scored = classPosition(scores, i * outputs, outputs, tie);
      for (let k = 0; k < classes; k++) {
        const p = probabilities[at + k]!;
        this.#brier += (k === own ? (1 - p) ** 2 : p ** 2) / 2;
      }
      // A class that the model does not have is none of the classes, and has no probability.
      if (own >= classes) this.#brier += 1 / 2;
      this.#log -= naturalLog(Math.max(Number.EPSILON, own >= classes ? 0 : probabilities[at + own]!));
      if (mostProbable(probabilities, at, classes, scored) !== own) this.#errors++;
      if (scored !== own) this.#scoreErrors++;
    });
    this.#examples += labels.length;
  }

  /** Null without examples. */
  get judgement(): ProbabilityJudgement | null {
    const examples = this.#examples;
    if (examples === 0) return null;
    return {
      examples,
      errors: this.#errors,
      accuracy: (examples - this.#errors) / examples,
      scoreAccuracy: (examples - this.#scoreErrors) / examples,
      brierScore: this.#brier / examples,
      logLoss: this.#log / examples,
    };
  }
}

/** Evaluates the probabilities of a calibrated model, as `onScores` of `evaluate`. A score of NaN ends it. */
export class CalibrationTally {
  readonly #calibration: readonly [Calibration];
  readonly #outputs: number;
  readonly #tie: number;
  readonly #tally = new ProbabilityTally();
  #numbers = true;

  /** @throws HalfspaceError `option-invalid` for a model without a calibration. */
  constructor(model: Model) {
    const { calibration, classes } = model;
    if (calibration === null)
      throw new HalfspaceError('option-invalid', 'expected a model trained with calibrate; got one without');
    this.#calibration = calibration;
    this.#outputs = classes.length === 2 ? 1 : classes.length;
    this.#tie = tieOf(model);
  }

  readonly add = (scores: Float64Array, labels: Float64Array): void => {
    this.#numbers &&= !scores.some(Number.isNaN);
    if (!this.#numbers) return;
    const scored = { outputs: this.#outputs, scores, labels };
    this.#tally.add(classProbabilitiesOf(this.#calibration, scored), scored, this.#tie);
  };

  /** Null without examples, or if some score was not a number. */
  get judgement(): ProbabilityJudgement | null {
    return this.#numbers ? this.#tally.judgement : null;
  }
}

/**
 * Evaluates probabilities.
 *
 * @param probabilities by {@link classProbabilitiesOf}.
 * @param tie class of score 0 of two classes, −1 or +1. Default −1.
 */
export function judgeProbabilities(
  probabilities: Float64Array,
  scored: ScoredExamples,
  tie: -1 | 1 = -1,
): ProbabilityJudgement | null {
  const tally = new ProbabilityTally();
  tally.add(probabilities, scored, tie);
  return tally.judgement;
}
