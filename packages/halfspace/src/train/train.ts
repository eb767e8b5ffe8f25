import type { StoredBatch } from '../batch.ts';
import { type DigestedSource, digested } from '../data/digest.ts';
import type { ExampleSource } from '../data/source.ts';
import { HoldoutSplit } from '../data/split.ts';
import { HalfspaceError } from '../errors.ts';
import { checkOptionNames } from '../features/option-names.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { createKernels } from '../kernels/load.ts';
import { naturalLog } from '../kernels/natural-log.ts';
import { measureRadius } from '../margin/radius.ts';
import { judgeStore } from '../model/judge.ts';
import type { Score } from '../model/metrics.ts';
import { Random } from '../random.ts';
import type { LearnedFunction, Learner } from '../rules/learner.ts';
import { createLearner, createMulticlassLearner, definitionOf, hasPasses } from '../rules/registry.ts';
import { ClassWeighing } from './class-weights.ts';
import { finishRun } from './finish.ts';
import { firstExample } from './first-example.ts';
import type { Following, Guide } from './guide.ts';
import { Intake } from './intake.ts';
import { BracketWatch, presentSum } from './margins.ts';
import { autoPasses, planTraining, type TrainOptions, trainOptionNames } from './options.ts';
import { passBatches, type StoreNumbers } from './order.ts';
import { outlast } from './outlast.ts';
import type { TrainPlan } from './plan.ts';
import type { Order } from './presets.ts';
import { checkRecordable, Recording } from './recording.ts';
import type { TrainingResult } from './report.ts';
import { Steps } from './steps.ts';
import { Watch, watchedBatchSize } from './watch.ts';

/** Chance of its own for shuffling once. */
const shuffleStream = 16;

/** Showing an example in an order that is new in every pass takes about a microsecond more; so many are shown at most. */
const mostReshuffled = 2e6;

/** How long the event loop may be kept waiting, so that signals are heard and pages stay alive. */
const patienceMs = 100;

/**
 * Learns a model from a source of examples.
 *
 * The source is read once. The first pass learns while it reads wherever the variant allows; later passes use the stored
 * examples.
 * @throws HalfspaceError `option-invalid`, `source-empty`, `label-missing`, `label-classes`, `weights-overflow`,
 *   `interrupted`, and whatever the source throws.
 */
export async function train(source: ExampleSource, options: TrainOptions = {}): Promise<TrainingResult> {
  checkOptionNames(options, trainOptionNames, 'train');
  return trainFrom(source, options);
}

/**
 * {@link train}, from examples that are read already where an intake is given; it keeps them all, as they are, and stays
 * its owner's to free; its order may change. Or a run that follows another one.
 */
export async function trainFrom(
  source: ExampleSource,
  options: TrainOptions,
  intake?: Intake,
  following?: Following,
): Promise<TrainingResult> {
  const plan = planTraining(options);
  if (options.ledger !== undefined) {
    checkRecordable(plan.variant.rule);
    if (intake !== undefined)
      throw new HalfspaceError(
        'option-invalid',
        'a ledger is for a run that reads its source; got examples read before',
      );
  }
  if (!hasPasses(plan.variant.rule)) {
    // Loaded when it is needed: a page that grows no tree does not wait for what grows one.
    const { trainTree } = await import('./tree-run.ts');
    return trainTree(source, options, { plan, intake });
  }
  const run = new TrainingRun(source, options, plan, { intake, following });
  try {
    return await run.run();
  } finally {
    run.free();
  }
}

class TrainingRun {
  readonly #source: ExampleSource;
  readonly #options: TrainOptions;
  readonly #plan: TrainPlan;
  readonly #kernels: Kernels;
  readonly #intake: Intake;
  readonly #guide: Guide | null;
  /** Where there is a ledger, and what digests the source for it. */
  #recording: Recording | null = null;
  readonly #steps: Steps | null;
  readonly #digested: DigestedSource | null;
  readonly #random: Random;
  readonly #updatesPerPass: number[] = [];
  /** Whether the examples were read before the run. */
  readonly #read: boolean;
  /** Whether the first pass can learn while it reads. */
  #streaming: boolean;
  #learner: Learner;
  #weighing: ClassWeighing | null = null;
  #watch: Watch | null = null;
  #bracketWatch: BracketWatch | null = null;
  #biasConstant: number;
  /** The most passes, once that is known. */
  #passes: number | null = null;
  #divisor = 1;
  #progressive: Score | null = null;
  #updatesBefore = 0;
  #shownInPass = 0;
  /** The limit that the learner has now. */
  #quietNow = Infinity;
  #pauseAt = performance.now() + patienceMs;

