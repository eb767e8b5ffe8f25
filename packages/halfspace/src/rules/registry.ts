import type { StoredBatch } from '../batch.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { suggestion } from '../features/nearest.ts';
import { checkOptionNames } from '../features/option-names.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { updateCondition } from '../kernels/kernels.ts';
import type { Strategy } from '../model/model.ts';
import { Arow, arowOptions } from './arow.ts';
import { AveragedPerceptron } from './averaged-perceptron.ts';
import { completeKernelOptions, KernelPerceptron, kernelOptions } from './kernel-perceptron.ts';
import type { Learner, LearnerState } from './learner.ts';
import { checkLearnerState } from './learner-state.ts';
import { MarginPerceptron, marginOptions } from './margin-perceptron.ts';
import { checkRuleOfState, type SharedOptions, updateOptions } from './mistake-driven.ts';
import { MulticlassPerceptron, type MulticlassPerceptronOptions } from './multiclass-perceptron.ts';
import { againstRest, OneVersusRest } from './one-versus-rest.ts';
import {
  completePassiveAggressive,
  PassiveAggressive,
  type PassiveAggressiveVariant,
  passiveAggressiveKinds,
  passiveAggressiveOptions,
} from './passive-aggressive.ts';
import { Perceptron } from './perceptron.ts';
import { PocketPerceptron } from './pocket-perceptron.ts';
import {
  checkLearnerOptions,
  completeOptions,
  type GivenOptions,
  type OptionSpecs,
  type OptionValue,
  type ValueOf,
} from './rule-options.ts';
import { completeSgd, Sgd, sgdOptions } from './sgd.ts';
import { treeOptions } from './tree.ts';
import { VotedPerceptron } from './voted-perceptron.ts';

/** A rule as `train`, the command and the model's record know it. */
export interface RuleDefinition {
  /** One line for a person. */
  readonly summary: string;
  /** What is this rule's own to choose. */
  readonly options: OptionSpecs;
  /** Completes and checks options, where {@link completeOptions} by each option's range is not all. @throws HalfspaceError `option-invalid`. */
  readonly complete?: (given: object) => Record<string, OptionValue>;
  /**
   * Absent for a rule that is not learned example by example.
   *
   * @param options complete and checked: {@link completeRuleOptions}, and those that all rules share.
   * @param state where to go on from; given, the options are those of the state.
   */
  // biome-ignore lint/suspicious/noExplicitAny: each rule has a type of its own for what was checked by its specs.
  readonly create?: (kernels: Kernels, options: any, state?: LearnerState) => Learner;
  /** Whether the rule looks at all examples (its option `examples`), which must be read before its first pass. */
  readonly stored?: boolean;
  /** Whether it answers with its last weights, which the order of the last examples sways; a mean is not swayed so. */
  readonly swayed?: boolean;
  /** How the rule learns several classes at once, for rules that can. @param options as for `create`. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly multiclass?: (options: any) => MulticlassPerceptronOptions;
  /** Whether it answers by a dual function, which has no vector of weights that could start elsewhere or be brought to length 1. */
  readonly dual?: true;
  /** Whether its weights are sums of steps that an example makes alone, so that a ledger of its updates can be kept and replayed. */
  readonly recordable?: true;
}

/** `sign-differs` is about score 0 of two classes; of several it asks for what `at-most-zero` asks for. */
const multiclassConditions: Readonly<Record<string, number>> = {
  'at-most-zero': updateCondition.atMost,
  'below-zero': updateCondition.below,
  'sign-differs': updateCondition.atMost,
};

