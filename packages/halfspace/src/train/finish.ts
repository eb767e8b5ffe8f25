import type { ExampleSource } from '../data/source.ts';
import { HalfspaceError } from '../errors.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { RadiusTally } from '../margin/radius.ts';
import { dimensionOf } from '../model/decode.ts';
import { evaluate, judgeStore } from '../model/judge.ts';
import type { Judgement, Score } from '../model/metrics.ts';
import type { LinearFunction, Model } from '../model/model.ts';
import type { LinearParameters } from '../rules/learner.ts';
import type { Intake } from './intake.ts';
import type { TrainOptions, TrainPlan } from './options.ts';
import type { Geometry, TrainingReport, TrainingResult } from './report.ts';

/** A run whose passes are over. */
export interface FinishedRun {
  readonly plan: TrainPlan;
  readonly source: ExampleSource;
  readonly kernels: Kernels;
  /** Its store holds x as learned from: divided already. */
  readonly intake: Intake;
  readonly classes: readonly [negative: string, positive: string];
  /** Whether the rule found nothing left to update. */
  readonly quiet: boolean;
  readonly parameters: LinearParameters;
  readonly biasConstant: number;
  readonly divisor: number;
  readonly updates: number;
  readonly updatesPerPass: readonly number[];
  readonly progressive: Score;
  readonly validate: TrainOptions['validate'];
}

/** Makes the model, judges it, and says how it went. @throws HalfspaceError `weights-overflow`. */
export async function finishRun(run: FinishedRun): Promise<TrainingResult> {
  const { plan, kernels, intake, classes, updates, updatesPerPass, progressive, biasConstant, divisor } = run;
  const { as, seed, variant } = plan;
  const { rows: examples, positives, nonzeros } = intake;
  const linear: LinearFunction = { ...returned(run), biasConstant, divisor };
  const train = judgeTraining(run, linear);
  const holdout = intake.held.rows === 0 ? null : judgeStore(intake.held, kernels, linear, variant.tie).judgement;
  const encoding = run.source.encoding();
  const features =
    encoding.kind === 'indexed' ? Math.max(0, encoding.dimension - encoding.firstIndex) : linear.weights.length;
  const stop = !run.quiet ? 'budget' : train?.separated === true ? 'separated' : 'quiet';
  const passes = updatesPerPass.length;
  const model: Model = {
    rule: variant.rule,
    as,
    classes,
    tie: variant.tie,
    ...linear,
    features: encoding,
    training: {
      examples,
      features,
      nonzeros,
      passes,
      updates,
      order: variant.order,
      seed,
      stop,
      separated: train?.separated ?? null,
      progressiveAccuracy: progressive.accuracy,
      trainAccuracy: train?.accuracy ?? null,
      holdoutAccuracy: holdout?.accuracy ?? null,
    },
  };
  const report: TrainingReport = {
    rule: variant.rule,
    as,
    examples,
    features,
    nonzeros,
    classes,
    classExamples: [examples - positives, positives],
    passes,
    updates,
    updatesPerPass,
    stop,
    seed,
    progressive,
    train,
    holdout,
    validate: run.validate === undefined ? null : await evaluate(await run.validate(model), model, kernels),
  };
  return { model, report };
}

/** The learner's parameters as the variant returns them. */
function returned({ plan, source, parameters }: FinishedRun): LinearParameters {
  const { bias: kind, returns } = plan.variant;
  const { weights, bias } = parameters;
  // Features that no example learned from has get a weight too: those of held-out examples only, unused hash positions.
  const complete = new Float64Array(dimensionOf(source.encoding()));
  complete.set(weights);
  const norm = euclideanNorm(weights, kind === 'absorbed' ? bias : 0);
  if (!Number.isFinite(norm) || !Number.isFinite(bias))
    throw new HalfspaceError(
      'weights-overflow',
      'expected weights within the range of doubles; got larger ones: scale the data',
      { source: source.name },
    );
  if (returns === 'weights' || norm === 0) return { weights: complete, bias };
  return { weights: complete.map((w) => w / norm), bias: bias / norm };
}

function judgeTraining(run: FinishedRun, linear: LinearFunction): (Judgement & Geometry) | null {
  const { plan, kernels, intake, biasConstant } = run;
  if (!intake.complete) return null;
  const radius = new RadiusTally(kernels);
  const undivided = { ...linear, divisor: 1 };
  const tally = judgeStore(intake.store, kernels, undivided, plan.variant.tie, (batch) => radius.add(batch));
  const absorbed = plan.variant.bias === 'absorbed';
  const norm = euclideanNorm(linear.weights, absorbed ? linear.bias : 0);
  return {
    ...tally.judgement,
    separated: tally.errors === 0,
    margin: norm === 0 ? 0 : tally.functionalMargin / norm,
    radius: radius.radius(absorbed ? biasConstant : 0),
  };
}

/** √(first² + Σ wⱼ²), summed in order. */
function euclideanNorm(weights: Float64Array, first: number): number {
  let sum = first * first;
  for (let j = 0; j < weights.length; j++) sum += weights[j]! * weights[j]!;
  return Math.sqrt(sum);
}
