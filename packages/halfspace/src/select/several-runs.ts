import type { ExampleSource } from '../data/source.ts';
import { HalfspaceError } from '../errors.ts';
import type { Candidate } from '../evaluate/candidate.ts';
import type { Metric } from '../evaluate/metric.ts';
import type { LearningCurve, ValidationCurve } from '../evaluate/run-curves.ts';
import type { Threshold } from '../evaluate/threshold.ts';
import { evaluateWith } from '../model/judge.ts';
import { judgeStore } from '../model/judge-batches.ts';
import { loadScorer } from '../model/load-scorer.ts';
import { functionsOf, type Model } from '../model/model.ts';
import { ScoredRows } from '../model/scored-rows.ts';
import { hasWeights, type RuleName } from '../rules/registry.ts';
import { planTraining, type RunOptions } from '../train/options.ts';
import type { TrainPlan } from '../train/plan.ts';
import type { TrainingResult } from '../train/report.ts';
import { bendAll, bentExamples, finalShape, usualEdges } from './bent.ts';
import { type CalibrationReport, calibrationReport } from './calibration-report.ts';
import { chooseListed, rulesOf } from './choose-listed.ts';
import { type CrossValidation, crossValidationOf } from './cross-validation.ts';
import { onOccurring } from './occurring.ts';
import { type AllExamples, type ReadOptions, withAll } from './read-all.ts';
import { defaultFolds } from './run-notes.ts';
import { type Found, type RuleSearch, type Searching, searchRule, trainFound } from './search.ts';
import { Study, type StudyResult } from './study.ts';
import type { StudySettings, TrainSettings } from './train-options.ts';
import { scoresOf, scoresToShow, storeScorer, type TrainingScores, type UnseenScores } from './training-scores.ts';

export { metricSettings } from './metric-settings.ts';
export { lettersNote } from './search.ts';

/** Result of several runs over the same examples. */
export interface SeveralRunsResult extends TrainingResult {
  readonly search: RuleSearch | null;
  readonly calibration: CalibrationReport | null;
  readonly crossValidation: CrossValidation | null;
  readonly curves: TrainingCurves | null;
  readonly scores: TrainingScores | null;
  readonly threshold: Threshold | null;
}

/** Curves over runs of the rule that gave a model, with its options. */
export interface TrainingCurves {
  /**
   * Accuracy over the number of training examples. Null with more than 5·10⁷ values, with fewer examples than folds,
   * and for a lecture's variant that cross-validation cannot follow.
   */
  readonly learning: LearningCurve | null;
  /** Accuracy over the number of passes. Null as `learning` is, and for rules without passes. */
  readonly validation: ValidationCurve | null;
}

/**
 * Trains with a search for the rule, or with a cross-validation of the model, or both. Reads all examples before the
 * first pass. A named rule gives the model of `trainOnce`, but for its calibration.
 *
 * The runs of the cross-validation have the model's rule, options and passes, and their own order of the examples.
 * Curves of many examples use a sample.
 *
 * @throws HalfspaceError as `trainOnce` does; `option-invalid` for a calibration or folds of a variant that the runs
 *   cannot follow (`start`, `scaling`, `returns`, `tie` or `order: 'random'` of a lecture), with fewer examples than
 *   folds, with two examples of fewer than two classes for a calibration, or with more than 5·10⁷ values.
 */
export async function trainBySeveralRuns(
  sources: readonly ExampleSource[],
  settings: Settings,
): Promise<SeveralRunsResult> {
  const { run, lists, study, metric, threads, onProgress } = settings;
  const { seed, holdout, classWeights } = planTraining(run);
  if (lists !== null) rulesOf(lists);
  const reading = { ...run, seed, holdout, classWeights: lists === null ? classWeights : null, threads };
  return withEach(sources, reading, async (reads) => {
    if (lists === null) return trainOn(sources[0]!, reads[0]!, settings, null);
    const choice = await chooseListed(reads, lists, run, {
      folds: study?.folds ?? defaultFolds,
      metric,
      onRun: (done, of) => onProgress?.({ phase: 'search', done, of }),
    });
    return trainOn(sources[choice.source]!, choice.read, { ...settings, run: choice.run }, choice.search);
  });
}

