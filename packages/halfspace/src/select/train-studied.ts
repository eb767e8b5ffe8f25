import type { StoredBatch } from '../batch.ts';
import type { ExampleSource } from '../data/source.ts';
import type { ExampleStore } from '../data/store.ts';
import { HalfspaceError, quote } from '../errors.ts';
import type { Candidate } from '../evaluate/candidate.ts';
import { type CalibrationKind, calibrationKinds } from '../evaluate/fit-calibration.ts';
import type { ScoredExamples } from '../evaluate/out-of-fold.ts';
import { classProbabilitiesOf, judgeProbabilities, type ProbabilityJudgement } from '../evaluate/probabilities.ts';
import type { LearningCurve, ValidationCurve } from '../evaluate/run-curves.ts';
import { ScoredRows } from '../evaluate/scored-rows.ts';
import { checkOptionNames, type OptionNames } from '../features/option-names.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { Calibration } from '../model/calibration.ts';
import { scorerOf } from '../model/function-scorer.ts';
import { evaluateWith, judgeBatches } from '../model/judge.ts';
import { createScorer } from '../model/kinds.ts';
import { functionsOf, type Model } from '../model/model.ts';
import type { Scorer } from '../model/scorer.ts';
import type { RuleName } from '../rules/registry.ts';
import { planTraining } from '../train/options.ts';
import type { TrainPlan } from '../train/plan.ts';
import type { TrainingResult } from '../train/report.ts';
import { trainFrom } from '../train/train-once.ts';
import { type AllExamples, withAll } from './read-all.ts';
import { Study, type StudyResult, studyFolds } from './study.ts';
import {
  type ChosenTrainOptions,
  chosenOptionNames,
  type RuleSearch,
  trainChosenFrom,
  withoutChosen,
} from './train-chosen.ts';

/** Options of {@link trainStudied}. */
export interface StudiedTrainOptions extends ChosenTrainOptions {
  /** True chooses rule, options and passes as `trainChosen` does. Default false. */
  readonly choose?: boolean | undefined;
  /**
   * Calibration of the model, fitted on cross-validated scores. `platt`: a sigmoid, or a softmax for several classes;
   * needs few examples. `isotonic`: an increasing curve of any shape. Default: none.
   */
  readonly calibrate?: CalibrationKind | undefined;
  /** True computes learning and validation curves. Default false. */
  readonly curves?: boolean | undefined;
  /** Called after every run of the cross-validation. */
  readonly onStudy?: ((done: number, of: number) => void) | undefined;
}

const studiedOptionNames: OptionNames<StudiedTrainOptions> = {
  ...chosenOptionNames,
  choose: true,
  calibrate: true,
  curves: true,
  onStudy: true,
};

export interface StudiedTrainingResult extends TrainingResult {
  /** The search for the rule; null if the rule was given. */
  readonly search: RuleSearch | null;
  readonly study: TrainingStudy;
}

/** Findings about a model besides those of its run. */
export interface TrainingStudy {
  readonly calibration: CalibrationReport | null;
  readonly learningCurve: LearningCurve | null;
  readonly validationCurve: ValidationCurve | null;
  /** Scores for curves; null if there were too many to keep. */
  readonly scored: StudiedScores | null;
}

/**
 * A calibration and the quality of its probabilities. If `accuracy` of `outOfFold` is below `scoreAccuracy`, the
 * calibration does not fit the scores.
 */
export interface CalibrationReport {
  readonly kind: CalibrationKind;
  /** k of the cross-validation that gave the scores. */
  readonly folds: number;
  /** On the scores of each fold, by calibrations fitted on the other folds. */
  readonly outOfFold: ProbabilityJudgement;
  /** True if, out of fold, the most probable class is right less often than the class predicted by score: a warning. */
  readonly isLessRight: boolean;
  /** On held-out examples; null without them, or if some score is not a number. */
  readonly holdout: ProbabilityJudgement | null;
  /** On the examples of the option `validation`; null without them. */
  readonly validation: ProbabilityJudgement | null;
}

