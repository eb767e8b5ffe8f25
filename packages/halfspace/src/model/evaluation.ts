import type { Label } from '../data/label.ts';
import type { UnknownValues } from '../features/unknown.ts';
import type { Judgement, Quality, Score } from './metrics.ts';
import type { Model } from './model.ts';
import { CalibrationTally } from './probabilities.ts';
import { averagePrecision, rankScores, rocArea } from './ranking.ts';
import { ScoredRows } from './scored-rows.ts';

/** The result of `evaluate`; `halfspace evaluate --json` prints the same numbers. */
export interface Evaluation extends Judgement, Quality, ScoreQuality {
  /** Values that the model does not know; null if the source does not count them. */
  readonly unknown: UnknownValues | null;
  /** Notes on how the source was read: the values that the model does not know, with the likely cause; … */
  readonly notes: readonly string[];
}

/** An evaluation with the labels of the model. */
export interface LabelledEvaluation<L extends Label> extends Evaluation {
  /** The model's classes in the order of `confusion`, as labels of the type that was learned. */
  readonly labels: readonly L[];
}

/** Quality of the scores of two classes, and of the probabilities of a calibrated model. */
interface ScoreQuality {
  /**
   * Area under the ROC curve of the positive class, in [0, 1]; null for more classes, for rows of one class, and for
   * more than 2²⁰ rows.
   */
  readonly rocArea: number | null;
  /** Average precision of the positive class, in (0, 1]; null as `rocArea`. */
  readonly averagePrecision: number | null;
  /** Mean of −ln of the probability of a row's class, in nats; null without a calibration. */
  readonly logLoss: number | null;
  /** Brier score, in [0, 1]: for two classes the mean of (p − t)², t = 1 for the row's class; null as `logLoss`. */
  readonly brierScore: number | null;
  /** Results of the most probable class; null as `logLoss`. */
  readonly mostProbable: Score | null;
}

/** Judges the scores of a model, batch by batch. */
export class ScoreJudge {
  readonly #two: boolean;
  readonly #scored: ScoredRows | null;
  readonly #probabilities: CalibrationTally | null;

  /** @param scored keeps the scores. Default: of two classes a new one, of more none. */
  constructor(model: Model, scored?: ScoredRows) {
    this.#two = model.classes.length === 2;
    this.#scored = scored ?? (this.#two ? new ScoredRows() : null);
    this.#probabilities = model.calibration === null ? null : new CalibrationTally(model);
  }

  add(scores: Float64Array, labels: Float64Array): void {
    this.#scored?.add(scores, labels);
    this.#probabilities?.add(scores, labels);
  }

  get result(): ScoreQuality {
    const scored = this.#scored;
    // A score that is no number has no order.
    const isRanked = this.#two && scored?.complete === true && !scored.scores.some(Number.isNaN);
    const ranking = isRanked ? rankScores(scored.scores, scored.labels) : null;
    const judged = this.#probabilities?.judgement ?? null;
    return {
      rocArea: ranking === null ? null : rocArea(ranking),
      averagePrecision: ranking === null ? null : averagePrecision(ranking),
      logLoss: judged?.logLoss ?? null,
      brierScore: judged?.brierScore ?? null,
      mostProbable: judged && { examples: judged.examples, errors: judged.errors, accuracy: judged.accuracy },
    };
  }

  get notes(): readonly string[] {
    if (this.#scored?.complete !== false) return [];
    return ['no ranking: it needs all scores in memory, and there are more than 1,048,576'];
  }
}
