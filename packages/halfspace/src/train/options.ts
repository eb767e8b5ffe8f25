import type { ExampleSource, Source } from '../data/source.ts';
import type { StoreOptions } from '../data/store.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { optionNames } from '../features/option-names.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { MarginBracket } from '../margin/bracket.ts';
import { type Strategy, strategies } from '../model/multiclass/model.ts';
import type { Learner } from '../rules/learner.ts';
import type { UpdateWhen } from '../rules/mistake-driven.ts';
import {
  type AnyRuleOptions,
  completeRuleOptions,
  definitionOf,
  hasHyperplanes,
  hasPasses,
  type RuleName,
  type RuleOptions,
  ruleOptionOwners,
  rules,
  strategyOf,
} from '../rules/registry.ts';
import { checkOption, type OptionRange } from '../rules/rule-options.ts';
import { continuedOptions } from './continued-run.ts';
import type { ContradictionTest } from './contradiction.ts';
import type { FeatureMeans } from './feature-means.ts';
import type { Goal } from './goal.ts';
import type { LedgerSink } from './ledger-sink.ts';
import type { ClassWeights, TrainPlan } from './plan.ts';
import {
  biasKinds,
  defaultVariant,
  type PerceptronVariant,
  type PresetName,
  presets,
  type StopWhen,
  scalings,
} from './presets.ts';
import type { TrainState } from './train-state.ts';

/** Every member may be absent or undefined. */
type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

/**
 * Options of {@link trainOnce}. They may override every field of a variant (`as`, or the default) and every option of
 * the rule; `rules` has their ranges and defaults.
 */
export interface RunOptions extends Optional<Omit<PerceptronVariant, 'stop' | 'updateWhen'>>, AnyRuleOptions {
  /** A lecture's variant; it gives the options that are not set. */
  readonly as?: PresetName | undefined;
  readonly stop?: Optional<StopWhen> | undefined;
  /** Short for `stop.passes`. */
  readonly passes?: StopWhen['passes'] | undefined;
  /**
   * Early stopping: a tenth of the examples of every class is held out, at least one of two or more, and the run ends
   * after `patience` passes in a row, from 1, that did not lower the error on them. The model has the weights of the
   * best pass. Not with the orders `shuffled` and `random`.
   */
  readonly patience?: number | undefined;
  /** The loss that early stopping compares. Not with `ledger`. Default: the number of errors. */
  readonly goal?: Goal | undefined;
  /** Seed of all random choices, a whole number in [0, 2⁵³). Default 1. */
  readonly seed?: number | undefined;
  /** The positive class, for sources of numeric labels. Default: the larger of two labels; none for more classes. */
  readonly positive?: string | undefined;
  /**
   * Strategy for three or more classes. `kesler` needs a rule with a multiclass update; `joint` is for the rule
   * `logistic` and the loss `multinomial` of `sgd`, which have no other. Default `one-vs-rest`.
   */
  readonly multiclass?: Strategy | undefined;
  /**
   * Factors of the importance, by class: numbers above 0, default 1; or `balanced`, n / (K · nₖ) for n examples of K
   * classes, nₖ of class k. Evaluation counts every example once. Default: 1 for all.
   */
  readonly classWeights?: ClassWeights | undefined;
  /** Share of every class, in (0, 1), to hold out by the seed: not learned from, but evaluated at the end. */
  readonly holdout?: number | undefined;
  /**
   * After the run, searches for the largest margin of two classes until the relative distance of its bounds is at most
   * this, in (0, 1). The search takes more passes and memory. Default: no search.
   */
  readonly marginGap?: number | undefined;
  /**
   * After the run, decides if a hyperplane separates the classes, and each of several classes from all others, where
   * this costs less than most runs: for at most 2²⁰ values and 2²⁰ weights, with several classes for at most 2¹⁸
   * values times classes, and 20 classes. That none separates is rarely proved without an exact test: give one, such as
   * `contradict` of halfspace-certify. Not for the rule `tree`. Default: nothing is decided.
   */
  readonly separability?: true | ContradictionTest | undefined;
  /** Other examples to evaluate the model on. They are opened at the end, with the encoding of the model. */
  readonly validation?: Source | ExampleSource | undefined;
  /** Called after every batch. */
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
  /**
   * Called after some passes with the bracket on the largest margin, if the report has one. Takes at most about a tenth
   * of the time.
   */
  readonly onBracket?: ((bracket: MarginBracket) => void) | undefined;
  /**
   * Called after every example until it returns false; slow. Not for the rules `tree` and `logistic`. If a third class
   * occurs while data are read, the run starts over, and so does the count of passes. Not for a run that chooses its
   * rule.
   */
  readonly onStep?: ((step: TrainStep) => unknown) | undefined;
  /** Ends the run with the error `interrupted`. */
  readonly signal?: AbortSignal | undefined;
  /** Default: new kernels. */
  readonly kernels?: Kernels | undefined;
  /** Takes the features of the training examples. */
  readonly means?: FeatureMeans | undefined;
  /** Storage of the examples between passes. */
  readonly store?: StoreOptions | undefined;
  /**
   * Records every update: a `LedgerWriter`. For the rules averaged, perceptron, margin and passive-aggressive; not for
   * a run that chooses its rule.
   */
  readonly ledger?: LedgerSink | undefined;
  /**
   * Continues an earlier run: starts with its weights, means and counts. The rule, its options, the classes and the
   * positions of features are those of the state. If no pass is clean, p passes and then q passes over the same
   * examples give the functions and the state of p + q passes, to the bit. Not with `as`, `ledger`, `marginGap` and
   * `stop.quiet`, and not for a run that chooses its rule.
   */
  readonly from?: TrainState | undefined;
  /** True returns the `state` to continue `from` later. Not for the rules `tree` and `logistic`. Default false. */
  readonly keepState?: boolean | undefined;
}

