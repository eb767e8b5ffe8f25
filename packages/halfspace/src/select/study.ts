import type { ExampleStore } from '../data/store.ts';
import { HalfspaceError } from '../errors.ts';
import type { Candidate, FoldContext } from '../evaluate/candidate.ts';
import { type CalibrationKind, crossFittedProbabilities, fitCalibrations } from '../evaluate/fit-calibration.ts';
import { FoldedExamples } from '../evaluate/folded-examples.ts';
import { type OutOfFold, scoreOutOfFold } from '../evaluate/out-of-fold.ts';
import {
  dealForCurves,
  type LearningCurve,
  learningCurveOf,
  type ValidationCurve,
  validationCurveOf,
  validationPasses,
} from '../evaluate/run-curves.ts';
import type { Calibration } from '../model/calibration.ts';
import { definitionOf, hasPasses, type RuleName } from '../rules/registry.ts';

/** Folds of the cross-validation. */
export const studyFolds = 5;
/** Largest number of values for learning several times over. */
const mostStudied = 5e7;
/** Number of values that the examples of curves have, about. */
const mostDrawn = 2e6;
/** Least number of examples for curves, and largest for slow rules: those in dual form, and trees. */
const fewestDrawn = 500;
const mostDrawnSlow = 1000;
/** Number of learners, one for each of several classes. */
const learners = (classes: number) => (classes > 2 ? classes : 1);

/** What a study is to find out. */
export interface StudyPlan {
  readonly calibrate: CalibrationKind | null;
  /** Whether learning and validation curves are asked for. */
  readonly curves: boolean;
  /** The rule, where it is known before it learns. */
  readonly rule: RuleName | null;
  readonly seed: number;
}

export interface FittedCalibration {
  /** That of the model: one. */
  readonly calibration: readonly Calibration[];
  /** Probabilities of the scored examples, by calibrations of the other folds; row by row, one for each class. */
  readonly probabilities: Float64Array;
}

export interface StudyResult {
  readonly fitted: FittedCalibration | null;
  /** Null where neither was asked for. */
  readonly scored: OutOfFold | null;
  readonly learningCurve: LearningCurve | null;
  /** Null for a tree too, which has no passes. */
  readonly validationCurve: ValidationCurve | null;
}

export interface StudyRun {
  readonly candidate: Candidate;
  /** Passes that the model took. */
  readonly passes: number;
  /** Called after every run with how many are done; may throw to end the study. */
  readonly onRun: (done: number, of: number) => void | Promise<void>;
}

/**
 * Cross-validation of what made a model. Deals out the examples before the model learns, because its run may shuffle
 * them.
 */
export class Study {
  readonly #context: FoldContext;
  readonly #plan: StudyPlan;
  readonly #all: FoldedExamples | null = null;
  readonly #some: FoldedExamples | null = null;

  /**
   * @param store keeps its examples as they are; only read.
   * @param perClass examples of each class.
   * @throws HalfspaceError `option-invalid` where a calibration is asked for that these examples do not allow.
   */
  constructor(store: ExampleStore, context: FoldContext, perClass: readonly number[], plan: StudyPlan) {
    this.#context = context;
    this.#plan = plan;
    const { calibrate, curves, rule, seed } = plan;
    const large = store.stored > mostStudied || store.spilled;
    const rarest = Math.min(...perClass);
    const renumber = rule === null || hasPasses(rule);
    if (calibrate !== null && large)
      throw new HalfspaceError(
        'option-invalid',
        `expected at most ${mostStudied} numbers, all of them in memory, to calibrate by cross-validation; got ${store.stored}`,
      );
    if (calibrate !== null && rarest < studyFolds)
      throw new HalfspaceError(
        'option-invalid',
        `expected at least ${studyFolds} examples of every class to calibrate by cross-validation; got ${rarest}`,
      );
    if (calibrate !== null)
      this.#all = new FoldedExamples(context.kernels, store, { folds: studyFolds, repeat: 0, seed, renumber });
    if (!curves || large || rarest < studyFolds) return;
    const room = Math.floor((store.rows * mostDrawn) / (store.stored * learners(context.classes)));
    const most = rule !== null && isSlow(rule) ? mostDrawnSlow : store.rows;
    const examples = Math.min(store.rows, most, Math.max(fewestDrawn, room));
    this.#some = dealForCurves(store, context, { folds: studyFolds, seed, examples, renumber });
  }

  async run({ candidate, passes, onRun }: StudyRun): Promise<StudyResult> {
    const dealt = this.#all ?? this.#some;
    if (dealt === null) return { fitted: null, scored: null, learningCurve: null, validationCurve: null };
    const context = this.#context;
    const of = studyFolds * ((this.#some === null ? 0 : 11) + 1);
    let done = 0;
    const told = () => onRun(++done, of);
    const scored = await scoreOutOfFold(candidate, context, dealt, { passes, onRun: told });
    const { calibrate } = this.#plan;
    const fitted =
      calibrate === null
        ? null
        : {
            calibration: fitCalibrations(calibrate, scored),
            probabilities: crossFittedProbabilities(calibrate, scored),
          };
    const some = this.#some;
    const learningCurve = some && (await learningCurveOf(candidate, context, some, { passes, onRun: told }));
    const judged = { passes: validationPasses(passes), onRun: told };
    const drawn = some !== null && hasPasses(candidate.rule);
    const validationCurve = drawn ? await validationCurveOf(candidate, context, some, judged) : null;
    return { fitted, scored, learningCurve, validationCurve };
  }

  free(): void {
    this.#all?.free();
    this.#some?.free();
  }
}

function isSlow(rule: RuleName): boolean {
  return !hasPasses(rule) || definitionOf(rule).dual === true;
}