/** The rules, each in its file, by the names that `--rule` knows them by. */
export const rules = {
  averaged: {
    summary: 'the mean of the perceptron’s weights over time',
    options: updateOptions,
    recordable: true,
    create: (kernels, options, state) => new AveragedPerceptron(kernels, options, state),
    multiclass: (options) => ({ averaging: true, condition: multiclassConditions[options.updateWhen] }),
  },
  perceptron: {
    summary: 'the last weights of the perceptron',
    options: updateOptions,
    recordable: true,
    swayed: true,
    create: (kernels, options, state) => new Perceptron(kernels, options, state),
    multiclass: (options) => ({ condition: multiclassConditions[options.updateWhen] }),
  },
  margin: {
    summary: 'the perceptron that also learns from rows that are right, but too near',
    options: marginOptions,
    recordable: true,
    swayed: true,
    create: (kernels, options, state) => new MarginPerceptron(kernels, options, state),
    multiclass: ({ margin }) => ({ threshold: margin }),
  },
  'passive-aggressive': {
    summary: 'the least change that gets each row right by a margin of 1',
    options: passiveAggressiveOptions,
    complete: completePassiveAggressive,
    recordable: true,
    swayed: true,
    create: (kernels, options, state) => new PassiveAggressive(kernels, options, state),
    multiclass: ({ variant, aggressiveness }) => ({
      condition: updateCondition.below,
      threshold: 1,
      stepKind: passiveAggressiveKinds[variant as PassiveAggressiveVariant],
      aggressiveness: aggressiveness ?? 0,
    }),
  },
  pocket: {
    summary: 'the best weights that the perceptron has had',
    options: updateOptions,
    create: (kernels, options, state) => new PocketPerceptron(kernels, options, state),
    stored: true,
  },
  arow: {
    summary: 'a weight moves the less the more often its feature was learned from',
    options: arowOptions,
    create: (kernels, options, state) => new Arow(kernels, options, state),
  },
  sgd: {
    summary: 'gradient steps on a regularised loss: linear SVM, logistic regression',
    options: sgdOptions,
    complete: completeSgd,
    create: (kernels, options, state) => new Sgd(kernels, options, state),
  },
  voted: {
    summary: 'the votes of all vectors that the perceptron went through',
    options: updateOptions,
    dual: true,
    create: (kernels, options, state) => new VotedPerceptron(kernels, options, state),
  },
  kernel: {
    summary: 'the perceptron with a kernel in the place of inner products',
    options: kernelOptions,
    complete: completeKernelOptions,
    dual: true,
    create: (kernels, options, state) => new KernelPerceptron(kernels, options, state),
  },
  tree: { summary: 'a decision tree, which asks one question after the other', options: treeOptions },
} as const satisfies Record<string, RuleDefinition>;

export type RuleName = keyof typeof rules;

type Intersection<U> = (U extends unknown ? (part: U) => void : never) extends (whole: infer I) => void ? I : never;

/** The options of all rules side by side, each to be given only with a rule that has it. */
export type AnyRuleOptions = Intersection<{ [R in RuleName]: GivenOptions<(typeof rules)[R]['options']> }[RuleName]>;

/** A rule's own options, as a model records them. */
export type RuleOptions = Readonly<Record<string, OptionValue>>;

/** A rule's own options, complete; an option without a default may be absent. */
export type CompleteOptions<R extends RuleName> = RuleOptions & Complete<(typeof rules)[R]['options']>;
type Complete<S extends OptionSpecs> = { readonly [K in keyof S]?: ValueOf<S[K]> };

/** What a learner of a rule takes: its own options, those that all rules share, and what a run gives to every rule. */
export type LearnerOptions<R extends RuleName> = SharedOptions &
  GivenOptions<(typeof rules)[R]['options']> & {
    /** Of the rules that draw by chance: a whole number in [0, 2⁵³). Default 1. */
    readonly seed?: number | undefined;
    /** Of the rules that look at all examples; see {@link PocketPerceptronOptions}. */
    readonly examples?: (() => Iterable<StoredBatch>) | undefined;
  };

/** By which rules each option is had. */
export const ruleOptionOwners: ReadonlyMap<string, readonly RuleName[]> = ownersOf();

