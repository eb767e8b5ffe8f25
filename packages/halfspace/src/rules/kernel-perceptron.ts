/**
 * The kernel perceptron: the perceptron in dual form, in a feature space that is never computed.
 *
 * Objective: find v = Σᵢ nᵢ yᵢ φ(xᵢ) with y(v·φ(x)) > 0 for every example (x, y), y ∈ {−1, +1}.
 * Update, when y·a ≤ 0 for the score a = Σⱼ αⱼ K(xⱼ, x):   add the mistake (x, y) with α = h·y
 * Symbols: j mistakes in their order, xⱼ their rows, nᵢ number of mistakes on row i; K(x, x') = φ(x)·φ(x') the kernel,
 * see kernel-function.ts, where x includes the constant c of the bias; h importance of the example (default 1).
 * Answer: the last v; or the average or the votes of all v, weighted by the importance that each survived.
 * Bound: as in perceptron.ts, with the radius and the margin of φ(x).
 * Budget B: with B mistakes kept, a new one first removes one of them, drawn uniformly (the randomized budget
 * perceptron).
 * Source: Freund & Schapire 1999, Large margin classification using the perceptron algorithm (Machine Learning 37),
 * section 3; Aizerman, Braverman & Rozonoer 1964. Budget: Cavallanti, Cesa-Bianchi & Gentile 2007, Tracking the best
 * hyperplane with a simple budget perceptron (Machine Learning 69), section 3.
 * Differences: updates at y·a ≤ 0, in the first paper at sgn(a) ≠ y; h scales the step. Equal rows are stored once. The
 * draw at the k-th mistake is the first of the seed's k-th stream, so states need no state of a random generator.
 */
import { checkBatch, checkScored, type StoredBatch } from '../batch.ts';
import { HalfspaceError } from '../errors.ts';
import { unfit, whole } from '../json.ts';
import { classOf, freedMemory, type Kernels } from '../kernels/kernels.ts';
import * as layout from '../kernels/layout.ts';
import { DualExpansion } from '../model/dual/expansion.ts';
import { checkDualState } from '../model/dual/file.ts';
import type { Aggregate, DualFunction } from '../model/dual/function.ts';
import { type KernelFunction, largestDegree } from '../model/dual/kernel-function.ts';
import { Random } from '../random.ts';
import { countExample, isStopped, limitBy, progressOf } from './counts.ts';
import type { DualLearner, DualState } from './dual-learner.ts';
import { checkRuleOfState, largestDimension, type SharedOptions } from './kernel-memory-learner.ts';
import type { LearnerLimits, LearnerProgress, LearnerState } from './learner.ts';
import { checkScalars, checkUpdateScalars } from './learner-state.ts';
import type { RuleDefinition } from './rule-definition.ts';
import {
  checkLearnerOptions,
  completeOptions,
  type GivenOptions,
  type OptionSpecs,
  type OptionValue,
} from './rule-options.ts';

const kernelOptions = {
  /** The kernel function. Default `polynomial`. */
  kernel: {
    kind: 'choice',
    values: ['linear', 'polynomial', 'rbf'],
    default: 'polynomial',
    about: 'the kernel function',
  },
  /** Degree of the polynomial, a whole number from 1. Default 2. */
  degree: { kind: 'number', from: 1, to: largestDegree, whole: true, default: 2, about: 'degree of the polynomial' },
  /** γ, the factor of x·x' or of the squared distance, in (0, ∞). Default 1. */
  gamma: {
    kind: 'number',
    from: 0,
    open: 'from',
    default: 1,
    about: 'γ, the factor of x·x’ or of the squared distance',
  },
  /** Constant that the polynomial adds to γ·x·x', in [0, ∞). Default 0. */
  coef0: { kind: 'number', from: 0, default: 0, about: 'constant that the polynomial adds to γ·x·x’' },
  /** Weight vectors of the run that predict. Default `averaged`. */
  aggregate: {
    kind: 'choice',
    values: ['last', 'averaged', 'voted'],
    default: 'averaged',
    about: 'which weight vectors of the run predict',
  },
  /**
   * Largest number of stored mistakes, a whole number from 1, for the aggregate `last`; others are dropped at random.
   * Default: all are stored.
   */
  budget: {
    kind: 'number',
    from: 1,
    whole: true,
    default: null,
    about: 'maximum number of stored mistakes, for --aggregate last; others are dropped at random (default: all)',
  },
} as const satisfies OptionSpecs;

/** `seed`: of the draws for a budget; a whole number in [0, 2⁵³); default 1. */
export type KernelOptions = SharedOptions & GivenOptions<typeof kernelOptions> & { readonly seed?: number | undefined };

/** See {@link Learner.state}. */
interface KernelState extends DualState {
  /** Null: no budget. */
  readonly budget: number | null;
  readonly seed: number;
}

export class KernelPerceptron implements DualLearner {
  readonly rule = 'kernel';
  readonly outputs = 1;
  readonly #expansion: DualExpansion;
  /** At the positions of kernels/layout.ts. */
  readonly #scalars = new Float64Array(layout.stateSize);
  readonly #aggregate: Aggregate;
  /** ∞: no budget. */
  readonly #budget: number;
  readonly #seed: number;
  #freed = false;

