import { createBreathe } from '../data/breathe.ts';
import { storeOptions } from '../data/input/file-access.ts';
import { openSource } from '../data/open-source.ts';
import type { ExampleSource, Source } from '../data/source.ts';
import type { ExampleStore, StoreOptions } from '../data/store.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { resampled } from '../evaluate/bootstrap.ts';
import type { FoldContext } from '../evaluate/candidate.ts';
import { checkWhole } from '../evaluate/checks.ts';
import { FoldParts } from '../evaluate/fold-parts.ts';
import { dimensionOf } from '../features/dimension.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import { featureNamer } from '../features/names.ts';
import { checkOptionNames, optionNames } from '../features/option-names.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { loadKernels } from '../kernels/load-late.ts';
import type { LinearModel } from '../model/linear/model.ts';
import { functionsOf, type Model } from '../model/model.ts';
import type { MulticlassModel } from '../model/multiclass/model.ts';
import { FoldPool } from '../pool/fold-pool.ts';
import type { SampleTask } from '../pool/sample-task.ts';
import { Random } from '../random.ts';
import { rules } from '../rules/registry.ts';
import { ClassWeighing } from '../train/class-weights.ts';
import { withClassesOf } from '../train/continued-run.ts';
import { Intake } from '../train/intake.ts';
import type { RunOptions } from '../train/options.ts';
import type { ClassWeights } from '../train/plan.ts';
import { type FunctionIntervals, WeightsOfRuns } from './weights-of-runs.ts';

/** Options of {@link weightIntervals}. */
export interface WeightIntervalsOptions {
  /** Number of runs, a whole number from 2. More runs make steadier ends. Default 200. */
  readonly runs?: number | undefined;
  /** Share of the runs between the ends of an interval, in (0, 1). Default 0.95. */
  readonly confidence?: number | undefined;
  /** Seed of the samples, a whole number in [0, 2⁵³). The order of examples follows the model's seed. Default 1. */
  readonly seed?: number | undefined;
  /** Number of weights with intervals, of each function those with the largest sizes. Default 20. */
  readonly most?: number | undefined;
  /**
   * Largest number of passes. Default: those of the model if they were all it was allowed; else the default of `train`.
   */
  readonly passes?: RunOptions['passes'];
  /** The option `patience` of the model's training, which a model does not record. Default: none. */
  readonly patience?: number | undefined;
  /** The option `classWeights` of the model's training, which a model does not record. Default: none. */
  readonly classWeights?: ClassWeights | undefined;
  /** Storage of the examples between runs. */
  readonly store?: StoreOptions | undefined;
  /** Largest number of threads. Default: one for each core. The result does not depend on it. */
  readonly threads?: number | undefined;
  /** Ends the work with the error `interrupted`. */
  readonly signal?: AbortSignal | undefined;
  /** Called after every run. */
  readonly onProgress?: ((progress: { readonly done: number; readonly of: number }) => void) | undefined;
}

const intervalNames = optionNames<WeightIntervalsOptions>()(
  'runs confidence seed most passes patience classWeights store threads signal onProgress',
);

/** Result of {@link weightIntervals}. */
export interface WeightIntervals {
  readonly runs: number;
  readonly confidence: number;
  readonly seed: number;
  /** Number of examples that the samples are drawn from. */
  readonly examples: number;
  /** One for two classes; else one for each class. */
  readonly functions: readonly FunctionIntervals[];
}

/**
 * Computes percentile intervals of weights by the bootstrap: trains again, as the model was trained, on samples of its
 * data. Shows how far the weights depend on which rows were drawn.
 *
 * A sample has each row a Poisson number of times, of mean 1, so that e⁻¹ of the rows are absent; copies stand side by
 * side in the order of the data. A sample without a row of some class is drawn again. The encoding of columns
 * stays that of the model. Rule, options, order and seed of a run are those of the model. Equal data, options and
 * seeds give equal intervals. Memory holds the examples twice, as far as the budget of `store` allows. If
 * they are all in memory, other threads run too, each with that much memory.
 *
 * @example
 * const source = csv('mails.csv');
 * const { model } = await train(source, { rule: 'averaged' });
 * const { functions } = await weightIntervals(model, source, { runs: 50, most: 2 });
 * for (const { feature, low, high } of functions[0]!.weights) console.log(feature, low.toFixed(1), high.toFixed(1));
 * // words -1.8 -0.1
 * // links 0.0 1.7
 *
 * @param source the training data of the model; rows held out of the training should not be among them.
 * @throws HalfspaceError `option-invalid`, also for models without weights, of another program, and with scaled
 *   examples; `label-classes`; and as `train` does.
 * @see Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapter 13.
 */
export async function weightIntervals(
  model: Model,
  source: Source | ExampleSource,
  options: WeightIntervalsOptions = {},
): Promise<WeightIntervals> {
  return weightIntervalsWith(await loadKernels(), model, source, options);
}

