import { longestRow, type StoredBatch } from '../batch.ts';
import type { ExampleStore } from '../data/store.ts';
import { BatchView } from '../kernels/batch-view.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { hyperplaneBracket, type MarginBracket, narrowed, perceptronBracket } from '../margin/bracket.ts';
import { LeastMargin } from '../margin/least-margin.ts';
import { RadiusTally } from '../margin/radius.ts';
import { lengthOf } from '../margin/signed-distances.ts';
import { judgeStore } from '../model/judge-batches.ts';
import type { LearnedFunction, Learner, LearnerProgress, LinearParameters } from '../rules/learner.ts';
import type { RunObserver, RunState } from './observer.ts';
import type { RunExamples } from './run-examples.ts';

/** The learner of a run, or the result of one without passes. */
export type Result = Pick<Learner, 'functions' | 'presentFunctions'> & {
  readonly progress: Pick<LearnerProgress, 'updates'>;
};

/** Weights that are a sum of examples, and the number of these. */
export interface PresentSum {
  readonly weights: Float64Array;
  readonly bias: number;
  readonly updates: number;
}

/**
 * Returns the current weights if they are a sum of examples; null for other rules, many classes, a random start, and a
 * run that continues another.
 */
export function presentSum(learner: Result, { plan, intake, from }: RunExamples): PresentSum | null {
  const { rule, start } = plan.variant;
  if ((rule !== 'perceptron' && rule !== 'averaged') || start === 'random') return null;
  if (intake.many || from !== null) return null;
  const [present] = (learner.presentFunctions?.() ?? learner.functions()) as readonly LinearParameters[];
  return { ...present!, updates: learner.progress.updates + (start === 'example' ? 1 : 0) };
}

/** Accumulates over batches the radius of the examples, and for a perceptron the bracket on the largest margin. */
export class MarginTally {
  readonly radius: RadiusTally;
  readonly #least: LeastMargin | null;
  readonly #norm: number;
  /** Largest number of squares in a norm here. */
  #terms: number;
  #counted = true;

  /** @param functions of the model; there is a bracket only for one function of weights. */
  constructor(kernels: Kernels, functions: readonly LearnedFunction[], biasConstant: number) {
    this.radius = new RadiusTally(kernels);
    const [first] = functions;
    const linear = functions.length === 1 && 'weights' in first! ? first : null;
    // Without a bias the vectors do not include the weight of the constant.
    const bias = biasConstant === 0 ? 0 : (linear?.bias ?? 0);
    this.#terms = linear === null ? 0 : nonzeros(linear.weights);
    this.#norm = linear === null ? 0 : lengthOf(linear.weights, bias, true);
    this.#least = linear === null ? null : new LeastMargin(linear.weights, bias, biasConstant, this.#norm);
  }

  add(batch: StoredBatch, scores: Float64Array): void {
    this.radius.add(batch);
    this.#terms = Math.max(this.#terms, longestRow(batch));
    this.#least?.add(batch, scores, this.radius.squaredNorms);
    const { importance, rows } = batch;
    if (importance === null || !this.#counted) return;
    for (let i = 0; i < rows; i++) this.#counted &&= importance[i] === 1;
  }

  /** Returns the smallest functional margin: that of the scores, or the exact one if rounding could matter. */
  leastMargin(ofScores: number): number {
    const exact = this.#least?.value ?? ofScores;
    return ofScores > 0 && Math.abs(ofScores - exact) > 1e-9 * ofScores ? exact : ofScores;
  }

  /** @param store of the examples; read again if the weights are back at 0. */
  bracket(present: PresentSum | null, biasConstant: number, store: ExampleStore): MarginBracket | null {
    if (this.#least === null) return null;
    const hyperplane = {
      terms: this.#terms,
      radius: this.radius.radius(biasConstant),
      constant: biasConstant,
      least: this.#least.value,
      leastNorm: this.#norm,
    };
    if (present === null || !this.#counted) return hyperplaneBracket(hyperplane);
    const norm = lengthOf(present.weights, present.bias, biasConstant !== 0);
    const terms = Math.max(this.#terms, nonzeros(present.weights));
    const bracket = perceptronBracket({ ...hyperplane, terms, norm, updates: present.updates });
    const returned = norm === 0 && present.updates > 0 && sumsAreExact(store, biasConstant, present.updates);
    return returned ? narrowed(bracket, { lower: 0, upper: 0 }) : bracket;
  }
}

function nonzeros(weights: Float64Array): number {
  let count = 0;
  for (let j = 0; j < weights.length; j++) if (weights[j] !== 0) count++;
  return count;
}

/** Calls back with the bracket after some passes, at most about a tenth of the time. The model keeps its bits. */
export class BracketObserver implements RunObserver {
  readonly #examples: RunExamples;
  readonly #call: (bracket: MarginBracket) => void;
  #next = 0;
  /** The narrowest bracket so far: both ends stay valid. */
  #bracket: MarginBracket | null = null;

  constructor(examples: RunExamples, call: (bracket: MarginBracket) => void) {
    this.#examples = examples;
    this.#call = call;
  }

  endPass({ learner }: RunState): undefined {
    const { intake, kernels, biasConstant } = this.#examples;
    const started = performance.now();
    if (started < this.#next || !intake.complete) return;
    const present = presentSum(learner, this.#examples);
    if (present === null) return;
    const tally = new MarginTally(kernels, [present], biasConstant);
    judgeStore(intake.store, kernels, [{ ...present, biasConstant, divisor: 1 }], 1, (batch, scores) =>
      tally.add(this.#examples.weigh(batch), scores),
    );
    const seen = tally.bracket(present, biasConstant, intake.store);
    if (seen !== null) {
      this.#bracket = narrowed(seen, this.#bracket ?? seen);
      this.#call(this.#bracket);
    }
    const ended = performance.now();
    this.#next = ended + 9 * (ended - started);
  }
}

/**
 * Tests if every sum of up to `summands` stored examples is exact: all values are multiples of one power of two,
 * and every sum fits into 53 bits.
 *
 * @param constant value of the constant feature, which is summed too; 0: none.
 */
function sumsAreExact(store: ExampleStore, constant: number, summands: number): boolean {
  let grid = 1;
  let largest = 0;
  const fits = (value: number): boolean => {
    while (grid > 2 ** -52 && !Number.isInteger(value / grid)) grid /= 2;
    largest = Math.max(largest, Math.abs(value));
    return (summands * largest) / grid <= 2 ** 53 && Number.isInteger(value / grid);
  };
  if (!fits(constant)) return false;
  for (let c = 0; c < store.chunks; c++) {
    const batch = store.load(c);
    const row = new BatchView(batch);
    for (let i = 0; i < batch.rows; i++) {
      row.open(i);
      for (let k = 0; k < row.count; k++) if (!fits(row.value(k))) return false;
    }
  }
  return true;
}