/** Progress of one run. */
export interface RunProgress {
  readonly phase: 'training';
  /** The pass, from 1. */
  readonly pass: number;
  /** Largest number of passes; null while it depends on data that are not read yet. */
  readonly passes: number | null;
  /** Number of examples shown in this pass. */
  readonly rows: number;
  /** Number of examples in a pass; null during the first pass over a source that is being read. */
  readonly rowsInPass: number | null;
  /** Number of updates in this pass. */
  readonly updates: number;
}

/** State after an example. The object is the same at every step, so read it before returning. */
export interface TrainStep {
  /** The pass, from 1. */
  readonly pass: number;
  /** Number of examples shown in this pass before. */
  readonly position: number;
  /** Number of the example in the data, from 0; held-out rows and rows of importance 0 count. */
  readonly row: number;
  /** True if the learner made an update. */
  readonly updated: boolean;
  /** The learner after this example. Only read it: `functions()`, `presentFunctions()`, `state()` and `progress`. */
  readonly learner: Learner;
}

const oneOf = <const V extends readonly (string | number)[]>(values: V) => ({ kind: 'choice', values }) as const;
const whole = (from: number) => ({ kind: 'number', whole: true, from }) as const;
const share = { kind: 'number', from: 0, to: 1, open: 'both' } as const;

/** Ranges of the options that do not belong to a rule. */
const ranges = {
  as: oneOf(Object.keys(presets)),
  rule: oneOf(Object.keys(rules)),
  bias: oneOf(biasKinds),
  start: oneOf(['zero', 'example', 'random']),
  order: oneOf(['auto', 'cyclic', 'shuffled', 'shuffled-once', 'random']),
  tie: oneOf([-1, 1]),
  scaling: oneOf(scalings),
  returns: oneOf(['weights', 'unit']),
  multiclass: oneOf(strategies),
  patience: whole(1),
  seed: whole(0),
  holdout: share,
  marginGap: share,
} satisfies { readonly [K in keyof RunOptions]?: OptionRange };

/** The names of all options of {@link trainOnce}. */
export const runOptionNames: readonly string[] = [
  ...new Set([...ruleOptionOwners.keys(), ...Object.keys(ranges)]),
  ...optionNames<Omit<RunOptions, keyof AnyRuleOptions | keyof typeof ranges>>()(
    'stop passes positive classWeights goal means validation separability onProgress onBracket onStep signal kernels store ledger from keepState',
  ),
];