/** {@link weightIntervals} with given kernels. */
export async function weightIntervalsWith(
  kernels: Kernels,
  model: Model,
  source: Source | ExampleSource,
  options: WeightIntervalsOptions = {},
): Promise<WeightIntervals> {
  checkOptionNames(options, intervalNames, 'weightIntervals');
  const { runs = 200, confidence = 0.95, seed = 1, most = 20, onProgress, signal } = options;
  checkWhole('runs', runs, 2);
  checkWhole('seed', seed, 0);
  checkWhole('most', most, 0);
  if (options.threads !== undefined) checkWhole('threads', options.threads, 1);
  if (!(confidence > 0 && confidence < 1)) throw unfit(`confidence must be in (0, 1); got ${quote(confidence)}`);
  checkTrainable(model);
  const { features, classes } = model;
  const store = await storeOptions(options.store);
  const run = runOf(model, options);
  const opened = await openSource(source, { kernels, encoding: features, classes, signal });
  const known = withClassesOf({ classes }, checkedClasses(opened, classes));
  const intake = new Intake(kernels, known, { positive: undefined, split: null, keepAll: true, store });
  let pool: FoldPool | null = null;
  try {
    const breathe = createBreathe(signal, () => 'expected to train on all samples; stopped before that');
    for await (const _ of intake.batches()) await breathe();
    intake.classes();
    checkDimension(intake.store.dimension, features);
    const functions = functionsOf(model).map((linear) => new WeightsOfRuns(linear, most, runs));
    const samples = new BootstrapSamples(intake, seed);
    const asked = functions.map((each) => each.features);
    const tasks = Array.from(
      { length: runs },
      (): SampleTask => ({ sample: samples.next(), run, name: opened.name, classes, features: asked }),
    );
    // Threads get no names, and the weights do not depend on them.
    const encoding: FeatureEncoding =
      features.kind === 'named' ? { kind: 'indexed', dimension: features.names.length, firstIndex: 0 } : features;
    const context: FoldContext = {
      ...{ kernels, classes: classes.length, weighing: new ClassWeighing(null), encoding: () => encoding, breathe },
      ...{ threads: intake.store.large ? 1 : options.threads, reading: { store, signal } },
    };
    pool = new FoldPool(context, { goal: null, metric: null });
    await pool.run(new FoldParts(kernels, [intake.store], false), tasks, 0, (weights, r) => {
      for (const [k, each] of weights.entries()) functions[k]!.add(each, r);
      onProgress?.({ done: r + 1, of: runs });
    });
    const nameOf = featureNamer(features);
    return {
      runs,
      confidence,
      seed,
      examples: intake.rows,
      functions: functions.map((each, k) =>
        each.intervals(classes[model.kind === 'linear' ? 1 : k]!, confidence, nameOf),
      ),
    };
  } finally {
    pool?.close();
    intake.free();
  }
}

/** @throws HalfspaceError `option-invalid` for a source of other features. */
function checkDimension(given: number, features: FeatureEncoding): void {
  const dimension = dimensionOf(features);
  if (given > dimension) throw unfit(`expected at most ${dimension} features, as the model has; got ${given}`);
}

/** @throws HalfspaceError `label-classes` for a source of other classes than the model's. */
function checkedClasses(source: ExampleSource, classes: readonly string[]): ExampleSource {
  const own = source.classes;
  if (own === null || (own.length === classes.length && own.every((each, k) => each === classes[k]))) return source;
  throw new HalfspaceError(
    'label-classes',
    `expected the classes of the model, ${classes.join(', ')}; got ${own.join(', ')}`,
    { source: source.name },
  );
}

/** @throws HalfspaceError `option-invalid`. */
function checkTrainable(model: Model): asserts model is LinearModel | MulticlassModel {
  if (model.kind !== 'linear' && model.kind !== 'multiclass')
    throw unfit(`expected a model with weights; got one of the rule ${model.rule}`);
  if (!Object.hasOwn(rules, model.rule))
    throw unfit(`expected a model that halfspace trained, with a rule to train by; got one of ${quote(model.rule)}`);
  const { divisor } = functionsOf(model)[0]!;
  // Each sample has another longest row, so weights of different runs would not have the same unit.
  if (divisor !== 1)
    throw unfit(`expected a model of unscaled examples; got one whose examples were divided by ${divisor}`);
}

/** Returns the options of the model's training, as far as it records them. */
function runOf(model: LinearModel | MulticlassModel, given: WeightIntervalsOptions): RunOptions {
  const { rule, options, as, training } = model;
  const { order, seed, stop } = training;
  return {
    ...options,
    rule,
    ...(as === null ? {} : { as }),
    ...(as === null && functionsOf(model)[0]!.biasConstant === 0 ? { bias: 'none' } : {}),
    ...(model.kind === 'linear' ? { tie: model.tie } : { multiclass: model.strategy }),
    order,
    seed,
    passes: given.passes ?? (stop === 'budget' || stop === 'tolerance' ? Math.max(1, training.passes) : undefined),
    patience: given.patience,
    classWeights: given.classWeights,
  } as RunOptions;
}

function unfit(message: string): HalfspaceError {
  return new HalfspaceError('option-invalid', message);
}

/** Largest number of samples that are drawn for one with rows of all classes. */
const mostTries = 1000;

/** Seeds of samples that have rows of all classes. */
class BootstrapSamples {
  readonly #store: ExampleStore;
  readonly #classes: number;
  readonly #random: Random;
  /** True if a sample may lack a class: e⁻⁴⁰ is the probability for one of 40 rows. */
  readonly #mayLack: boolean;

  constructor({ store, classExamples }: Intake, seed: number) {
    this.#store = store;
    this.#classes = classExamples.length;
    this.#random = new Random(seed);
    this.#mayLack = Math.min(...classExamples) < 40;
  }

  next(): number {
    for (let tried = 0; tried < mostTries; tried++) {
      const seed = this.#random.bits();
      if (!this.#mayLack || this.#hasAll(seed)) return seed;
    }
    throw new HalfspaceError(
      'label-classes',
      `expected enough rows of every class to draw samples with all classes; got none in ${mostTries} samples`,
    );
  }

  #hasAll(seed: number): boolean {
    const found = new Set<number>();
    for (const { rows, labels } of resampled(this.#store.batches(), seed)) {
      for (let i = 0; i < rows; i++) found.add(labels[i]!);
      if (found.size === this.#classes) return true;
    }
    return false;
  }
}
