import type { Strategy } from '../model/multiclass/model.ts';
import type { RuleName } from '../rules/registry.ts';

/** A rule with options that may depend on the number of examples. */
export interface GridEntry {
  readonly rule: RuleName;
  /** Options that differ from the rule's defaults. */
  readonly options: (examples: number) => Readonly<Record<string, number | string | boolean>>;
  readonly multiclass: Strategy;
  /** Cost of one visit of a value, relative to the averaged perceptron; rough. */
  readonly cost: number;
}

/** The strength of a penalty as it is for an SVM: C weighs the sum of losses, α = 1 / (C·n) their mean. */
const regularised = (loss: string, C: number): GridEntry => ({
  rule: 'sgd',
  options: (examples) => ({ loss, alpha: 1 / (C * examples) }),
  multiclass: 'one-vs-rest',
  cost: 4,
});

/** Logistic regression with longer steps: it comes further where features go together, and is rougher elsewhere. */
const fast = (C: number): GridEntry => ({
  ...regularised('logistic', C),
  options: (examples) => ({ loss: 'logistic', alpha: 1 / (C * examples), rate: 4 }),
});

/** AROW with its mean: the larger r, the less one example can do. */
const confident = (r: number): GridEntry => ({
  rule: 'arow',
  options: () => ({ r, average: true }),
  multiclass: 'one-vs-rest',
  cost: 2,
});

/**
 * The candidates of a search: the averaged perceptron, for three classes and more also by the multiclass update; AROW;
 * logistic regression and the linear SVM with several L2 penalties. Of equals the first is chosen.
 */
export const grid: readonly GridEntry[] = [
  { rule: 'averaged', options: () => ({}), multiclass: 'one-vs-rest', cost: 1 },
  { rule: 'averaged', options: () => ({}), multiclass: 'kesler', cost: 6 },
  ...[0.1, 1, 10].map(confident),
  ...[0.01, 0.1, 1, 10].map((C) => regularised('logistic', C)),
  ...[10, 100].map(fast),
  ...[0.1, 1].map((C) => regularised('hinge', C)),
  regularised('squared-hinge', 1),
];

/** Passes after which candidates are judged. */
export const judgedPasses: readonly number[] = [1, 2, 3, 5, 8, 12, 20, 40, 80];