type Settings = TrainSettings & { readonly metric: Metric };

/** Reads all sources, one after the other, and frees them after `use`. */
function withEach<T>(
  sources: readonly ExampleSource[],
  reading: ReadOptions,
  use: (reads: readonly AllExamples[]) => Promise<T>,
): Promise<T> {
  const next = (reads: readonly AllExamples[]): Promise<T> =>
    reads.length === sources.length
      ? use(reads)
      : withAll(sources[reads.length]!, reading, (read) => next([...reads, read]));
  return next([]);
}

/** @param listed the search by lists that gave the run; null: there was none. */
async function trainOn(
  source: ExampleSource,
  read: AllExamples,
  { run, searches, bend, pairs, study, metric, onProgress }: Settings,
  listed: RuleSearch | null,
): Promise<SeveralRunsResult> {
  const plan = planTraining(run);
  const { seed } = plan;
  const obstacle = obstacleIn(plan);
  if (study !== null && obstacle !== null) checkFollowed(study, obstacle);
  if (study?.threshold === true && !searches) checkHyperplane(plan.variant.rule);
  const onSearch = (done: number, of: number) => onProgress?.({ phase: 'search', done, of });
  const onRun = (done: number, of: number) => onProgress?.({ phase: 'cross-validation', done, of });
  const onClasses = (done: number, of: number) => onProgress?.({ phase: 'classes', done, of });
  const searching: Searching = { metric, bend, pairs, onRun: onSearch };
  // With letters on trial the features are those of a table, and all of them occur.
  if (searches && study === null && !source.lettersOnTrial?.length)
    return onOccurring(source, run, read, async (given, { validation, ...rest }) => ({
      ...unstudied,
      ...(await trainFound(await searchRule(given, rest, read, searching), { validation, onClasses })),
    }));
  if (study?.threshold === true) checkTwoClasses(read.context.classes);
  const { validation, ...rest } = run;
  const found = searches
    ? await searchRule(source, rest, read, searching)
    : await namedRun(source, rest, read, { bend, pairs, search: listed });
  const { all } = found;
  const { intake, context } = all;
  if (study === null) return { ...unstudied, ...(await trainFound(found, { validation, onClasses })) };
  const studying = new Study(intake.store, context, intake.classExamples, {
    ...study,
    curves: study.curves && obstacle === null,
    metric,
    rule: found.runs.at(-1)!.options.rule ?? plan.variant.rule,
    seed,
  });
  try {
    const trained = await trainFound(found, { onClasses });
    const { report } = trained;
    const studied = await studying.run({
      candidate: candidateOf(trained.model, plan),
      passes: report.best?.pass ?? report.passes,
      onRun,
    });
    const { threshold } = studied;
    const decided = threshold === null ? trained : moved(trained, threshold.score, all);
    return await judged(decided, studied, { all, study, validation });
  } finally {
    studying.free();
  }
}

/** Members of the result without a study. */
const unstudied = { calibration: null, crossValidation: null, curves: null, scores: null, threshold: null };

/** Returns the run of a named rule, on bent examples if they are asked for. @throws HalfspaceError `option-invalid`. */
async function namedRun(
  source: ExampleSource,
  options: RunOptions,
  all: AllExamples,
  { bend, pairs, search }: Pick<TrainSettings, 'bend' | 'pairs'> & { readonly search: RuleSearch | null },
): Promise<Found> {
  const { intake, context } = all;
  const runs = [{ options: { ...options, kernels: context.kernels }, mustSeparate: false, search }];
  if (bend === 'none') return { source, all, runs };
  const edges = bend === 'auto' ? usualEdges(intake.store.rows) : bend;
  const bent = await bentExamples(intake.store, { ...context, encoding: () => source.encoding() }, { edges, pairs });
  if (bent === null)
    throw new HalfspaceError('option-invalid', `bend is for tables with numbers; got ${edges} edges for none`);
  try {
    return { ...bendAll(source, all, await finalShape(bent, pairs === 0 ? 'bent' : 'crossed', options)), runs };
  } finally {
    bent.store.free();
  }
}

