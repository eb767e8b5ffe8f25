import type { StoredBatch } from '../batch.ts';
import { numberAround } from '../data/important-rows.ts';
import type { ExampleSource } from '../data/source.ts';
import { HoldoutSplit } from '../data/split.ts';
import type { ExampleStore } from '../data/store.ts';
import { HalfspaceError } from '../errors.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { measureRadius } from '../margin/radius.ts';
import { judgeStore } from '../model/judge-batches.ts';
import { Random } from '../random.ts';
import type { Learner } from '../rules/learner.ts';
import { answersBy, createLearner, createMulticlassLearner, definitionOf, hasPasses } from '../rules/registry.ts';
import { ClassWeighing, classFactors } from './class-weights.ts';
import { checkFeaturesOf, withClassesOf } from './continued-run.ts';
import type { Following } from './guide.ts';
import { Intake } from './intake.ts';
import type { RunOptions } from './options.ts';
import { type BatchOfPass, passBatches, type StoreNumbers } from './order.ts';
import { overflow } from './overflow.ts';
import type { PassExamples } from './pass-loop.ts';
import type { TrainPlan } from './plan.ts';
import type { Order } from './presets.ts';
import type { Settling } from './settle-average.ts';
import { mostPasses } from './stop-rule.ts';
import { stoppingCounts, stoppingSplit } from './stopping-rows.ts';
import type { TrainState } from './train-state.ts';
import { checkTrends } from './trends.ts';

/** Random stream for the order `shuffled-once`. */
const shuffleStream = 16;

/** Largest number of examples that `auto` shuffles in all passes together. Another one would change models. */
const mostReshuffled = 2e6;

/** Origin of the examples of a run, besides its source. */
interface ExamplesOrigin {
  readonly options: RunOptions;
  readonly kernels: Kernels;
  /** Examples read before the run. The intake holds all of them; its owner frees it; the run may shuffle it. */
  readonly intake?: Intake | undefined;
  readonly following?: Following | undefined;
}

/** The training examples of a run: scaled, weighed, in the run's order, without those held out for early stopping. */
export class RunExamples implements PassExamples {
  readonly plan: TrainPlan;
  readonly source: ExampleSource;
  readonly kernels: Kernels;
  readonly intake: Intake;
  /** The positive class, if one was named. */
  readonly positive: string | undefined;
  /** The state that the run continues from, or null. */
  readonly from: TrainState | null;
  /** True if the examples were read before the run. */
  readonly wereRead: boolean;
  /** True if the first pass learns while it reads. */
  streams: boolean;
  /** Value of the constant feature, scaled as x is. */
  biasConstant: number;
  /** Number by which x is divided before learning. */
  divisor = 1;
  /** Number of updates of the runs that this one continues. */
  updatesBefore = 0;
  /** The classes, once everything is read. */
  classes: readonly string[] = [];
  /** Weighs examples, once everything is read. */
  weighing = new ClassWeighing(null);
  readonly #random: Random;

  constructor(source: ExampleSource, plan: TrainPlan, { options, kernels, intake, following }: ExamplesOrigin) {
    const { variant, holdout, seed } = plan;
    const { order, start, scaling, bias, stop, rule } = variant;
    const { from = null } = options;
    if (from !== null && (intake !== undefined || following !== undefined))
      throw new HalfspaceError(
        'option-invalid',
        'from is for a run of a given rule, without calibration and curves; got another',
      );
    this.plan = plan;
    this.from = from;
    this.source = from === null ? source : withClassesOf(from, source);
    this.kernels = kernels;
    this.positive = options.positive ?? source.positive;
    this.wereRead = intake !== undefined;
    this.streams =
      intake === undefined &&
      following?.guide.restarted !== true &&
      (order === 'cyclic' || (order === 'auto' && stop.passes === 1)) &&
      start !== 'random' &&
      scaling === 'none' &&
      plan.classWeights === null &&
      plan.patience === null &&
      hasPasses(rule) &&
      definitionOf(rule).needsAllExamples !== true &&
      (this.source.classes?.length ?? 2) === 2;
    this.intake =
      intake ??
      new Intake(this.kernels, this.source, {
        positive: this.positive,
        split: following?.split ?? (holdout > 0 ? new HoldoutSplit(holdout, seed) : null),
        keepAll: !this.streams || stop.passes !== 1 || plan.marginGap !== null,
        needsAllClasses: from === null,
        means: options.means,
        store: { ...options.store, compact: scaling === 'none' && start === 'zero' },
      });
    this.biasConstant = from?.biasConstant ?? (bias === 'none' ? 0 : 1);
    this.#random = new Random(seed);
    if (from?.seed === seed) this.#random.restore(from.random);
  }