/** What is a rule's own among `given`, complete. @throws HalfspaceError `option-invalid`. */
export function completeRuleOptions<R extends RuleName>(
  rule: R,
  given: GivenOptions<(typeof rules)[R]['options']>,
): CompleteOptions<R> {
  const definition: RuleDefinition = definitionOf(rule);
  checkOptionNames(given, definition.options as object, `the rule ${rule}`);
  return (definition.complete?.(given) ?? completeOptions(definition.options, given)) as CompleteOptions<R>;
}

/**
 * A learner of a rule.
 *
 * @param options the rule's own, and those that all rules share; those left out have their defaults.
 * @throws HalfspaceError `option-invalid` for a rule that is none, an option that the rule does not have, or one out of its range.
 */
export function createLearner<R extends RuleName>(
  kernels: Kernels,
  rule: R,
  options: LearnerOptions<R>,
  state?: LearnerState,
): Learner {
  const { create }: RuleDefinition = definitionOf(rule);
  if (create === undefined)
    throw new HalfspaceError('option-invalid', `expected a rule that learns example by example; got ${rule}`);
  if (state !== undefined) checkState(state, rule);
  return create(kernels, options, state);
}

/**
 * A learner of several classes by a rule, which takes labels that are positions of classes.
 *
 * @param options as for {@link createLearner}, and how many `classes` are known from the start: others may appear later. Default 0.
 * @throws HalfspaceError `option-invalid` where the rule has no multiclass update.
 */
export function createMulticlassLearner<R extends RuleName>(
  kernels: Kernels,
  rule: R,
  strategy: Strategy,
  options: LearnerOptions<R> & { readonly classes?: number | undefined },
  state?: LearnerState,
): Learner {
  const { classes = 0, ...own } = options;
  if (state !== undefined) checkState(state, rule);
  if (strategy === 'one-vs-rest')
    return new OneVersusRest(
      rule,
      (k, machine) =>
        createLearner(kernels, rule, { ...own, ...examplesOfClass(options, k) } as LearnerOptions<R>, machine),
      { classes, state },
    );
  const { multiclass, options: specs }: RuleDefinition = definitionOf(rule);
  checkLearnerOptions(rule, specs, own);
  if (multiclass === undefined)
    throw new HalfspaceError(
      'option-invalid',
      `multiclass must be one-vs-rest for the rule ${rule}, which has no multiclass update; got ${strategy}`,
    );
  return new MulticlassPerceptron(
    rule,
    { ...multiclass(options), biasConstant: options.biasConstant ?? 1, classes },
    state,
  );
}

/** @throws HalfspaceError `option-invalid` for a name that is no rule's. */
function definitionOf(rule: string): RuleDefinition {
  if (!Object.hasOwn(rules, rule))
    throw new HalfspaceError(
      'option-invalid',
      `rule must be one of ${Object.keys(rules).join(', ')}; got ${quote(rule)}${suggestion(rule, Object.keys(rules))}`,
    );
  return rules[rule as RuleName];
}

/** @throws HalfspaceError `option-invalid` for the state of another rule, `model-invalid` for numbers that no learner has. */
function checkState(state: LearnerState, rule: string): void {
  if (typeof state === 'object' && state !== null) checkRuleOfState(state, rule);
  checkLearnerState(state);
}

/** The option `examples` of the rules that have it, labelled for the learner of class k. */
function examplesOfClass(options: object, k: number): object {
  const { examples } = options as { readonly examples?: () => Iterable<StoredBatch> };
  return examples === undefined ? {} : { examples: () => againstRest(examples(), k) };
}

function ownersOf(): Map<string, RuleName[]> {
  const owners = new Map<string, RuleName[]>();
  for (const [rule, { options }] of Object.entries(rules))
    for (const name of Object.keys(options)) owners.set(name, [...(owners.get(name) ?? []), rule as RuleName]);
  return owners;
}
