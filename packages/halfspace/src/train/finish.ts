import type { StoredBatch } from '../batch.ts';
import type { ExampleSource } from '../data/source.ts';
import { HalfspaceError } from '../errors.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { MarginBracket } from '../margin/bracket.ts';
import { leastSquares, scaledLength } from '../margin/scaled-length.ts';
import { dimensionOf } from '../model/decode.ts';
import { evaluate, judgeStore } from '../model/judge.ts';
import type { Judgement, Score } from '../model/metrics.ts';
import { isDual, type LinearFunction, type Model, type ModelCommon, type ScoringFunction } from '../model/model.ts';
import type { LearnedFunction, LinearParameters } from '../rules/learner.ts';
import type { Intake } from './intake.ts';
import { MarginTally, type PresentSum, searchMargins } from './margins.ts';
import type { TrainOptions } from './options.ts';
import type { TrainPlan } from './plan.ts';
import type { Geometry, TrainingReport, TrainingResult } from './report.ts';

/** A run whose passes are over. */
export interface FinishedRun {
  readonly plan: TrainPlan;
  readonly source: ExampleSource;
  readonly kernels: Kernels;
  /** Its store holds x as learned from: divided already. */
  readonly intake: Intake;
  readonly classes: readonly string[];
  /** A batch of the intake with the importance that its examples are learned from with. */
  readonly weighed: (batch: StoredBatch) => StoredBatch;
  /** Whether the rule found nothing left to update. */
  readonly quiet: boolean;
  readonly functions: readonly LearnedFunction[];
  /** The present weights as a sum of examples, where they are one. */
  readonly present: PresentSum | null;
  readonly biasConstant: number;
  readonly divisor: number;
  readonly updates: number;
  readonly updatesPerPass: readonly number[];
  readonly progressive: Score | null;
  /** In which order the examples were shown. */
  readonly order: string;
  readonly validate: TrainOptions['validate'];
  /** Lets the event loop turn now and then. */
  readonly breathe: () => Promise<void>;
  /** What looked after the passes, where a part of the examples was set aside for that. */
  readonly watched: { readonly best: number; readonly accuracy: number } | null;
}

/** Makes the model, judges it, and says how it went. @throws HalfspaceError `weights-overflow`. */
export async function finishRun(run: FinishedRun): Promise<TrainingResult> {
  const { plan, kernels, intake, classes, updates, updatesPerPass, progressive } = run;
  const { as, seed, variant } = plan;
  const { rows: examples, nonzeros } = intake;
  const functions: readonly ScoringFunction[] = run.functions.every(isDual)
    ? run.functions.map((dual) => ({ ...dual, divisor: run.divisor }))
    : returned(run, run.functions as readonly LinearParameters[]);
  const judged = judgeTraining(run, functions);
  const train = judged?.train ?? null;
  const holdout = intake.held.rows === 0 ? null : judgeStore(intake.held, kernels, functions, variant.tie).judgement;
  const encoding = run.source.encoding();
  const features = featureCount(encoding);
  const stop =
    run.watched !== null ? 'patience' : !run.quiet ? 'budget' : train?.separated === true ? 'separated' : 'quiet';
  const passes = updatesPerPass.length;
  const common: ModelCommon = {
    rule: variant.rule,
    options: plan.ruleOptions,
    as,
    calibration: null,
    features: encoding,
    training: {
      examples,
      features,
      nonzeros,
      passes,
      updates,
      order: run.order,
      seed,
      stop,
      separated: train?.separated ?? null,
      progressiveAccuracy: progressive?.accuracy ?? null,
      trainAccuracy: train?.accuracy ?? null,
      holdoutAccuracy: holdout?.accuracy ?? null,
    },
  };
  const searched = plan.marginGap === null ? null : await searchMargins(run, judged?.bracket ?? null, run.breathe);
  const model = modelOf(run, common, functions);
  const report: TrainingReport = {
    rule: variant.rule,
    as,
    examples,
    features,
    nonzeros,
    classes,
    classExamples: intake.classExamples,
    passes,
    updates,
    updatesPerPass,
    stop,
    best: run.watched === null ? null : { pass: run.watched.best, accuracy: run.watched.accuracy },
    seed,
    progressive,
    train,
    bracket: searched === null ? (judged?.bracket ?? null) : searched.bracket,
    maximumMargin: searched?.maximumMargin ?? null,
    holdout,
    validate: run.validate === undefined ? null : await evaluate(await run.validate(model), model, kernels),
  };
  return { model, report };
}

