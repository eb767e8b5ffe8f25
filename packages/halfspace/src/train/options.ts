import type { ExampleSource } from '../data/source.ts';
import type { StoreOptions } from '../data/store.ts';
import { HalfspaceError, quote } from '../errors.ts';
import type { OptionNames } from '../features/option-names.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { checkGap, type MarginBracket } from '../margin/bracket.ts';
import type { Model, Strategy } from '../model/model.ts';
import type { Learner } from '../rules/learner.ts';
import {
  type AnyRuleOptions,
  completeRuleOptions,
  definitionOf,
  hasPasses,
  type RuleName,
  type RuleOptions,
  ruleOptionOwners,
  rules,
} from '../rules/registry.ts';
import type { LedgerSink } from './ledger-sink.ts';
import type { ClassWeights, TrainPlan } from './plan.ts';
import { defaultVariant, type PerceptronVariant, type PresetName, presets, type StopWhen } from './presets.ts';

/** Every member may be left out, or undefined. */
type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

/**
 * Options of {@link train}. Every field of a variant may be set on its own, over those of `as` or of the default, and so may every option
 * of the rule; `rules` has their ranges and defaults.
 */
export interface TrainOptions extends Optional<Omit<PerceptronVariant, 'stop' | 'updateWhen'>>, AnyRuleOptions {
  /** A lecture's variant; what it says holds where nothing else is said. */
  readonly as?: PresetName | undefined;
  readonly stop?: Optional<StopWhen> | undefined;
  /** Short for `stop.passes`. */
  readonly passes?: StopWhen['passes'] | undefined;
  /**
   * Ends the run after so many passes in a row, a whole number from 1, that did not lower the error on a tenth of the examples, which is set
   * aside for that and not learned from; the weights are those of the best pass. With the orders `cyclic`, `shuffled-once` and `auto`.
   */
  readonly patience?: number | undefined;
  /** Seed of every random choice: a whole number in [0, 2⁵³). Default 1. */
  readonly seed?: number | undefined;
  /** For sources of numeric labels: the class set against the rest. Default: the larger of two; of more classes none. */
  readonly positive?: string | undefined;
  /** How three and more classes are learned; `kesler` with rules that have a multiclass update. Default `one-vs-rest`. */
  readonly multiclass?: Strategy | undefined;
  /**
   * What the importance of each class's examples is multiplied by: `balanced` n / (K · nₖ) for n examples, nₖ of the class, of K classes;
   * or numbers above 0 by class, 1 for those left out. Judging counts every example once all the same. Default: 1 for all.
   */
  readonly classWeights?: ClassWeights | undefined;
  /** Share of the examples, in (0, 1), set aside by the seed, never learned from, and judged at the end. */
  readonly holdout?: number | undefined;
  /**
   * Looks, after the run, for the largest margin of two classes, until its bounds are this far apart, relatively, in (0, 1). Takes passes of its own
   * and more memory. Default: not looked for.
   */
  readonly marginGap?: number | undefined;
  /** Opens other examples, encoded for the model that came out, to judge it on. */
  readonly validate?: ((model: Model) => ExampleSource | Promise<ExampleSource>) | undefined;
  /** Called now and then while running. */
  readonly onProgress?: ((progress: TrainProgress) => void) | undefined;
  /**
   * Called after a pass, but so seldom that it takes at most about a tenth of the time, with the bracket on the largest margin; where a report
   * has one.
   */
  readonly onBracket?: ((bracket: MarginBracket) => void) | undefined;
  /**
   * Called after every example that is shown, of a rule other than tree: for pictures of a run, and slow. Once it returns false it is not called any
   * more, and the run goes on at its own speed. Where a third class comes as data are read, the run begins anew, and so do its passes. Not for a run
   * whose rule is chosen.
   */
  readonly onStep?: ((step: TrainStep) => unknown) | undefined;
  /** Ends the run with the error `interrupted`. */
  readonly signal?: AbortSignal | undefined;
  /** Default: kernels made for this run. */
  readonly kernels?: Kernels | undefined;
  /** Where examples are kept between passes. */
  readonly store?: StoreOptions | undefined;
  /** Is told every update, for the rules averaged, perceptron, margin and passive-aggressive: a `LedgerWriter`. Not for a run whose rule is chosen. */
  readonly ledger?: LedgerSink | undefined;
}

/** The names of all options of {@link train}. */
export const trainOptionNames: OptionNames<TrainOptions> = {
  ...(Object.fromEntries([...ruleOptionOwners.keys()].map((name) => [name, true])) as OptionNames<AnyRuleOptions>),
  rule: true,
  bias: true,
  start: true,
  order: true,
  tie: true,
  scaling: true,
  returns: true,
  as: true,
  stop: true,
  passes: true,
  patience: true,
  seed: true,
  positive: true,
  multiclass: true,
  classWeights: true,
  holdout: true,
  marginGap: true,
  validate: true,
  onProgress: true,
  onBracket: true,
  onStep: true,
  signal: true,
  kernels: true,
  store: true,
  ledger: true,
};

export interface TrainProgress {
  /** The pass, from 1. */
  readonly pass: number;
  /** The most passes there will be; null while that depends on what the first pass finds. */
  readonly passes: number | null;
  /** Examples shown in this pass. */
  readonly rows: number;
  /** Examples in a pass; null while the first pass is still counting them. */
  readonly rowsInPass: number | null;
  /** Updates in this pass. */
  readonly updates: number;
}

/** One example was shown. The object is the same at every step: read it before returning. */
export interface TrainStep {
  /** The pass, from 1. */
  readonly pass: number;
  /** Number of examples shown in this pass before. */
  readonly position: number;
  /** Number of the example in the data, from 0; rows held out and rows of importance 0 are counted too. */
  readonly row: number;
  /** Whether the learner updated on it. */
  readonly updated: boolean;
  /** The learner after this example. To be read only: `functions()`, `presentFunctions()`, `state()` and `progress`. */
  readonly learner: Learner;
}

