import type { StoredBatch } from '../batch.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { suggestion } from '../features/nearest.ts';
import { checkOptionNames } from '../features/option-names.ts';
import { type Members, members, oneOf, readAs } from '../json.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { Strategy } from '../model/multiclass/model.ts';
import { arow } from './arow.ts';
import { averaged } from './averaged-perceptron.ts';
import { checkRuleOfState, type SharedOptions } from './kernel-memory-learner.ts';
import { kernel } from './kernel-perceptron.ts';
import type { Learner, LearnerState } from './learner.ts';
import { logistic } from './logistic.ts';
import { margin } from './margin-perceptron.ts';
import { checkMulticlassState, MulticlassPerceptron } from './multiclass-perceptron.ts';
import { againstRest, checkOneVersusRestState, OneVersusRest } from './one-versus-rest.ts';
import { passiveAggressive } from './passive-aggressive.ts';
import { perceptron } from './perceptron.ts';
import { pocket } from './pocket-perceptron.ts';
import type { AnsweringWeights, RuleDefinition } from './rule-definition.ts';
import {
  checkLearnerOptions,
  completeOptions,
  type GivenOptions,
  type OptionSpecs,
  type OptionValue,
  type ValueOf,
} from './rule-options.ts';
import { sgd } from './sgd.ts';
import { tree } from './tree.ts';
import { voted } from './voted-perceptron.ts';

/** The rules by their names in `--rule`; each has its own file. */
export const rules = {
  averaged,
  perceptron,
  margin,
  'passive-aggressive': passiveAggressive,
  pocket,
  arow,
  sgd,
  logistic,
  voted,
  kernel,
  tree,
} as const satisfies Record<string, RuleDefinition>;

export type RuleName = keyof typeof rules;

/** Name of the rule of online/follow-the-leader.ts, which is no rule of `train`. */
export const followTheLeader = 'follow-the-leader';

type Intersection<U> = (U extends unknown ? (part: U) => void : never) extends (whole: infer I) => void ? I : never;

/** The options of all rules side by side; each is only for rules that have it. */
export type AnyRuleOptions = Intersection<{ [R in RuleName]: GivenOptions<(typeof rules)[R]['options']> }[RuleName]>;

/** All options of a rule, as a model records them. */
export type RuleOptions = Readonly<Record<string, OptionValue>>;

/** All options of a rule; an option without a default may be absent. */
export type CompleteOptions<R extends RuleName> = RuleOptions & Complete<(typeof rules)[R]['options']>;
type Complete<S extends OptionSpecs> = { readonly [K in keyof S]?: ValueOf<S[K]> };

/** Options of a learner: those of its rule, those that all rules share, and those that a run gives to every rule. */
export type LearnerOptions<R extends RuleName> = SharedOptions &
  GivenOptions<(typeof rules)[R]['options']> & {
    /** For rules that draw at random: a whole number in [0, 2⁵³). Default 1. */
    readonly seed?: number | undefined;
    /** For rules that look at all examples; see {@link PocketPerceptronOptions}. */
    readonly examples?: (() => Iterable<StoredBatch>) | undefined;
  };

/** The class of the learners of a rule. */
export type LearnerOf<R extends RuleName> = LearnerBy<(typeof rules)[R]>;
type LearnerBy<D> = D extends { readonly create: (...given: never[]) => infer L extends Learner } ? L : never;

/** The rules that have each option. */
export const ruleOptionOwners: ReadonlyMap<string, readonly RuleName[]> = ownersOf();

/** Checks a rule's options and adds defaults. @throws HalfspaceError `option-invalid`. */
export function completeRuleOptions<R extends RuleName>(
  rule: R,
  given: GivenOptions<(typeof rules)[R]['options']>,
): CompleteOptions<R> {
  const definition = definitionOf(rule);
  checkOptionNames(given, Object.keys(definition.options), `the rule ${rule}`);
  return (definition.complete?.(given) ?? completeOptions(definition.options, given)) as CompleteOptions<R>;
}

/**
 * Creates a learner.
 *
 * @param options of the rule, and those that all rules share; absent ones have their defaults.
 * @throws HalfspaceError `option-invalid` for an unknown rule, an option of another rule, or a value out of range.
 */
export function createLearner<R extends RuleName>(
  kernels: Kernels,
  rule: R,
  options: LearnerOptions<R> = {},
  state?: LearnerState,
): LearnerOf<R> {
  const { create } = definitionOf(rule);
  if (create === undefined)
    throw new HalfspaceError('option-invalid', `expected a rule that learns example by example; got ${rule}`);
  if (state !== undefined) checkState(state, rule);
  return create(kernels, options, state) as LearnerOf<R>;
}