/** Features of an encoding; an index 0 that does not occur is none. */
export function featureCount(encoding: FeatureEncoding): number {
  return encoding.kind === 'indexed' ? Math.max(0, encoding.dimension - encoding.firstIndex) : dimensionOf(encoding);
}

function modelOf(
  { plan, intake, classes }: FinishedRun,
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

/** The learner's functions as the variant returns them. */
function returned(
  { plan, source, biasConstant, divisor }: FinishedRun,
  functions: readonly LinearParameters[],
): LinearFunction[] {
  const { bias: kind, returns } = plan.variant;
  const norm = lengthOf(functions, kind === 'absorbed');
  if (!Number.isFinite(norm) || !functions.every(({ bias }) => Number.isFinite(bias)))
    throw overflow('weights and squared lengths of rows', 'larger ones', source.name);
  const dimension = dimensionOf(source.encoding());
  const unit = returns === 'unit' && norm > 0;
  return functions.map(({ weights, bias }) => {
    // Features that no example learned from has get a weight too: those of held-out examples only, unused hash positions.
    const complete = new Float64Array(dimension);
    complete.set(weights);
    if (unit) for (let j = 0; j < dimension; j++) complete[j]! /= norm;
    return { weights: complete, bias: unit ? bias / norm : bias, biasConstant, divisor };
  });
}

function judgeTraining(
  run: FinishedRun,
  functions: readonly ScoringFunction[],
): { train: Judgement & Geometry; bracket: MarginBracket | null } | null {
  const { plan, kernels, intake, biasConstant } = run;
  if (!intake.complete) return null;
  const undivided = functions.map((each) => ({ ...each, divisor: 1 }));
  const margins = new MarginTally(kernels, functions, biasConstant);
  const { name } = run.source;
  const look = (batch: StoredBatch, scores: Float64Array) => margins.add(run.weighed(batch), scores);
  const tally = judgeStore(intake.store, kernels, undivided, plan.variant.tie, look);
  if (!tally.finite) throw overflow('scores', 'larger ones', name);
  // Steps that need ‖x‖², and scores of weights that are sums of rows, would be 0.
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
  return { train, bracket: margins.bracket(run.present, biasConstant, intake.store) };
}

function marginOf(functions: readonly LinearFunction[], absorbed: boolean, functionalMargin: number): number {
  const norm = lengthOf(functions, absorbed);
  return norm === 0 ? 0 : functionalMargin / norm;
}

/** √(Σ wⱼ²) over all functions, summed in order, biases included where they are `absorbed`. */
function lengthOf(functions: readonly LinearParameters[], absorbed: boolean): number {
  let sum = 0;
  for (const { weights, bias } of functions) {
    if (absorbed) sum += bias * bias;
    for (let j = 0; j < weights.length; j++) sum += weights[j]! * weights[j]!;
  }
  if (!(sum < leastSquares)) return Math.sqrt(sum);
  return scaledLength(functions.map(({ weights, bias }) => scaledLength([absorbed ? bias : 0, scaledLength(weights)])));
}

function overflow(what: string, got: string, source: string): HalfspaceError {
  return new HalfspaceError(
    'weights-overflow',
    `expected ${what} within the range of doubles; got ${got}: scale the data`,
    { source },
  );
}