/** The values that an option may have, as data, so that messages name them. */
const choices: { readonly [K in keyof PerceptronVariant]?: readonly PerceptronVariant[K][] } = {
  rule: Object.keys(rules) as RuleName[],
  bias: ['absorbed', 'separate', 'none'],
  start: ['zero', 'example', 'random'],
  order: ['auto', 'cyclic', 'shuffled', 'shuffled-once', 'random'],
  tie: [-1, 1],
  scaling: ['none', 'unit-ball', 'max-norm'],
  returns: ['weights', 'unit'],
};

const strategies: readonly Strategy[] = ['one-vs-rest', 'kesler'];

/** Completes and checks options. @throws HalfspaceError `option-invalid`. */
export function planTraining(options: TrainOptions): TrainPlan {
  const { as } = options;
  if (as !== undefined && !Object.hasOwn(presets, as))
    throw invalid('as', `one of ${Object.keys(presets).join(', ')}`, as);
  const base: PerceptronVariant = as === undefined ? defaultVariant : presets[as];
  const variant: Record<string, unknown> = { ...base };
  for (const [name, allowed] of Object.entries(choices)) {
    const value = options[name as keyof TrainOptions];
    if (value === undefined) continue;
    if (!(allowed as readonly unknown[]).includes(value)) throw invalid(name, `one of ${allowed.join(', ')}`, value);
    variant[name] = value;
  }
  const ruleOptions = ownOptions(variant.rule as RuleName, base, options);
  if (ruleOptions.updateWhen !== undefined) variant.updateWhen = ruleOptions.updateWhen;

  checkDual(variant as unknown as PerceptronVariant);

  const given = Object.fromEntries(Object.entries(options.stop ?? {}).filter(([, value]) => value !== undefined));
  const stop: StopWhen = {
    ...base.stop,
    ...given,
    ...(options.passes === undefined ? {} : { passes: options.passes }),
  };
  if (stop.passes !== 'auto') checkWhole('passes', stop.passes, 1);
  if (typeof stop.quiet === 'number') checkWhole('stop.quiet', stop.quiet, 1);

  if (!strategies.includes(options.multiclass ?? 'one-vs-rest'))
    throw invalid('multiclass', `one of ${strategies.join(', ')}`, options.multiclass);
  checkClassWeights(options.classWeights);
  if (options.patience !== undefined) {
    checkWhole('patience', options.patience, 1);
    if (variant.order === 'shuffled' || variant.order === 'random')
      throw invalid('order', 'cyclic, shuffled-once or auto with patience', variant.order);
  }
  const seed = options.seed ?? 1;
  checkWhole('seed', seed, 0);
  const holdout = options.holdout ?? 0;
  if (options.holdout !== undefined && !(holdout > 0 && holdout < 1)) throw invalid('holdout', 'in (0, 1)', holdout);
  const { marginGap = null } = options;
  if (marginGap !== null) checkGap('marginGap', marginGap);
  if (marginGap !== null && !hasPasses(variant.rule as RuleName))
    throw new HalfspaceError(
      'option-invalid',
      `marginGap is for rules that learn hyperplanes; got the rule ${variant.rule}`,
    );
  return {
    as: as ?? null,
    variant: { ...(variant as unknown as PerceptronVariant), stop },
    ruleOptions,
    multiclass: options.multiclass ?? 'one-vs-rest',
    classWeights: options.classWeights ?? null,
    patience: options.patience ?? null,
    seed,
    holdout,
    marginGap,
  };
}

/** The options that are a rule's own, complete. Refuses those of other rules. */
function ownOptions(rule: RuleName, base: PerceptronVariant, options: TrainOptions): RuleOptions {
  for (const [name, owners] of ruleOptionOwners)
    if (options[name as keyof TrainOptions] !== undefined && !owners.includes(rule))
      throw new HalfspaceError(
        'option-invalid',
        `${name} is for the rule ${owners.join(' or ')}; got the rule ${rule}`,
      );
  // A lecture says when to update; rules that say it otherwise are not that lecture's.
  if (options.as !== undefined && !('updateWhen' in rules[rule].options))
    throw new HalfspaceError('option-invalid', `as ${options.as} is the rule ${base.rule}; got the rule ${rule}`);
  const given: Record<string, unknown> = { updateWhen: options.updateWhen ?? base.updateWhen };
  const own = Object.keys(rules[rule].options).map((name) => [
    name,
    options[name as keyof TrainOptions] ?? given[name],
  ]);
  return completeRuleOptions(rule, Object.fromEntries(own));
}

/** What is for rules whose answer is one vector of weights. */
function checkDual({ rule, returns }: PerceptronVariant): void {
  if (definitionOf(rule).dual === true && returns !== 'weights')
    throw new HalfspaceError('option-invalid', `returns must be weights for the rule ${rule}; got ${returns}`);
}

function checkClassWeights(weights: unknown): void {
  if (weights === undefined || weights === 'balanced') return;
  if (typeof weights !== 'object' || weights === null)
    throw invalid('classWeights', 'balanced or numbers by class', weights);
  for (const [name, weight] of Object.entries(weights))
    if (typeof weight !== 'number' || !(weight > 0 && weight < Infinity))
      throw invalid(`classWeights[${quote(name)}]`, 'in (0, ∞)', weight);
}

function checkWhole(name: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) throw invalid(name, `a whole number from ${least}`, value);
}

function invalid(name: string, expected: string, got: unknown): HalfspaceError {
  return new HalfspaceError('option-invalid', `${name} must be ${expected}; got ${quote(got)}`);
}
