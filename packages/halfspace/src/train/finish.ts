import type { StoredBatch } from '../batch.ts';
import type { Breathe } from '../data/breathe.ts';
import { OccurringFeatures } from '../data/occurring-features.ts';
import { dimensionOf } from '../features/dimension.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { MarginBracket } from '../margin/bracket.ts';
import { leastSquares, scaledLength } from '../margin/scaled-length.ts';
import type { ModelCommon } from '../model/common.ts';
import type { Evaluation } from '../model/evaluation.ts';
import { judgeStore } from '../model/judge-batches.ts';
import type { LinearFunction } from '../model/linear/model.ts';
import type { Judgement } from '../model/metrics.ts';
import { isDual, type Model, type ScoringFunction } from '../model/model.ts';
import type { LinearParameters } from '../rules/learner.ts';
import type { ContradictionTest } from './contradiction.ts';
import type { EarlyStopping } from './early-stopping.ts';
import type { StateKeeper } from './keep-state.ts';
import { MarginTally, type PresentSum, presentSum, type Result } from './margins.ts';
import type { RunOptions } from './options.ts';
import { overflow } from './overflow.ts';
import type { PassLog } from './pass-loop.ts';
import type { Geometry, TrainingReport, TrainingResult } from './report.ts';
import type { RunExamples } from './run-examples.ts';

/** Result of the passes of a run. */
export interface Learned {
  readonly learner: Result;
  readonly log: Omit<PassLog, 'ended'> & { readonly ended: PassLog['ended'] | 'minimum' };
  /** The best pass by early stopping; null without early stopping. */
  readonly best: Pick<EarlyStopping, 'best' | 'accuracy' | 'functions'> | null;
  /** Keeps the state to continue from; null if none was asked for. */
  readonly keeper: StateKeeper | null;
  readonly validation: RunOptions['validation'];
  readonly separability: true | ContradictionTest | null;
  readonly breathe: Breathe;
}

/** Creates the model of a run, evaluates it, and reports on the run. @throws HalfspaceError `weights-overflow`. */
export async function finishRun(examples: RunExamples, learned: Learned): Promise<TrainingResult> {
  const { plan, kernels, intake } = examples;
  const { learner, log, best } = learned;
  const { variant } = plan;
  const own = best?.functions ?? learner.functions();
  const functions: readonly ScoringFunction[] = own.every(isDual)
    ? own.map((dual) => ({ ...dual, divisor: examples.divisor }))
    : returned(examples, own as readonly LinearParameters[]);
  const judged = await judgeTraining(examples, functions, presentSum(learner, examples), log.updatesPerPass.length);
  const train = judged?.train ?? null;
  const bracket = judged?.bracket ?? null;
  const clean = train?.separated === true ? 'separated' : 'quiet';
  const report = reportOf(examples, {
    updates: learner.progress.updates - examples.updatesBefore,
    updatesPerPass: log.updatesPerPass,
    stop: best !== null ? 'patience' : log.ended === 'clean' ? clean : log.ended === 'minimum' ? log.ended : 'budget',
    best: best === null ? null : { pass: best.best, accuracy: best.accuracy },
    progressive: log.progressive,
    train,
    holdout: intake.held.rows === 0 ? null : judgeStore(intake.held, kernels, functions, variant.tie).judgement,
    mistakeBounds: judged?.mistakeBounds ?? null,
    ...(await provedOf(examples, bracket, learned)),
  });
  const model = modelOf(examples, recordedOf(examples, report), functions);
  const { keeper } = learned;
  return {
    model,
    report: { ...report, validation: await validated(kernels, model, learned.validation) },
    ...(keeper === null ? {} : { state: keeper.state() }),
  };
}

/** Returns what is proved about margins, as far as the options ask for it. */
async function provedOf(
  examples: RunExamples,
  bracket: MarginBracket | null,
  { separability, breathe }: Learned,
): Promise<
  Pick<TrainingReport, 'bracket'> &
    Partial<Pick<TrainingReport, 'maximumMargin' | 'classBrackets' | 'multiclassBracket'>>