export interface StudiedScores extends ScoredExamples {
  /**
   * Source of the examples, the first available of: `holdout`; `validation`; `out-of-fold`, training examples scored by
   * runs that did not learn from them; `train`, training examples scored by the model, which are too optimistic.
   */
  readonly of: 'holdout' | 'validation' | 'out-of-fold' | 'train';
  /**
   * Probabilities of all classes, row by row, the negative class first; for `out-of-fold` by calibrations fitted on the
   * other folds. Null without a calibration, or if some score is not a number.
   */
  readonly probabilities: Float64Array | null;
}

/**
 * Trains as `train` or `trainChosen`, then cross-validates the same candidate for a calibration and for curves. Reads
 * all examples before the first pass; the model is that of `train`. Equal data, options and seed give equal results.
 *
 * The runs of the cross-validation have the model's rule, options and passes, and their own order of the examples.
 * Curves of many examples use a sample.
 *
 * @throws HalfspaceError as `train` does; `option-invalid` for a calibration of a variant that the runs cannot follow
 *   (`start`, `scaling`, `returns`, `tie` or `order: 'random'` of a lecture), with fewer than 5 examples of a class, or
 *   with more than 5·10⁷ values.
 */
export async function trainStudied(
  source: ExampleSource,
  options: StudiedTrainOptions = {},
): Promise<StudiedTrainingResult> {
  checkOptionNames(options, studiedOptionNames, 'trainStudied');
  const { choose = false, calibrate, curves = false, onStudy, validation, ...rest } = options;
  if (calibrate !== undefined && !calibrationKinds.includes(calibrate))
    throw new HalfspaceError(
      'option-invalid',
      `calibrate must be one of ${calibrationKinds.join(', ')}; got ${quote(calibrate)}`,
    );
  if (options.from !== undefined)
    throw new HalfspaceError('option-invalid', 'from is for a run without calibration and curves; got trainStudied');
  const plan = planTraining(choose ? withoutChosen(rest) : rest);
  const obstacle = obstacleIn(plan);
  if (calibrate !== undefined && obstacle !== null)
    throw new HalfspaceError('option-invalid', `calibrate is not for the variant ${obstacle}`);
  const { seed, holdout, classWeights } = plan;
  return withAll(source, { ...options, seed, holdout, classWeights }, async (all) => {
    const { intake, context } = all;
    const study = new Study(intake.store, context, intake.classExamples, {
      calibrate: calibrate ?? null,
      curves: curves && obstacle === null,
      rule: choose ? null : plan.variant.rule,
      seed,
    });
    try {
      const trained = choose
        ? await trainChosenFrom(source, rest, all)
        : { ...(await trainFrom(source, { ...rest, kernels: context.kernels }, intake)), search: null };
      const { report } = trained;
      const studied = await study.run({
        candidate: candidateOf(trained.model, plan),
        passes: report.best?.pass ?? report.passes,
        onRun: (done, of) => {
          onStudy?.(done, of);
          return context.breathe();
        },
      });
      return await judged(trained, studied, { all, calibrate, validation });
    } finally {
      study.free();
    }
  });
}

interface Judging {
  readonly all: AllExamples;
  readonly calibrate: CalibrationKind | undefined;
  readonly validation: StudiedTrainOptions['validation'];
}

/** Evaluates the model on its own examples, on the held-out ones and on those of `validation`. */
async function judged(
  { model, report, search, ...rest }: TrainingResult & Pick<StudiedTrainingResult, 'search'>,
  studied: StudyResult,
  { all: { intake, context }, calibrate, validation }: Judging,
): Promise<StudiedTrainingResult> {
  const { kernels } = context;
  const calibrated = studied.fitted === null ? model : { ...model, calibration: studied.fitted.calibration };
  const held = scoresOf(intake.held, createScorer(kernels, model));
  const kept = new ScoredRows(context.classes > 2 ? context.classes : 1);
  const onValidated =
    validation === undefined
      ? null
      : await evaluateWith(kernels, calibrated, validation, {
          onScores: ({ scores, labels }) => kept.add(scores, labels),
        });
  const judgedScores: JudgedScores = { held, validated: onValidated !== null && kept.complete ? kept : null };
  const { learningCurve, validationCurve } = studied;
  const trained = () => scoresOf(intake.store, storeScorer(kernels, model));
  return {
    model: calibrated,
    report: { ...report, validation: onValidated },
    ...rest,
    search,
    study: {
      calibration: calibrationReport(calibrate, studied, judgedScores),
      learningCurve,
      validationCurve,
      scored: scoresToShow(calibrated, studied, { ...judgedScores, trained }),
    },
  };
}