  constructor(
    given: ExampleSource,
    options: TrainOptions,
    plan: TrainPlan,
    { intake, following }: { readonly intake: Intake | undefined; readonly following: Following | undefined },
  ) {
    const { order, start, scaling, bias, stop } = plan.variant;
    this.#digested = options.ledger === undefined ? null : digested(given);
    const source = this.#digested ?? given;
    this.#source = source;
    this.#guide = following?.guide ?? null;
    this.#options = options;
    this.#plan = plan;
    this.#kernels = options.kernels ?? createKernels();
    this.#random = new Random(plan.seed);
    this.#streaming =
      intake === undefined &&
      this.#guide?.restarted !== true &&
      (order === 'cyclic' || (order === 'auto' && stop.passes === 1)) &&
      start !== 'random' &&
      scaling === 'none' &&
      plan.classWeights === null &&
      plan.patience === null &&
      definitionOf(plan.variant.rule).needsAllExamples !== true &&
      (source.classes?.length ?? 2) === 2;
    this.#read = intake !== undefined;
    this.#intake =
      intake ??
      new Intake(this.#kernels, source, {
        positive: options.positive,
        split: plan.holdout > 0 ? new HoldoutSplit(plan.holdout, plan.seed, following?.omitted) : null,
        keepAll: !this.#streaming || stop.passes !== 1 || plan.marginGap !== null,
        store: { ...options.store, compact: scaling === 'none' && start === 'zero' },
      });
    this.#biasConstant = bias === 'none' ? 0 : 1;
    if (options.ledger !== undefined)
      this.#recording = new Recording(options.ledger, plan, this.#intake, options.positive);
    this.#steps = options.onStep === undefined ? null : new Steps(options.onStep, plan, this.#intake);
    this.#learner = this.#createLearner();
  }

  async run(): Promise<TrainingResult> {
    if (!this.#read) await this.#readSource();
    const classes = this.#intake.classes();
    const { classWeights, marginGap, patience, variant } = this.#plan;
    const { onBracket } = this.#options;
    if (marginGap !== null && classes.length > 2)
      throw new HalfspaceError('option-invalid', `marginGap is for two classes; got ${classes.length}`);
    if (onBracket !== undefined)
      this.#bracketWatch = new BracketWatch(this.#kernels, this.#intake, (batch) => this.#weighed(batch), onBracket);
    if (patience !== null) this.#watch = new Watch(patience, classes.length, variant.tie);
    if (classWeights !== null) this.#weighing = new ClassWeighing(classWeights, classes, this.#intake.classExamples);
    let quiet = this.#streaming ? this.#endPass() : this.#prepare();
    this.#passes = this.#mostPasses();
    while (!quiet && this.#guide?.done !== true && this.#updatesPerPass.length < this.#passes)
      quiet = await this.#pass();
    if (quiet && this.#watch === null && this.#intake.complete)
      outlast(this.#learner, this.#importance(), (functions) => this.#marginOf(functions));
    this.#guide?.end?.(this.#learner);
    const watched = this.#guide?.done === true ? null : this.#watch;
    const result = await finishRun({
      plan: this.#plan,
      source: this.#source,
      kernels: this.#kernels,
      intake: this.#intake,
      classes,
      weighed: (batch) => this.#weighed(batch),
      quiet,
      order: this.#order(),
      functions: watched?.functions ?? this.#learner.functions(),
      present: presentSum(this.#learner, this.#plan, this.#intake),
      watched,
      biasConstant: this.#biasConstant,
      divisor: this.#divisor,
      updates: this.#learner.progress.updates,
      updatesPerPass: this.#updatesPerPass,
      progressive: this.#progressive,
      validate: this.#options.validate,
      breathe: () => this.#breathe(),
    });
    await this.#recording?.close(result, this.#digested!.digest);
    return result;
  }

  free(): void {
    this.#learner.free();
    if (!this.#read) this.#intake.free();
  }

  #createLearner(): Learner {
    const { variant, ruleOptions, multiclass, seed } = this.#plan;
    const examples = () => this.#learnedFrom();
    const options = { ...ruleOptions, tie: variant.tie, biasConstant: this.#biasConstant, seed, examples };
    const classes = this.#intake.many ? (this.#source.classes ?? this.#intake.classes()).length : 2;
    const learner = this.#intake.many
      ? createMulticlassLearner(this.#kernels, variant.rule, multiclass, { ...options, classes })
      : createLearner(this.#kernels, variant.rule, options);
    if (variant.start !== 'zero' && learner.start === undefined)
      throw new HalfspaceError(
        'option-invalid',
        `start must be zero for ${this.#intake.many ? 'more than two classes' : `the rule ${variant.rule}`}; got ${variant.start}`,
      );
    this.#recording?.attach(learner);
    return learner;
  }

  #weighed(batch: StoredBatch): StoredBatch {
    return this.#weighing?.weigh(batch) ?? batch;
  }

  /** Sum over what the passes learn from, as they weigh it. */
  #importance(): number {
    if (this.#weighing === null) return this.#intake.importance;
    let sum = 0;
    for (const { rows, importance } of this.#learnedFrom()) for (let i = 0; i < rows; i++) sum += importance![i]!;
    return sum;
  }

  /** What the passes learn from, weighed as they weigh it: for rules that look at all of it in the middle of one. */
  #learnedFrom(): Iterable<StoredBatch> {
    const batches = this.#intake.store.batches(this.#omits());
    return this.#weighing?.weighEach(batches) ?? batches;
  }

  /** Which batches of the store are set aside. */
  #omits(): ((chunk: number) => boolean) | undefined {
    return this.#watch === null ? undefined : Watch.sets;
  }

  /** Reads the source, and makes that the first pass where it can be. */
  async #readSource(): Promise<void> {
    // Limits that depend on the number of examples are not shorter than this pass.
    const { quiet } = this.#plan.variant.stop;
    const known = this.#intake.many;
    this.#limitQuiet(typeof quiet === 'number' ? quiet : Infinity);
    for await (const batch of this.#intake.batches()) {
      if (this.#streaming) this.#show(batch, this.#shownInPass, null);
      await this.#breathe();
    }
    if (known || !this.#intake.many) return;
    // A third class came: what was learned of two, if anything, is worth nothing.
    this.#streaming = false;
    this.#shownInPass = 0;
    this.#recording?.sink.restart();
    this.#learner.free();
    this.#learner = this.#createLearner();
  }

  /** Gets ready for a first pass over stored examples. Returns false: something is left to do. */
  #prepare(): boolean {
    const { rows, store } = this.#intake;
    if (this.#order() === 'shuffled-once' || (this.#watch !== null && !store.spilled)) {
      const size = this.#watch === null ? 1024 : watchedBatchSize(rows);
      this.#intake.shuffle(new Random(this.#plan.seed, shuffleStream), size, this.#plan.variant.scaling === 'none');
    }
    this.#scale();
    this.#startRandomly();
    return false;
  }

  /** The least margin of the examples learned from, as they are stored. */
  #marginOf(functions: readonly LearnedFunction[]): number {
    const scoring = functions.map((each) => ({ ...each, biasConstant: this.#biasConstant, divisor: 1 }));
    return judgeStore(this.#intake.store, this.#kernels, scoring, 1).functionalMargin;
  }

  /** The order that was asked for, or what `auto` is now that the examples are known. */
  #order(): Exclude<Order, 'auto'> {
    const { order } = this.#plan.variant;
    if (order !== 'auto') return order;
    if (this.#streaming || this.#intake.store.spilled) return 'cyclic';
    const byLast = definitionOf(this.#plan.variant.rule).answersBy === 'last';
    const shows = this.#intake.rows * this.#mostPasses();
    return byLast && this.#watch === null && shows <= mostReshuffled ? 'shuffled' : 'shuffled-once';
  }

  /** One pass over the stored examples. Returns whether nothing is left to update. */
  async #pass(): Promise<boolean> {
    const { store } = this.#intake;
    const quietLimit = this.#quietLimit();
    this.#limitQuiet(quietLimit);
    for (const { batch, numbers } of passBatches(store, this.#order(), this.#random, this.#omits())) {
      this.#show(batch, numbers, store.rows);
      if (this.#learner.progress.cleanStreak >= quietLimit || this.#guide?.done === true) break;
      await this.#breathe();
    }
    return this.#endPass();
  }

  #show(batch: StoredBatch, numbers: StoreNumbers, rowsInPass: number | null): void {
    const learner = this.#learner;
    if (this.#plan.variant.start === 'example' && learner.progress.examples === 0) {
      const { weights, bias } = firstExample(batch, this.#biasConstant);
      learner.start!(weights, bias);
    }
    const weighed = this.#weighed(batch);
    this.#recording?.aim(this.#shownInPass, numbers);
    const at = { pass: this.#updatesPerPass.length + 1, position: this.#shownInPass, quietLimit: this.#quietNow };
    this.#shownInPass +=
      this.#guide?.show(learner, weighed, at.pass, at.position) ??
      this.#steps?.show(learner, weighed, numbers, at) ??
      learner.learn(weighed);
    this.#options.onProgress?.({
      pass: at.pass,
      passes: this.#passes,
      rows: this.#shownInPass,
      rowsInPass,
      updates: this.#learner.progress.updates - this.#updatesBefore,
    });
  }

  #endPass(): boolean {
    const { updates, examples, mistakes, cleanStreak } = this.#learner.progress;
    const inPass = updates - this.#updatesBefore;
    this.#updatesPerPass.push(inPass);
    if (this.#guide?.progressive !== undefined) this.#progressive = this.#guide.progressive;
    else if (mistakes !== null)
      this.#progressive ??= { examples, errors: mistakes, accuracy: (examples - mistakes) / examples };
    this.#updatesBefore = updates;
    this.#recording?.sink.endPass(this.#shownInPass);
    this.#guide?.endPass?.(this.#learner);
    this.#shownInPass = 0;
    this.#bracketWatch?.look(() => presentSum(this.#learner, this.#plan, this.#intake), this.#biasConstant);
    if (this.#guide?.done === true) return false;
    const impatient = this.#watch?.look(this.#learner, this.#intake.store, this.#updatesPerPass.length) ?? false;
    return impatient || (this.#plan.variant.stop.cleanPass && inPass === 0) || cleanStreak >= this.#quietLimit();
  }

  #mostPasses(): number {
    const { passes } = this.#plan.variant.stop;
    if (passes !== 'auto') return passes;
    if (definitionOf(this.#plan.variant.rule).dual === true) return 10;
    return autoPasses(this.#intake.nonzeros);
  }

  #limitQuiet(quiet: number): void {
    this.#quietNow = quiet;
    this.#learner.limit({ cleanStreak: quiet });
  }

  /** Examples in a row without an update that end the run. */
  #quietLimit(): number {
    const { quiet } = this.#plan.variant.stop;
    const { rows } = this.#intake;
    if (quiet === 'pass') return rows;
    if (quiet === 'covering') return Math.ceil(rows * (naturalLog(rows) + 5));
    return quiet ?? Infinity;
  }

  /** Divides the stored examples as the variant asks, once their radius is known. */
  #scale(): void {
    const { scaling, bias } = this.#plan.variant;
    if (scaling === 'none') return;
    const constant = bias === 'absorbed' ? this.#biasConstant : 0;
    const radius = measureRadius(this.#intake.store, this.#kernels, constant);
    if (radius === Infinity)
      throw new HalfspaceError(
        'weights-overflow',
        'expected lengths of rows within the range of doubles; got larger ones: scale the data',
        { source: this.#source.name },
      );
    if (radius === 0 || (scaling === 'unit-ball' && radius <= 1)) return;
    // Such a model would be refused where it is loaded: it answers rows of ordinary size with infinite scores.
    if (1 / radius === Infinity)
      throw new HalfspaceError(
        'weights-overflow',
        `expected lengths of rows with reciprocals within the range of doubles; got at most ${radius}: scale the data`,
        { source: this.#source.name },
      );
    this.#divisor = radius;
    this.#intake.store.rewrite((values) => {
      for (let k = 0; k < values.length; k++) values[k]! /= radius;
    });
    if (constant === 0) return;
    this.#biasConstant = constant / radius;
    this.#learner.free();
    this.#learner = this.#createLearner();
  }

  #startRandomly(): void {
    if (this.#plan.variant.start !== 'random') return;
    const component = () => 2 * this.#random.uniform() - 1;
    const bias = this.#biasConstant === 0 ? 0 : component();
    this.#learner.start!(Float64Array.from({ length: this.#intake.store.dimension }, component), bias);
  }

  /** Lets the event loop turn now and then, and hears the caller's wish to stop. */
  async #breathe(): Promise<void> {
    const { signal, ledger } = this.#options;
    if (ledger !== undefined) await ledger.flush();
    if (performance.now() > this.#pauseAt) {
      await new Promise((resolve) => setTimeout(resolve));
      this.#pauseAt = performance.now() + patienceMs;
    }
    if (signal?.aborted === true)
      throw new HalfspaceError(
        'interrupted',
        `expected to finish training; stopped in pass ${this.#updatesPerPass.length + 1}`,
      );
  }
}