/** Completes and checks options. @throws HalfspaceError `option-invalid`. */
export function planTraining(given: RunOptions): TrainPlan {
  const options = given.from === undefined ? given : continuedOptions(given, given.from);
  for (const [name, range] of Object.entries(ranges)) {
    const value = options[name as keyof RunOptions];
    if (value !== undefined) checkOption(name, range, value);
  }
  const { as, rule, bias, start, order, tie, scaling, returns, classWeights } = options;
  const base: PerceptronVariant = as === undefined ? defaultVariant : presets[as];
  const chosen = { ...base, ...defined({ rule, bias, start, order, tie, scaling, returns }) };
  const ruleOptions = ownOptions(chosen.rule, base, options);
  const multiclass = strategyOf(chosen.rule, ruleOptions, options.multiclass);
  const updateWhen = (ruleOptions.updateWhen ?? base.updateWhen) as UpdateWhen;
  const stop = { ...base.stop, ...defined({ ...options.stop }), ...defined({ passes: options.passes }) };
  const variant = { ...chosen, updateWhen, stop };
  if (stop.passes !== 'auto') checkOption('passes', whole(1), stop.passes);
  if (typeof stop.quiet === 'number') checkOption('stop.quiet', whole(1), stop.quiet);
  checkClassWeights(classWeights);
  checkCallbacks(options);
  const { patience = null, marginGap = null, seed = 1, holdout = 0 } = options;
  if (patience !== null && (variant.order === 'shuffled' || variant.order === 'random'))
    throw invalid('order', 'cyclic, shuffled-once or auto with patience', variant.order);
  // Dual rules have no vector of weights.
  if (definitionOf(variant.rule).dual === true && variant.returns !== 'weights')
    throw unfit(`returns must be weights for the rule ${variant.rule}; got ${variant.returns}`);
  if (marginGap !== null && !hasHyperplanes(variant.rule))
    throw unfit(`marginGap is for rules that learn hyperplanes; got the rule ${variant.rule}`);
  if (options.separability !== undefined && !hasHyperplanes(variant.rule))
    throw unfit(`separability is for rules that learn hyperplanes; got the rule ${variant.rule}`);
  if (options.keepState === true && !hasPasses(variant.rule))
    throw unfit(`keepState is for rules that learn in passes; got the rule ${variant.rule}`);
  return {
    as: as ?? null,
    variant,
    ruleOptions: given.from?.options ?? ruleOptions,
    multiclass,
    classWeights: classWeights ?? null,
    patience,
    seed,
    holdout,
    marginGap,
  };
}

/** Removes the undefined members of an object. */
function defined<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;
}

/** Adds defaults to the options of a rule. Refuses options of other rules. */
function ownOptions(rule: RuleName, base: PerceptronVariant, options: RunOptions): RuleOptions {
  for (const [name, owners] of ruleOptionOwners)
    if (options[name as keyof RunOptions] !== undefined && !owners.includes(rule))
      throw unfit(`${name} is for the rule ${owners.join(' or ')}; got the rule ${rule}`);
  const own = Object.keys(rules[rule].options);
  // A lecture's `updateWhen` does not apply to rules with another update condition.
  if (options.as !== undefined && !own.includes('updateWhen'))
    throw unfit(`as ${options.as} is the rule ${base.rule}; got the rule ${rule}`);
  const given: RunOptions = { ...options, updateWhen: options.updateWhen ?? base.updateWhen };
  return completeRuleOptions(rule, Object.fromEntries(own.map((name) => [name, given[name as keyof RunOptions]])));
}

/** Refuses values that would fail in the middle of the run. */
function checkCallbacks(options: RunOptions): void {
  for (const name of ['onProgress', 'onBracket', 'onStep'] as const)
    if (options[name] !== undefined && typeof options[name] !== 'function')
      throw invalid(name, 'a function', options[name]);
  const { signal, ledger, separability, keepState } = options;
  if (signal !== undefined && typeof signal?.aborted !== 'boolean')
    throw invalid('signal', 'an AbortSignal, such as new AbortController().signal', signal);
  if (ledger !== undefined && typeof ledger?.begin !== 'function')
    throw invalid('ledger', 'a LedgerWriter of halfspace/ledger', ledger);
  if (separability !== undefined && separability !== true && typeof separability !== 'function')
    throw invalid('separability', 'true or a test of contradictions', separability);
  if (keepState !== undefined && typeof keepState !== 'boolean') throw invalid('keepState', 'true or false', keepState);
}

/** @throws HalfspaceError `option-invalid`. */
export function checkClassWeights(weights: unknown): void {
  if (weights === undefined || weights === 'balanced') return;
  if (typeof weights !== 'object' || weights === null)
    throw invalid('classWeights', 'balanced or numbers by class', weights);
  const above = { kind: 'number', from: 0, open: 'from' } as const;
  for (const [name, weight] of Object.entries(weights)) checkOption(`classWeights[${quote(name)}]`, above, weight);
}

function invalid(name: string, expected: string, got: unknown): HalfspaceError {
  return unfit(`${name} must be ${expected}; got ${quote(got)}`);
}

function unfit(message: string): HalfspaceError {
  return new HalfspaceError('option-invalid', message);
}