  /** Number of passes of the runs that this one continues. */
  get passesBefore(): number {
    return this.from?.passes ?? 0;
  }

  /** State of the random generator that orders the examples. */
  get randomState(): readonly number[] {
    return this.#random.state();
  }

  get rows(): number {
    return this.intake.learnedRows;
  }

  /** Creates a learner for the classes known so far. @throws HalfspaceError `option-invalid`. */
  createLearner(): Learner {
    const { variant, ruleOptions, multiclass, seed } = this.plan;
    const { kernels, intake, biasConstant } = this;
    const options = { ...ruleOptions, tie: variant.tie, biasConstant, seed, examples: () => this.weighed() };
    const state = this.from?.learner;
    const learner: Learner = intake.many
      ? createMulticlassLearner(
          kernels,
          variant.rule,
          multiclass,
          { ...options, classes: (this.source.classes ?? intake.classes()).length },
          state,
        )
      : createLearner(kernels, variant.rule, options, state);
    this.updatesBefore = learner.progress.updates;
    if (variant.start !== 'zero' && learner.start === undefined)
      throw new HalfspaceError(
        'option-invalid',
        `start must be zero for ${intake.many ? 'more than two classes' : `the rule ${variant.rule}`}; got ${variant.start}`,
      );
    return learner;
  }

  /** Completes the classes after reading. @throws HalfspaceError `label-classes`, `option-invalid`. */
  endReading(): void {
    const { classWeights, marginGap } = this.plan;
    this.classes = this.intake.classes();
    checkTrends(this.source.encoding(), this.plan.variant.rule, this.classes.length);
    if (this.from !== null) checkFeaturesOf(this.from, this.source);
    if (marginGap !== null && this.classes.length > 2)
      throw new HalfspaceError('option-invalid', `marginGap is for two classes; got ${this.classes.length}`);
    this.weighing = new ClassWeighing(classFactors(classWeights, this.classes, this.intake.classExamples));
  }

  /** The given order, or the one that `auto` chooses after reading. */
  get order(): Exclude<Order, 'auto'> {
    const { variant, patience } = this.plan;
    const { large, rows } = this.intake;
    if (variant.order !== 'auto') return variant.order;
    if (this.streams || large || !hasPasses(variant.rule)) return 'cyclic';
    const reshuffles =
      answersBy(variant.rule, this.plan.ruleOptions) === 'last' &&
      patience === null &&
      rows * mostPasses(this.plan, this.intake) <= mostReshuffled;
    return reshuffles ? 'shuffled' : 'shuffled-once';
  }

  /**
   * Sets the examples for early stopping apart, and brings the others in the order that is asked for.
   *
   * @throws HalfspaceError `option-invalid` if none can be set apart.
   */
  arrange(): void {
    const { patience, seed, variant } = this.plan;
    const { intake, order } = this;
    const compact = variant.scaling === 'none';
    if (patience !== null) {
      const { classExamples } = intake;
      const held = stoppingCounts(this.classes, classExamples, this.source.name);
      intake.setApart(
        stoppingSplit(
          classExamples.map((all, k) => [all, held[k]!]),
          seed,
        ),
        compact,
      );
    }
    if (order === 'shuffled-once') intake.shuffle(new Random(seed, shuffleStream), compact);
    else intake.restoreOrder(compact);
  }

