import type { ExampleStore } from '../data/store.ts';
import { HalfspaceError } from '../errors.ts';
import type { Candidate, FoldContext } from '../evaluate/candidate.ts';
import { type FittedCalibration, fitOutOfFold } from '../evaluate/fit-calibration.ts';
import { FoldedExamples } from '../evaluate/folded-examples.ts';
import type { Metric } from '../evaluate/metric.ts';
import { type OutOfFold, scoreOutOfFold } from '../evaluate/out-of-fold.ts';
import {
  dealForCurves,
  type LearningCurve,
  learningCurveOf,
  type ValidationCurve,
  validationCurveOf,
  validationPasses,
} from '../evaluate/run-curves.ts';
import { bestThreshold, type Threshold } from '../evaluate/threshold.ts';
import { FoldPool } from '../pool/fold-pool.ts';
import { hasHyperplanes, hasPasses, hasWeights, type RuleName } from '../rules/registry.ts';
import { defaultFolds } from './run-notes.ts';
import type { StudySettings } from './train-options.ts';

/** Largest number of stored values for which a study trains several times. */
const mostStudied = 5e7;
/** Approximate largest number of stored values in the sample for curves. */
const mostDrawn = 2e6;
/** Smallest number of examples for curves; and the largest for slow rules, that is dual rules and trees. */
const fewestDrawn = 500;
const mostDrawnSlow = 1000;
/** Number of learners: one per class for three or more classes. */
const learners = (classes: number) => (classes > 2 ? classes : 1);

/** Parts of a study, and its seed. */
interface StudyPlan extends StudySettings {
  /** The rule, if it is known before training. */
  readonly rule: RuleName | null;
  /** The metric of the threshold. */
  readonly metric: Metric;
  readonly seed: number;
}

export interface StudyResult {
  /** k of the cross-validation. */
  readonly folds: number;
  readonly fitted: FittedCalibration | null;
  /** Null if no cross-validation ran. */
  readonly scored: OutOfFold | null;
  /** The scores are less that of the threshold. Null if none was asked for. */
  readonly threshold: Threshold | null;
  readonly learningCurve: LearningCurve | null;
  /** Also null for rules without passes. */
  readonly validationCurve: ValidationCurve | null;
}

interface StudyRun {
  readonly candidate: Candidate;
  /** Number of passes that the model took. */
  readonly passes: number;
  /** Called after every run with the number of finished and of all runs; may throw to end the study. */
  readonly onRun: (done: number, of: number) => void;
}

/** Cross-validates the candidate that gave a model. Deals out the examples before learning, which may shuffle them. */
export class Study {
  readonly #context: FoldContext;
  readonly #plan: StudyPlan;
  readonly #all: FoldedExamples | null = null;
  readonly #some: FoldedExamples | null = null;
  /** k of the cross-validation. */
  readonly #folds: number;

  /**
   * @param store only read.
   * @param perClass number of examples of each class.
   * @throws HalfspaceError `option-invalid` if the examples do not allow the calibration.
   */
  constructor(store: ExampleStore, context: FoldContext, perClass: readonly number[], plan: StudyPlan) {
    this.#context = context;
    this.#plan = plan;
    const { calibrate, curves, rule, seed } = plan;
    const folds = plan.folds ?? defaultFolds;
    const all = calibrate !== null || plan.folds !== null || plan.threshold;
    this.#folds = folds;
    const large = store.stored > mostStudied || store.large;
    const calibrated = perClass.filter((count) => count > 1).length;
    const renumber = rule === null || hasHyperplanes(rule);
    const purpose = calibrate === null ? `to cross-validate by ${folds} folds` : 'to calibrate by cross-validation';
    if (all && large)
      throw new HalfspaceError(
        'option-invalid',
        `expected at most ${mostStudied} numbers, all of them in memory, ${purpose}; got ${store.stored}`,
      );
    if (calibrate !== null && calibrated < 2)
      throw new HalfspaceError(
        'option-invalid',
        `expected at least 2 examples of each of two classes ${purpose}; got ${calibrated === 0 ? 'none' : 'one such class'}`,
      );
    if (all && store.rows < folds)
      throw new HalfspaceError('option-invalid', `expected at least ${folds} examples ${purpose}; got ${store.rows}`);
    if (all) this.#all = new FoldedExamples(context.kernels, store, { folds, repeat: 0, seed, renumber });
    if (!curves || large || store.rows < folds) return;
    const room = Math.floor((store.rows * mostDrawn) / (store.stored * learners(context.classes)));
    const most = rule !== null && !hasWeights(rule) ? mostDrawnSlow : store.rows;
    const examples = Math.min(store.rows, most, Math.max(fewestDrawn, room));
    this.#some = dealForCurves(store, context, { folds, seed, examples, renumber });
  }

  async run({ candidate, passes, onRun }: StudyRun): Promise<StudyResult> {
    const dealt = this.#all ?? this.#some;
    if (dealt === null)
      return {
        folds: this.#folds,
        fitted: null,
        scored: null,
        threshold: null,
        learningCurve: null,
        validationCurve: null,
      };
    return FoldPool.judging(this.#context, candidate.rule, (pool) =>
      this.#runOn(dealt, pool, { candidate, passes, onRun }),
    );
  }

  async #runOn(dealt: FoldedExamples, runner: FoldPool, { candidate, passes, onRun }: StudyRun): Promise<StudyResult> {
    const context = this.#context;
    const of = this.#folds * ((this.#some === null ? 0 : 11) + 1);
    let done = 0;
    const onEach = () => onRun(++done, of);
    const scored = await scoreOutOfFold(candidate, context, dealt, {
      passes,
      runner,
      later: of - this.#folds,
      onRun: onEach,
    });
    const { calibrate, metric } = this.#plan;
    const threshold = this.#plan.threshold ? bestThreshold(metric, scored) : null;
    // Calibrations, rankings and confusion matrices are of the scores of the moved model.
    if (threshold !== null) scored.scores.set(scored.scores.map((score) => score - threshold.score));
    const fitted = calibrate === null ? null : fitOutOfFold(calibrate, scored);
    const some = this.#some;
    const learningCurve = some && (await learningCurveOf(candidate, context, some, { passes, runner, onRun: onEach }));
    const judged = { passes: validationPasses(passes), runner, onRun: onEach };
    const drawn = some !== null && hasPasses(candidate.rule);
    const validationCurve = drawn ? await validationCurveOf(candidate, context, some, judged) : null;
    return { folds: this.#folds, fitted, scored, threshold, learningCurve, validationCurve };
  }

  free(): void {
    this.#all?.free();
    this.#some?.free();
  }
}