> {
  const gap = examples.plan.marginGap;
  if (gap === null && separability === null) return { bracket };
  // Loaded on demand: many runs do not ask for it.
  const { decideClasses, searchMargins } = await import('./separability.ts');
  const found = gap === null ? { bracket } : await searchMargins(examples, bracket, breathe);
  if (separability === null) return found;
  return { ...found, ...(await decideClasses(examples, found.bracket, separability, breathe)) };
}

/** Members of a report that do not follow from the examples. */
type Found = Pick<
  TrainingReport,
  'updates' | 'updatesPerPass' | 'stop' | 'best' | 'progressive' | 'train' | 'holdout' | 'bracket' | 'mistakeBounds'
> &
  Partial<Pick<TrainingReport, 'maximumMargin' | 'classBrackets' | 'multiclassBracket'>>;

/** Creates the report of a run, without the result of `validation`. */
export function reportOf({ plan, intake, classes, source }: RunExamples, found: Found): TrainingReport {
  return {
    rule: plan.variant.rule,
    as: plan.as,
    examples: intake.rows,
    features: countFeatures(source.encoding(), intake),
    nonzeros: intake.nonzeros,
    classes,
    classExamples: intake.classExamples,
    passes: found.updatesPerPass.length,
    seed: plan.seed,
    classBrackets: null,
    multiclassBracket: null,
    maximumMargin: null,
    ...found,
    validation: null,
  };
}

/** Returns the number of features. Of many numbered ones only those that occur, if the examples were kept. */
function countFeatures(encoding: FeatureEncoding, { complete, store, held }: RunExamples['intake']): number {
  const occurring = encoding.kind === 'indexed' && complete ? OccurringFeatures.count(store, held) : null;
  return occurring ?? featureCount(encoding);
}

/** Returns the members of a model that record its run. Passes and updates include those of the runs it continues. */
export function recordedOf(run: RunExamples, report: TrainingReport): Omit<ModelCommon, 'kind'> {
  const { plan, source, order } = run;
  const { examples, features, nonzeros, seed, stop, progressive, train, holdout } = report;
  return {
    rule: plan.variant.rule,
    options: plan.ruleOptions,
    as: plan.as,
    calibration: null,
    ...(source.labelType === undefined ? {} : { labelType: source.labelType }),
    features: source.encoding(),
    training: {
      examples,
      features,
      nonzeros,
      passes: run.passesBefore + report.passes,
      updates: run.updatesBefore + report.updates,
      order,
      seed,
      stop,
      separated: train?.separated ?? null,
      progressiveAccuracy: progressive?.accuracy ?? null,
      trainAccuracy: train?.accuracy ?? null,
      holdoutAccuracy: holdout?.accuracy ?? null,
    },
  };
}

/** Evaluates a model on the examples of the option `validation`; null without them. */
export async function validated(
  kernels: Kernels,
  model: Model,
  validation: RunOptions['validation'],
): Promise<Evaluation | null> {
  if (validation === undefined) return null;
  // Loaded on demand: few runs ask for it.
  const { evaluateWith } = await import('../model/judge.ts');
  return evaluateWith(kernels, model, validation);
}

/** Returns the number of features of an encoding. Index 0 does not count if indices start at 1. */
function featureCount(encoding: FeatureEncoding): number {
  return encoding.kind === 'indexed' ? Math.max(0, encoding.dimension - encoding.firstIndex) : dimensionOf(encoding);
}

function modelOf(
  { plan, intake, classes }: RunExamples,
  common: ModelCommon,
  functions: readonly ScoringFunction[],
): Model {
  const { tie } = plan.variant;
  if (functions.every(isDual)) return { kind: 'dual', ...common, classes, tie, functions };
  const linear = functions as readonly LinearFunction[];
  return intake.many
    ? { kind: 'multiclass', strategy: plan.multiclass, ...common, classes, functions: linear }
    : { kind: 'linear', ...common, classes: [classes[0]!, classes[1]!], tie, ...linear[0]! };
}