/**
 * Creates a learner of several classes. Its labels are class positions.
 *
 * @param options as for {@link createLearner}; and `classes`, the number of classes known from the start (default 0).
 *   Others may appear later.
 * @throws HalfspaceError `option-invalid` if the rule or its options do not have this strategy.
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
  strategyOf(rule, own, strategy);
  if (strategy === 'one-vs-rest')
    return new OneVersusRest(
      rule,
      (k, machine) =>
        createLearner(kernels, rule, { ...own, ...examplesOfClass(options, k) } as LearnerOptions<R>, machine),
      { classes, state },
    );
  const { multiclass, joint, options: specs } = definitionOf(rule);
  checkLearnerOptions(rule, specs, own);
  if (strategy === 'joint') return joint!.create(kernels, own, classes, state);
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

/**
 * Returns the strategy for several classes: that given, `joint` for options that ask for it, or `one-vs-rest`.
 *
 * @param options of the rule, complete or as given.
 * @throws HalfspaceError `option-invalid` for a strategy that does not fit the options.
 */
export function strategyOf(rule: RuleName, options: object, given?: Strategy): Strategy {
  const { joint, minimises = false } = definitionOf(rule);
  const isJoint = minimises || joint?.isFor(options) === true;
  const strategy = given ?? (isJoint ? 'joint' : 'one-vs-rest');
  if (isJoint && strategy !== 'joint')
    throw new HalfspaceError(
      'option-invalid',
      `multiclass must be joint, or absent, for ${joint?.name ?? `the rule ${rule}`}, which learns all classes together; got ${strategy}`,
    );
  if (!isJoint && strategy === 'joint') {
    const names = [
      ...rulesWith('joint').map((each) => `the rule ${each} with ${definitionOf(each).joint!.name}`),
      ...rulesWith('minimises').map((each) => `the rule ${each}`),
    ];
    throw new HalfspaceError('option-invalid', `multiclass joint is for ${names.join(' or ')}; got the rule ${rule}`);
  }
  return strategy;
}

/** Returns the weights with which a rule scores. Undefined: others, or the mean and the last ones by another option. */
export function answersBy(rule: RuleName, options: RuleOptions): AnsweringWeights | undefined {
  const { answersBy: by } = definitionOf(rule);
  return typeof by === 'function' ? by(options) : by;
}

/** Returns true if a rule learns example by example, in passes. Others look at all examples at once. */
export function hasPasses(rule: RuleName): boolean {
  return definitionOf(rule).create !== undefined;
}

/** Returns true if a rule looks for hyperplanes, as all do but the tree. */
export function hasHyperplanes(rule: RuleName): boolean {
  return hasPasses(rule) || definitionOf(rule).minimises === true;
}

/** Returns true if a rule gives weights, which dual rules and the tree do not. */
export function hasWeights(rule: RuleName): boolean {
  return hasHyperplanes(rule) && definitionOf(rule).dual !== true;
}

/**
 * Returns the definition of a rule.
 *
 * @param allowed the names that the message of the error lists. Default: those of all rules.
 * @throws HalfspaceError `option-invalid` for an unknown name.
 */
export function definitionOf(rule: string, allowed: readonly string[] = Object.keys(rules)): RuleDefinition {
  if (!Object.hasOwn(rules, rule))
    throw new HalfspaceError(
      'option-invalid',
      `rule must be one of ${allowed.join(', ')}; got ${quote(rule)}${rule === followTheLeader ? ', which learns row by row: OnlineClassifier, halfspace learn' : suggestion(rule, allowed)}`,
    );
  return rules[rule as RuleName];
}

/** Checks and returns a learner's state from an untrusted file. @throws HalfspaceError `model-invalid`. */
export function checkLearnerState(value: unknown): LearnerState {
  return readAs({ prefix: 'in the state of a learner, ' }, () => {
    const state = members(value, 'state');
    if ('machines' in state) checkOneVersusRestState(state, checkTwoClasses);
    else if ('classes' in state) {
      oneOf(state.rule, 'rule', rulesWith('multiclass'));
      checkMulticlassState(state);
    } else if ('outputs' in state) definitionOf(oneOf(state.rule, 'rule', rulesWith('joint'))).joint!.checkState(state);
    else checkTwoClasses(state);
    return value as LearnerState;
  });
}

function checkTwoClasses(state: Members): void {
  definitionOf(oneOf(state.rule, 'rule', rulesWith('checkState'))).checkState!(state);
}

/** Returns the rules that have a capability. */
export function rulesWith(capability: keyof RuleDefinition): RuleName[] {
  return (Object.keys(rules) as RuleName[]).filter((rule) => definitionOf(rule)[capability] !== undefined);
}

/** @throws HalfspaceError `option-invalid` for the state of another rule, `model-invalid` for impossible numbers. */
function checkState(state: LearnerState, rule: string): void {
  if (typeof state === 'object' && state !== null) checkRuleOfState(state, rule);
  checkLearnerState(state);
}

/** Returns the option `examples`, if present, with labels for the learner of class k. */
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