interface Judging {
  readonly all: AllExamples;
  readonly study: StudySettings;
  readonly validation: RunOptions['validation'];
}

/** Evaluates the model on its own examples, on the held-out ones and on those of `validation`. */
async function judged(
  { model, report, ...rest }: TrainingResult & Pick<SeveralRunsResult, 'search'>,
  studied: StudyResult,
  { all: { intake, context }, study, validation }: Judging,
): Promise<SeveralRunsResult> {
  const { kernels } = context;
  const calibrated = studied.fitted === null ? model : { ...model, calibration: studied.fitted.calibration };
  const held = scoresOf(intake.held, await loadScorer(kernels, model));
  const kept = new ScoredRows(context.classes > 2 ? context.classes : 1);
  const onValidated = validation === undefined ? null : await evaluateWith(kernels, calibrated, validation, {}, kept);
  const unseen: UnseenScores = { held, validated: onValidated !== null && kept.complete ? kept : null };
  const { learningCurve, validationCurve, scored, threshold } = studied;
  return {
    ...rest,
    model: calibrated,
    report: { ...report, validation: onValidated },
    threshold,
    calibration: calibrationReport(study.calibrate, studied, unseen),
    crossValidation: study.folds === null || scored === null ? null : crossValidationOf(scored.judgements),
    curves: study.curves ? { learning: learningCurve, validation: validationCurve } : null,
    scores: await scoresToShow(calibrated, studied, unseen, async () =>
      scoresOf(intake.store, await storeScorer(kernels, model)),
    ),
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

/** @throws HalfspaceError `option-invalid` if the study needs a cross-validation of all examples. */
function checkFollowed({ calibrate, folds, threshold }: StudySettings, obstacle: string): void {
  const name = calibrate !== null ? 'calibrate' : folds !== null ? 'folds' : threshold ? 'threshold' : null;
  if (name !== null) throw new HalfspaceError('option-invalid', `${name} is not for the variant ${obstacle}`);
}

/** @throws HalfspaceError `option-invalid` for a rule whose model has no bias to move. */
function checkHyperplane(rule: RuleName): void {
  if (!hasWeights(rule))
    throw new HalfspaceError('option-invalid', `threshold is for rules that learn a hyperplane; got the rule ${rule}`);
}

function checkTwoClasses(classes: number): void {
  if (classes > 2)
    throw new HalfspaceError(
      'option-invalid',
      `threshold is for two classes; got ${classes} (positive makes two of them)`,
    );
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

/**
 * Moves the decision threshold of a linear model of two classes to score 0: the bias takes it in, so whatever asks the
 * model follows it. Evaluates the model again on training and held-out examples; the margin of the report is null,
 * because the threshold is no longer that of the hyperplane that was learned.
 *
 * @param score of the threshold.
 */
function moved<Result extends TrainingResult>(
  { model, report, ...rest }: Result,
  score: number,
  { intake, context }: AllExamples,
): Result {
  if (score === 0 || model.kind !== 'linear') return { model, report, ...rest } as Result;
  const shifted: Model = { ...model, bias: model.bias - score / model.biasConstant };
  const judge = (store: typeof intake.store, divisor: number) => {
    const functions = functionsOf(shifted).map((each) => ({ ...each, divisor }));
    return judgeStore(store, context.kernels, functions, -1).judgement;
  };
  const judged = report.train === null ? null : judge(intake.store, 1);
  const train = judged && { ...report.train!, ...judged, separated: judged.errors === 0, margin: null };
  const holdout = report.holdout === null ? null : judge(intake.held, model.divisor);
  const training = {
    ...model.training,
    separated: train?.separated ?? null,
    trainAccuracy: train?.accuracy ?? null,
    holdoutAccuracy: holdout?.accuracy ?? null,
  };
  return { ...rest, model: { ...shifted, training }, report: { ...report, train, holdout } } as unknown as Result;
}