/** Returns the learner's functions in the form that the variant asks for. */
function returned(
  { plan, source, biasConstant, divisor }: RunExamples,
  functions: readonly LinearParameters[],
): LinearFunction[] {
  const { bias: kind, returns } = plan.variant;
  const norm = lengthOf(functions, kind === 'absorbed');
  if (!Number.isFinite(norm) || !functions.every(({ bias }) => Number.isFinite(bias)))
    throw overflow('weights and squared lengths of rows', 'larger ones', source.name);
  const dimension = dimensionOf(source.encoding());
  const unit = returns === 'unit' && norm > 0;
  return functions.map(({ weights, bias }) => {
    // Features that no training example has also get a weight: those of held-out examples only, unused hash positions.
    const complete = new Float64Array(dimension);
    complete.set(weights);
    if (unit) for (let j = 0; j < dimension; j++) complete[j]! /= norm;
    return { weights: complete, bias: unit ? bias / norm : bias, biasConstant, divisor };
  });
}

async function judgeTraining(
  examples: RunExamples,
  functions: readonly ScoringFunction[],
  present: PresentSum | null,
  passes: number,
): Promise<(Pick<TrainingReport, 'bracket' | 'mistakeBounds'> & { train: Judgement & Geometry }) | null> {
  const { plan, kernels, intake, biasConstant } = examples;
  if (!intake.complete) return null;
  const undivided = functions.map((each) => ({ ...each, divisor: 1 }));
  const margins = new MarginTally(kernels, functions, biasConstant);
  const { name } = examples.source;
  // Loaded on demand: pages that train should load little at first.
  const mistakes = present === null ? null : (await import('./mistakes.ts')).mistakeTally(examples, functions);
  const onBatch = (batch: StoredBatch, scores: Float64Array) => {
    const weighed = examples.weigh(batch);
    margins.add(weighed, scores);
    mistakes?.add(weighed, scores, margins.radius.squaredNorms);
  };
  const tally = judgeStore(intake.store, kernels, undivided, plan.variant.tie, onBatch);
  if (!tally.finite) throw overflow('scores', 'larger ones', name);
  // If ‖x‖² underflows to 0, so do steps that depend on it, and scores of weights that are sums of rows.
  if (margins.radius.vanishes) throw overflow('squared lengths of rows', 'smaller ones', name);
  const absorbed = plan.variant.bias === 'absorbed';
  const train = {
    ...tally.judgement,
    separated: tally.errors === 0,
    margin: functions.every(isDual)
      ? null
      : marginOf(functions as readonly LinearFunction[], absorbed, margins.leastMargin(tally.functionalMargin)),
    radius: margins.radius.radius(absorbed ? biasConstant : 0),
  };
  const bracket = margins.bracket(present, biasConstant, intake.store);
  const open = bracket?.bound === null && mistakes !== null;
  const run = { radius: margins.radius.radius(biasConstant), passes, updates: present?.updates ?? 0 };
  return { train, bracket, mistakeBounds: open ? mistakes.bounds(run) : null };
}

function marginOf(functions: readonly LinearFunction[], absorbed: boolean, functionalMargin: number): number {
  const norm = lengthOf(functions, absorbed);
  return norm === 0 ? 0 : functionalMargin / norm;
}

/** Returns √(Σ wⱼ²) over all functions, summed in order; includes biases if `absorbed`. */
function lengthOf(functions: readonly LinearParameters[], absorbed: boolean): number {
  let sum = 0;
  for (const { weights, bias } of functions) {
    if (absorbed) sum += bias * bias;
    for (let j = 0; j < weights.length; j++) sum += weights[j]! * weights[j]!;
  }
  if (!(sum < leastSquares)) return Math.sqrt(sum);
  return scaledLength(functions.map(({ weights, bias }) => scaledLength([absorbed ? bias : 0, scaledLength(weights)])));
}