/** Returns the part of a variant that cross-validation cannot follow, or null. */
function obstacleIn({ variant }: TrainPlan): string | null {
  const { start, scaling, returns, tie, order } = variant;
  if (start !== 'zero') return `start ${start}`;
  if (scaling !== 'none') return `scaling ${scaling}`;
  if (returns !== 'weights') return `returns ${returns}`;
  if (tie !== -1) return `tie ${tie}`;
  return order === 'random' ? 'order random' : null;
}

/** Returns the candidate that gave a model. */
function candidateOf(model: Model, { variant, multiclass }: TrainPlan): Candidate {
  return {
    rule: model.rule as RuleName,
    options: model.options,
    multiclass: model.kind === 'multiclass' ? model.strategy : multiclass,
    biasConstant: variant.bias === 'none' ? 0 : 1,
  };
}

interface JudgedScores {
  readonly held: ScoredExamples | null;
  readonly validated: ScoredExamples | null;
}

function calibrationReport(
  kind: CalibrationKind | undefined,
  { fitted, scored }: StudyResult,
  { held, validated }: JudgedScores,
): CalibrationReport | null {
  if (kind === undefined || fitted === null) return null;
  const judged = (some: ScoredExamples | null) => {
    const probabilities = some === null ? null : probabilitiesOf(fitted.calibration, some);
    return probabilities === null ? null : judgeProbabilities(probabilities, some!);
  };
  const outOfFold = judgeProbabilities(fitted.probabilities, scored!)!;
  return {
    kind,
    folds: studyFolds,
    outOfFold,
    isLessRight: outOfFold.accuracy < outOfFold.scoreAccuracy,
    holdout: judged(held),
    validation: judged(validated),
  };
}

/** Returns the probabilities of scores; null if some score is not a number. */
function probabilitiesOf(calibration: readonly Calibration[] | null, scored: ScoredExamples): Float64Array | null {
  return calibration === null || scored.scores.some(Number.isNaN) ? null : classProbabilitiesOf(calibration, scored);
}

function scoresToShow(
  { calibration }: Model,
  { fitted, scored }: StudyResult,
  { held, validated, trained }: JudgedScores & { readonly trained: () => ScoredExamples | null },
): StudiedScores | null {
  const show = (of: StudiedScores['of'], { outputs, scores, labels }: ScoredExamples): StudiedScores => {
    const probabilities =
      of === 'out-of-fold'
        ? (fitted?.probabilities ?? null)
        : probabilitiesOf(calibration, { outputs, scores, labels });
    return { of, outputs, scores, labels, probabilities };
  };
  if (held !== null) return show('holdout', held);
  if (validated !== null) return show('validation', validated);
  if (scored !== null) return show('out-of-fold', scored);
  const own = trained();
  return own === null ? null : show('train', own);
}

/** Creates a scorer for the training store, whose values are divided already. */
function storeScorer(kernels: Kernels, model: Model): Scorer {
  if (model.kind === 'tree') return createScorer(kernels, model);
  return scorerOf(
    kernels,
    functionsOf(model).map((each) => ({ ...each, divisor: 1 })),
  );
}

/** Returns the scores of a store; null if it is empty or too large. Frees `scorer`. */
function scoresOf(store: ExampleStore, scorer: Scorer): ScoredExamples | null {
  const { outputs } = scorer;
  const kept = new ScoredRows(outputs);
  try {
    if (store.rows === 0 || store.rows * outputs > ScoredRows.most) return null;
    const onBatch = ({ labels, rows }: StoredBatch, scores: Float64Array) => kept.add(scores, labels.subarray(0, rows));
    judgeBatches(store.batches(), scorer, -1, { onBatch });
  } finally {
    scorer.free();
  }
  return { outputs, scores: kept.scores, labels: kept.labels };
}
