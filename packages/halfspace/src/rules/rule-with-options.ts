import { HalfspaceError, quote } from '../errors.ts';
import { checkOptionNames } from '../features/option-names.ts';
import type { TreeCriterion } from '../model/tree/options.ts';
import type { UpdateWhen } from './mistake-driven.ts';
import type { LossName } from './objective.ts';
import type { PassiveAggressiveVariant } from './passive-aggressive.ts';
import { definitionOf, type RuleName, type RuleOptions } from './registry.ts';

/** The averaged perceptron: it predicts with the mean of the perceptron's weights over time. */
export interface AveragedRule {
  readonly name: 'averaged';
  /** Condition of an update on y·score. Default `at-most-zero`. */
  readonly updateWhen?: UpdateWhen | undefined;
}

/** The perceptron: it predicts with the last weights. */
export interface PerceptronRule {
  readonly name: 'perceptron';
  /** Condition of an update on y·score. Default `at-most-zero`. */
  readonly updateWhen?: UpdateWhen | undefined;
}

/** The perceptron with margin: it also updates on examples that are correct by a small margin. */
export interface MarginRule {
  readonly name: 'margin';
  /** Updates on examples with y·score of at most this, in [0, ∞). Default 1. */
  readonly margin?: number | undefined;
}

/** Passive-aggressive: the smallest step after which the example has the margin 1. */
export interface PassiveAggressiveRule {
  readonly name: 'passive-aggressive';
  /** Limit of the step: `pa` none, `pa-1` at most C, `pa-2` smaller for a smaller C. Default `pa-1`. */
  readonly variant?: PassiveAggressiveVariant | undefined;
  /** C, in (0, ∞); not for `pa`. Default 1. */
  readonly aggressiveness?: number | undefined;
  /** True predicts with the mean of the weights over time. Default false. */
  readonly average?: boolean | undefined;
}

/** The pocket algorithm: the perceptron, which keeps the weights that classified the most examples correctly. */
export interface PocketRule {
  readonly name: 'pocket';
  /** Condition of an update on y·score. Default `at-most-zero`. */
  readonly updateWhen?: UpdateWhen | undefined;
}

/** AROW: it updates uncertain weights more than certain ones. */
export interface ArowRule {
  readonly name: 'arow';
  /** Regularisation, in (0, ∞): the larger, the smaller the updates. Default 1. */
  readonly r?: number | undefined;
  /** True predicts with the mean of the weights over time. Default false. */
  readonly average?: boolean | undefined;
}

/** Stochastic gradient descent on a loss with a penalty: logistic regression, linear SVM, … */
export interface SgdRule {
  readonly name: 'sgd';
  /**
   * Default `logistic`: logistic regression. `hinge`: a linear SVM. `multinomial`: softmax regression, which learns
   * three or more classes together; for two it is `logistic`.
   */
  readonly loss?: LossName | 'multinomial' | undefined;
  /** Penalty on the weights. Default `l2`. */
  readonly penalty?: 'l2' | 'l1' | 'elastic-net' | 'none' | undefined;
  /** Strength of the penalty, in [0, ∞); not for the penalty `none`. Default 0.0001. */
  readonly alpha?: number | undefined;
  /** Share of L1 in the penalty `elastic-net`, in [0, 1]. Default 0.15. */
  readonly l1Ratio?: number | undefined;
  /** Schedule of the step sizes. `adaptive`: of each weight by its gradients (AdaGrad). Default `adaptive`. */
  readonly schedule?: 'adaptive' | 'inverse-scaling' | 'constant' | undefined;
  /** First step size, in (0, ∞). Default 0.5 for the schedule `adaptive`, else 0.01. */
  readonly rate?: number | undefined;
  /** p of the schedule `inverse-scaling`, rate / (1 + rows)^p, in [0, 1]. Default 0.5. */
  readonly power?: number | undefined;
  /** Weights to predict with: their mean over time, or the last. Default `last` for penalties with L1, else `mean`. */
  readonly answer?: 'mean' | 'last' | undefined;
}

/** The voted perceptron: all vectors that the perceptron went through vote. Its model is dual. */
export interface VotedRule {
  readonly name: 'voted';
  /** Condition of an update on y·score. Default `at-most-zero`. */
  readonly updateWhen?: UpdateWhen | undefined;
}

/** The kernel perceptron. Its model is dual. */
export interface KernelRule {
  readonly name: 'kernel';
  /** The kernel function. Default `polynomial`. */
  readonly kernel?: 'linear' | 'polynomial' | 'rbf' | undefined;
  /** Degree of the polynomial, a whole number from 1. Default 2. */
  readonly degree?: number | undefined;
  /** γ, the factor of x·x' or of the squared distance, in (0, ∞). Default 1. */
  readonly gamma?: number | undefined;
  /** Constant that the polynomial adds to γ·x·x', in [0, ∞). Default 0. */
  readonly coef0?: number | undefined;
  /** Weight vectors of the run that predict. Default `averaged`. */
  readonly aggregate?: 'last' | 'averaged' | 'voted' | undefined;
  /**
   * Largest number of stored mistakes, a whole number from 1, for the aggregate `last`; others are dropped at random.
   * Default: all are stored.
   */
  readonly budget?: number | undefined;
}

/** A decision tree, which grows from all examples at once. */
export interface TreeRule {
  readonly name: 'tree';
  /** Criterion of a split. Default `gini`. */
  readonly criterion?: TreeCriterion | undefined;
  /** Largest number of tests between the root and a leaf, a whole number from 0. Default 6. */
  readonly maxDepth?: number | undefined;
  /** Smallest number of examples in a leaf, in (0, ∞). Default 1. */
  readonly minLeaf?: number | undefined;
  /** Share of the examples whose errors each extra leaf must save, in [0, 1]. Default 0. */
  readonly pruning?: number | undefined;
  /** Largest number of levels of a category that gets one branch per level, a whole number from 0. Default 8. */
  readonly multiway?: number | undefined;
}

/** A rule with its options: `{ name: 'passive-aggressive', aggressiveness: 0.1 }`. Absent ones have their defaults. */
export type RuleWithOptions =
  | AveragedRule
  | PerceptronRule
  | MarginRule
  | PassiveAggressiveRule
  | PocketRule
  | ArowRule
  | SgdRule
  | VotedRule
  | KernelRule
  | TreeRule;

/** The rule of this name, with its options. */
export type RuleNamed<R extends RuleName> = Extract<RuleWithOptions, { readonly name: R }>;

/** An update rule: its name, for the default options; or its name and options. */
export type Rule = RuleName | RuleWithOptions;

/**
 * Returns the name and the options of a rule. The values of the options are not checked.
 *
 * @param allowed the names that the message for an unknown name lists. Default: those of all rules.
 * @throws HalfspaceError `option-invalid` for an unknown name, an option that the rule does not have, or a value of
 *   another form.
 */
export function partsOf(
  rule: Rule,
  allowed?: readonly string[],
): { readonly name: RuleName; readonly options: object } {
  const { name, ...options } = typeof rule === 'object' && rule !== null ? rule : { name: rule };
  if (typeof name !== 'string')
    throw new HalfspaceError(
      'option-invalid',
      `rule must be a name or { name: …, and its options }; got ${typeof rule === 'object' && rule !== null ? 'an object without a name' : quote(rule)}`,
    );
  checkOptionNames(options, definitionOf(name, allowed).options as object, `the rule ${name}`);
  return { name, options };
}

/** Returns a rule with all its options, in the form that `train` takes. */
export function ruleOf(name: RuleName, options: RuleOptions): RuleWithOptions {
  return { name, ...options } as RuleWithOptions;
}
