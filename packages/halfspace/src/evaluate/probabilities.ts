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

/** Folds Brier score (Brier 1950) and log loss (Good 1952) over batches, in constant memory. */
export class ProbabilityTally {
  readonly #calibration: readonly Calibration[];
  #examples = 0;
  #brier = 0;
  #log = 0;
  #ordered = true;

  /** @param calibration one for each score. */
  constructor(calibration: readonly Calibration[]) {
    this.#calibration = calibration;
  }

  /** Counts a batch, as `evaluate` hands it to `onScores`. */
  readonly add = (scores: Float64Array, labels: Float64Array): void => {
    const outputs = this.#calibration.length;
    for (let i = 0; i < labels.length; i++) {
      // Of two classes the only score, of several any: one that overflowed makes no probability.
      for (let k = 0; k < outputs; k++) if (Number.isNaN(scores[i * outputs + k]!)) this.#ordered = false;
      if (!this.#ordered) return;
      const probabilities = classProbabilities(this.#calibration, scores, i * outputs);
      const own = labelPosition(labels[i]!, outputs);
      this.#log -= Math.log(Math.max(Number.EPSILON, probabilities[own]!));
      this.#brier += probabilities.reduce((sum, p, k) => sum + (k === own ? (1 - p) ** 2 : p ** 2), 0) / 2;
      this.#examples++;
    }
  };

  /** Null without examples, and where some score was not a number. */
  get judgement(): ProbabilityJudgement | null {
    if (!this.#ordered || this.#examples === 0) return null;
    const examples = this.#examples;
    return { examples, brierScore: this.#brier / examples, logLoss: this.#log / examples };
  }
}

/** Brier score and log loss of examples that are scored already; null as for {@link ProbabilityTally}. */
export function judgeProbabilities(
  calibration: readonly Calibration[],
  { scores, labels }: ScoredExamples,
): ProbabilityJudgement | null {
  const tally = new ProbabilityTally(calibration);
  tally.add(scores, labels);
  return tally.judgement;
}