  /** Scales the stored examples as the variant asks. Returns true if the constant feature was scaled too. */
  scale(): boolean {
    const { scaling, bias } = this.plan.variant;
    if (scaling === 'none') return false;
    if (this.from !== null) {
      this.#divide(this.from.divisor);
      return false;
    }
    const constant = bias === 'absorbed' ? this.biasConstant : 0;
    const radius = measureRadius(this.intake.store, this.kernels, constant);
    if (radius === Infinity) throw overflow('lengths of rows', 'larger ones', this.source.name);
    if (radius === 0 || (scaling === 'unit-ball' && radius <= 1)) return false;
    // Loading would refuse such a model, because the scores of ordinary rows would overflow.
    if (1 / radius === Infinity)
      throw overflow('lengths of rows with reciprocals', `at most ${radius}`, this.source.name);
    this.#divide(radius);
    if (constant === 0) return false;
    this.biasConstant = constant / radius;
    return true;
  }

  /** Starts a learner at random weights, uniform in [−1, 1), if the variant asks for that. */
  startRandomly(learner: Learner): void {
    if (this.plan.variant.start !== 'random') return;
    const component = () => 2 * this.#random.uniform() - 1;
    const bias = this.biasConstant === 0 ? 0 : component();
    learner.start!(Float64Array.from({ length: this.intake.store.dimension }, component), bias);
  }

  *pass(): Generator<BatchOfPass> {
    for (const { batch, numbers } of passBatches(this.intake.store, this.order, this.#random, this.intake.isApart))
      yield { batch: this.weigh(batch), numbers };
  }

  /** Returns a batch with the importance of its examples in learning; valid until the next call. */
  weigh(batch: StoredBatch): StoredBatch {
    return this.weighing.weigh(batch);
  }

  /** The batches held out for early stopping. */
  heldOut(): Iterable<StoredBatch> {
    return this.intake.store.batches((chunk) => !this.intake.isApart(chunk));
  }

  get settling(): Settling | null {
    if (!this.intake.complete) return null;
    return {
      importance: () => this.#importance(),
      leastMargin: (functions) => {
        const scoring = functions.map((each) => ({ ...each, biasConstant: this.biasConstant, divisor: 1 }));
        return judgeStore(this.#learnedStore, this.kernels, scoring, 1).functionalMargin;
      },
    };
  }

  /** Returns the number in the data, from 0, of example `i` of a batch. @param numbers of its examples in the store. */
  rowOf(numbers: StoreNumbers, i: number): number {
    const position = this.intake.numberOf(typeof numbers === 'number' ? numbers + i : numbers[i]!);
    return rowOfExample(this.intake, position);
  }

  free(): void {
    if (!this.wereRead) this.intake.free();
  }

  #divide(divisor: number): void {
    this.divisor = divisor;
    if (divisor === 1) return;
    this.intake.store.rewrite((values) => {
      for (let k = 0; k < values.length; k++) values[k]! /= divisor;
    });
  }

  /** The training examples, weighed, for rules that look at all of them. */
  weighed(): Iterable<StoredBatch> {
    return this.weighing.weighEach(this.#learnedStore.batches());
  }

  /** The stored examples without those set apart. */
  get #learnedStore(): Pick<ExampleStore, 'batches'> {
    const { store, isApart } = this.intake;
    return { batches: () => store.batches(isApart) };
  }

  #importance(): number {
    if (this.plan.classWeights === null && this.plan.patience === null) return this.intake.importance;
    let sum = 0;
    for (const { rows, importance } of this.weighed())
      for (let i = 0; i < rows; i++) sum += importance === null ? 1 : importance[i]!;
    return sum;
  }
}

/** Returns the number in the data, from 0, of the training example at `position` in the order of the data. */
function rowOfExample({ leftOut, heldOut }: Pick<Intake, 'leftOut' | 'heldOut'>, position: number): number {
  return numberAround(leftOut, numberAround(heldOut, position));
}