  /**
   * @param state to continue from; if given, the options are those of the state.
   * @throws HalfspaceError `option-invalid`.
   */
  constructor(kernels: Kernels, options: KernelOptions = {}, state?: LearnerState) {
    checkLearnerOptions('kernel', kernelOptions, options);
    const own = completeKernelOptions(options);
    if (state !== undefined) checkRuleOfState(state, this.rule);
    const from = state as KernelState | undefined;
    this.#budget = (from === undefined ? (own.budget as number | undefined) : from.budget) ?? Infinity;
    this.#seed = from?.seed ?? options.seed ?? 1;
    this.#aggregate = from?.dual.aggregate ?? (own.aggregate as Aggregate);
    this.#expansion = new DualExpansion(
      kernels,
      from?.dual ?? { kernel: kernelOf(own), biasConstant: options.biasConstant ?? 1, divisor: 1 },
    );
    this.#scalars[layout.tie] = options.tie ?? -1;
    this.limit({});
    if (from === undefined) return;
    this.#expansion.load(from.dual);
    this.#scalars.set(from.scalars);
  }

  learn(batch: StoredBatch, from = 0, to = batch?.rows): number {
    checkBatch(batch, from, to);
    if (this.#freed) throw freedMemory();
    let at = from;
    while (at < to && !isStopped(this.#scalars)) this.#show(batch, at++);
    return at - from;
  }

  scoreInto(batch: StoredBatch, out: Float64Array): void {
    checkScored(batch, out, this.outputs);
    if (this.#freed) throw freedMemory();
    for (let i = 0; i < batch.rows; i++) {
      this.#expansion.place(batch, i);
      out[i] = this.#expansion.score(this.#aggregate);
    }
  }

  /** @param aggregate default: the option. Without a budget every aggregate can be computed. */
  dual(aggregate: Aggregate = this.#aggregate): DualFunction {
    if (this.#freed) throw freedMemory();
    return this.#expansion.data(aggregate, this.#budget !== Infinity);
  }

  get progress(): LearnerProgress {
    return progressOf(this.#scalars);
  }

  /** Number of distinct rows kept; the time of a prediction is proportional to it. */
  get supportRows(): number {
    return this.#expansion.rows;
  }

  limit(limits: LearnerLimits): void {
    if (this.#freed) throw freedMemory();
    limitBy(this.#scalars, limits);
  }

  functions(): readonly DualFunction[] {
    return [this.dual()];
  }

  state(): KernelState {
    if (this.#freed) throw freedMemory();
    return {
      rule: this.rule,
      scalars: this.#scalars.slice(),
      dual: this.dual(),
      budget: this.#budget === Infinity ? null : this.#budget,
      seed: this.#seed,
    };
  }

  survive(importance: number): void {
    if (this.#freed) throw freedMemory();
    this.#expansion.survive(importance);
  }

  free(): void {
    this.#freed = true;
    this.#expansion.free();
  }

  #show(batch: StoredBatch, i: number): void {
    const state = this.#scalars;
    const expansion = this.#expansion;
    expansion.place(batch, i);
    const y = batch.labels[i]!;
    const h = batch.importance === null ? 1 : batch.importance[i]!;
    const a = expansion.score('last');
    if (!Number.isFinite(a))
      throw new HalfspaceError(
        'weights-overflow',
        'expected scores within the range of doubles; got larger ones: scale the data, or take a smaller gamma or degree',
      );
    if (classOf(a, state[layout.tie]!) !== y) state[layout.mistakes]! += 1;
    const updated = h > 0 && y * a <= 0;
    countExample(state, h, updated);
    if (updated) {
      if (expansion.mistakes.count >= this.#budget)
        expansion.forget(new Random(this.#seed, state[layout.updates]!).below(this.#budget));
      expansion.add(h * y);
    }
    expansion.survive(h);
  }
}

/** Adds defaults, but only for options of the chosen kernel. @throws HalfspaceError `option-invalid`. */
function completeKernelOptions(given: object): Record<string, OptionValue> {
  const own = completeOptions(kernelOptions, given);
  for (const [name, kernels] of Object.entries(kernelsWith)) {
    if ((kernels as readonly OptionValue[]).includes(own.kernel!)) continue;
    if ((given as Readonly<Record<string, unknown>>)[name] !== undefined)
      throw new HalfspaceError(
        'option-invalid',
        `${name} is for the kernel ${kernels.join(' or ')}; got the kernel ${own.kernel}`,
      );
    delete own[name];
  }
  if (own.budget !== undefined && own.aggregate !== 'last')
    throw new HalfspaceError(
      'option-invalid',
      `budget is for the aggregate last, because averages and votes need every mistake; got the aggregate ${own.aggregate}`,
    );
  return own;
}

const kernelsWith = { degree: ['polynomial'], gamma: ['polynomial', 'rbf'], coef0: ['polynomial'] } as const;

function kernelOf({ kernel, degree, gamma, coef0 }: Record<string, OptionValue>): KernelFunction {
  if (kernel === 'linear') return { kind: 'linear' };
  if (kernel === 'rbf') return { kind: 'rbf', gamma: gamma as number };
  return { kind: 'polynomial', degree: degree as number, gamma: gamma as number, coef0: coef0 as number };
}

export const kernel = {
  summary: 'the perceptron with a kernel in the place of inner products',
  options: kernelOptions,
  complete: completeKernelOptions,
  dual: true,
  create: (kernels, options, state) => new KernelPerceptron(kernels, options, state),
  checkState: (state) => {
    checkScalars(state.scalars, layout.stateSize, checkUpdateScalars);
    const budget = state.budget === null ? null : whole(state.budget, 'budget', 1);
    whole(state.seed, 'seed');
    const mistakes = checkDualState(state.dual, largestDimension, budget !== null);
    if (budget !== null && mistakes > budget) throw unfit('dual.rows', `at most ${budget}, the budget`, mistakes);
  },
} as const satisfies RuleDefinition;
