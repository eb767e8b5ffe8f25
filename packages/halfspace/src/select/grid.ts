import type { Strategy } from '../model/multiclass/model.ts';
import type { RuleName } from '../rules/registry.ts';

/** A rule with options that may depend on the number of examples. */
export interface GridEntry {
  readonly rule: RuleName;
  /** Options that differ from the rule's defaults. */
  readonly options: (examples: number) => Readonly<Record<string, number | string | boolean>>;
  readonly multiclass: Strategy;
  /** Approximate cost of visiting a value, relative to the averaged perceptron; of `penalties`, of all of them. */
  readonly cost: number;
  /** C of the penalties α = 1 / (C·n) at which the rule `logistic` is evaluated, rising, in place of passes. */
  readonly penalties?: readonly number[];
}

/** Strength of the penalty as in an SVM: C weighs the sum of the losses, so α = 1 / (C·n) weighs against their mean. */
const regularised = (loss: string, C: number): GridEntry => ({
  rule: 'sgd',
  options: (examples) => ({ loss, alpha: 1 / (C * examples) }),
  multiclass: 'one-vs-rest',
  cost: 4,
});

/** Logistic regression with longer steps: better for correlated features, less precise for others. */
const fast = (C: number): GridEntry => ({
  ...regularised('logistic', C),
  options: (examples) => ({ loss: 'logistic', alpha: 1 / (C * examples), rate: 4 }),
});

/** Softmax regression, for three or more classes. `rate`: shorter steps are more precise, and need more passes. */
const softmax = (C: number, rate = 0.5): GridEntry => ({
  ...regularised('multinomial', C),
  options: (examples) => ({ loss: 'multinomial', alpha: 1 / (C * examples), rate }),
  multiclass: 'joint',
});

/** Logistic regression at its minimum, for three or more classes softmax regression. */
export const minimum: GridEntry = {
  rule: 'logistic',
  options: () => ({}),
  multiclass: 'joint',
  cost: 400,
  penalties: [0.01, 0.1, 1, 10, 100, 1000],
};

/** Returns the candidate at one of its penalties. */
export function atPenalty({ penalties: _, ...entry }: GridEntry, C: number): GridEntry {
  return { ...entry, options: (examples) => ({ alpha: 1 / (C * examples) }) };
}

/** Averaged passive-aggressive with steps of at most C. */
const passive = (C: number): GridEntry => ({
  rule: 'passive-aggressive',
  options: () => ({ aggressiveness: C, average: true }),
  multiclass: 'one-vs-rest',
  cost: 2,
});

/** Averaged AROW. The larger r, the smaller the effect of one example. */
const confident = (r: number): GridEntry => ({
  rule: 'arow',
  options: () => ({ r, average: true }),
  multiclass: 'one-vs-rest',
  cost: 2,
});

/**
 * Candidates of a search, in the order of simplicity: logistic regression, for three or more classes softmax
 * regression, and the linear SVM with several L2 penalties; averaged AROW and passive-aggressive; the averaged
 * perceptron, for three or more classes also by the multiclass update. Those with a penalty come first, the stronger
 * one before the weaker. Where the rule `logistic` is affordable, it takes the place of gradient steps on its loss.
 */
export const grid: readonly GridEntry[] = [
  minimum,
  softmax(1, 0.1),
  ...[1, 10].map((C) => softmax(C)),
  ...[0.01, 0.1, 1, 10].map((C) => regularised('logistic', C)),
  ...[10, 100].map(fast),
  ...[0.1, 1].map((C) => regularised('hinge', C)),
  regularised('squared-hinge', 1),
  ...[10, 1, 0.1].map(confident),
  ...[0.01, 0.1].map(passive),
  { rule: 'averaged', options: () => ({}), multiclass: 'one-vs-rest', cost: 1 },
  { rule: 'averaged', options: () => ({}), multiclass: 'kesler', cost: 6 },
];

/** The linear SVM with squared hinge, which updates few classes of a row. */
const svm = regularised('squared-hinge', 1);

/**
 * Candidates for many classes: learners of all classes at once, which are much faster than a learner for each class,
 * and the linear SVM. The others are for a search that is restricted to one against all others.
 */
export const gridForMany: readonly GridEntry[] = [
  ...[0.1, 1, 10].map((C) => softmax(C)),
  ...[0.1, 1, 10].map((C) => regularised('logistic', C)),
  svm,
  { rule: 'averaged', options: () => ({}), multiclass: 'kesler', cost: 6 },
];

/**
 * Candidates for texts with letters, which have about ten times as many features as their words. Their penalties were
 * best in experiments. For accuracy the first one is enough; the others have better probabilities.
 */
const gridForLetters: readonly GridEntry[] = [svm, regularised('logistic', 10), softmax(10)];

/**
 * Returns the candidates for texts with letters.
 *
 * @param strategy as {@link candidatesFor} takes it.
 * @param isAccuracy true if the search follows accuracy.
 */
export function candidatesForLetters(
  classes: number,
  strategy: Strategy | undefined,
  isAccuracy: boolean,
): readonly GridEntry[] {
  const isOf = (entry: GridEntry) =>
    classes <= 2
      ? entry.multiclass === 'one-vs-rest'
      : strategy === undefined
        ? entry === svm || entry.multiclass === 'joint'
        : entry.multiclass === strategy;
  return gridForLetters.filter(isOf).slice(0, isAccuracy ? 1 : undefined);
}

/** From this number of classes on, the candidates are those for many classes. */
export const fewestMany = 51;

/**
 * Returns the candidates for a number of classes.
 *
 * @param strategy the only one for several classes. Default: any.
 * @param minimises true for the rule `logistic`; false for gradient steps in its place.
 */
export function candidatesFor(
  classes: number,
  strategy: Strategy | undefined,
  minimises: boolean,
): readonly GridEntry[] {
  const isFew = classes < fewestMany;
  const isMinimum = minimises && isFew && (classes <= 2 || strategy === undefined || strategy === minimum.multiclass);
  const replaced = ({ options }: GridEntry) => options(1).loss === (classes > 2 ? 'multinomial' : 'logistic');
  const fitting = grid.filter((entry) => (isMinimum ? !replaced(entry) : entry !== minimum));
  if (classes <= 2) return fitting.filter((entry) => entry.multiclass === 'one-vs-rest' || entry === minimum);
  if (strategy === undefined)
    return isFew ? fitting : gridForMany.filter((entry) => entry === svm || entry.multiclass !== 'one-vs-rest');
  const isOf = ({ multiclass }: GridEntry) => multiclass === strategy;
  const own = isFew ? fitting.filter(isOf) : [];
  return own.length > 0 ? own : gridForMany.filter(isOf);
}

/** Numbers of passes after which candidates are evaluated. */
export const judgedPasses: readonly number[] = [1, 2, 3, 5, 8, 12, 20, 40, 80];
