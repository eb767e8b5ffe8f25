import type { FeatureEncoding } from '../features/encoding.ts';
import { featureNamer } from '../features/names.ts';
import { columnWidth, type TableColumn } from '../features/table-encoding.ts';
import type { LinearFunction } from './linear/model.ts';
import { eachWeight, weightReader } from './linear/sparse-weights.ts';
import type { Model } from './model.ts';
import type { FeatureList } from './raw-features.ts';
import { beyondDoubles } from './scorer.ts';
import { type Present, type TermGroup, type TermValue, termGroups } from './terms.ts';

/** A term of a score. */
export interface ScoreTerm {
  /** Name of the column; of two crossed columns `a × b`; of a word, numbered or named feature the feature's name. */
  readonly term: string;
  /**
   * Value in the row, as the model reads it: a number, a level, true or false, a date as text; null if it is missing or
   * was not seen in training. Of a word it is the value of its feature. Digits of a number that standardising may have
   * changed are rounded.
   */
  readonly value: TermValue;
  /** Σ weight · (x − mean) over the features of the term. Above 0: it speaks for the class. */
  readonly contribution: number;
}

/** The terms of a score. */
export interface ScoreTerms {
  /** Score of the mean row. */
  readonly meanScore: number;
  /** True if the mean row is that of all training rows; see `Explanation`. */
  readonly isMean: boolean;
  /** The strongest terms, by descending absolute contribution, without those that are 0. */
  readonly terms: readonly ScoreTerm[];
  /** Number of further terms that are not 0. */
  readonly otherTerms: number;
  /** Sum of the further terms. */
  readonly others: number;
  /** `score` minus `meanScore`, all contributions and `others`, which are subtracted exactly: the rounding error. */
  readonly rounding: number;
}

/** The terms of one linear function in the mean row. */
interface FunctionTerms {
  readonly weight: (j: number) => number;
  readonly divisor: number;
  readonly meanScore: number;
  /** Σ −weight · mean of each group. */
  readonly absent: Float64Array;
  /** Features that are terms themselves and whose weight and mean are not 0, by descending −weight · mean. */
  readonly order: readonly number[];
}

interface Candidate extends ScoreTerm {
  /** Position of its first feature. */
  readonly at: number;
}

/**
 * Splits scores of a linear model into terms weight · (x − mean), where x − mean is divided as the model divides x.
 *
 * @see Štrumbelj & Kononenko (2014), Explaining prediction models and individual predictions with feature
 *   contributions: for independent features these are the Shapley values.
 */
export class Explainer {
  readonly #functions: readonly LinearFunction[];
  readonly #groups: readonly TermGroup[];
  readonly #mean: ReturnType<typeof referenceRow>;
  readonly #nameOf: (j: number) => string;
  /** Made when a function is first asked for. */
  readonly #made: FunctionTerms[] = [];

  constructor({ features, means }: Pick<Model, 'features' | 'means'>, functions: readonly LinearFunction[]) {
    this.#functions = functions;
    this.#groups = termGroups(features);
    this.#mean = referenceRow(features, means);
    this.#nameOf = featureNamer(features);
  }

  /**
   * Returns the terms of a score. Takes time by the number of columns and of the row's features, after the first call
   * for a function.
   *
   * @param k position of the function.
   * @param score of the row.
   * @param most largest number of terms.
   * @throws HalfspaceError `number-invalid` if a term overflows.
   */
  terms(k: number, row: FeatureList, score: number, most: number): ScoreTerms {
    this.#made[k] ??= this.#termsOf(this.#functions[k]!);
    const own = this.#made[k];
    const { weight, divisor, meanScore, absent, order } = own;
    const candidates: Candidate[] = [];
    const groups = this.#groups;
    const present = new Map<number, Present[]>();
    for (let i = 0; i < row.count; i++) {
      const [j, value] = [row.indices[i]!, row.values[i]!];
      if (j < 0 || value === 0) continue;
      const g = this.#groupOf(j);
      const found = present.get(g);
      if (found === undefined) present.set(g, [[j, value]]);
      else found.push([j, value]);
    }
    const seen = new Set<number>();
    const part = (j: number, value: number) => weight(j) * ((value - this.#mean.at(j)) / divisor) + 0;
    /** Σ −weight · mean over the features of all groups without a name that the row lacks. */
    let lacking = 0;
    groups.forEach(({ name, valueIn }, g) => {
      const features = present.get(g) ?? [];
      let missing = absent[g]!;
      for (const [j] of features) missing += weight(j) * (this.#mean.at(j) / divisor);
      if (name === null) {
        lacking += missing;
        for (const [j, value] of features) {
          seen.add(j);
          candidates.push({ term: this.#nameOf(j), value, contribution: part(j, value), at: j });
        }
        return;
      }
      let contribution = missing;
      for (const [j, value] of features) contribution += part(j, value);
      candidates.push({ term: name, value: valueIn(features), contribution, at: g === 0 ? 0 : groups[g - 1]!.end });
    });
    let left = order.length;
    for (const j of seen) if (weight(j) * (this.#mean.at(j) / divisor) !== 0) left--;
    for (let at = 0, taken = 0; at < order.length && taken < most; at++) {
      const j = order[at]!;
      if (seen.has(j)) continue;
      const contribution = part(j, 0);
      candidates.push({ term: this.#nameOf(j), value: 0, contribution, at: j });
      lacking -= contribution;
      left--;
      taken++;
    }
    const nonzero = candidates
      .filter(({ contribution }) => contribution !== 0)
      .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution) || a.at - b.at);
    const terms = nonzero.slice(0, most).map(({ at: _, ...term }) => term);
    const others = nonzero.slice(most).reduce((sum, { contribution }) => sum + contribution, left === 0 ? 0 : lacking);
    const rounding = exactSum([score, -meanScore, -others, ...terms.map(({ contribution }) => -contribution)]);
    if (!Number.isFinite(rounding)) throw beyondDoubles(rounding);
    const otherTerms = nonzero.length - terms.length + left;
    return { meanScore, isMean: this.#mean.isMean, terms, otherTerms, others, rounding };
  }

  #termsOf(linear: LinearFunction): FunctionTerms {
    const { divisor, bias, biasConstant } = linear;
    const groups = this.#groups;
    const absent = new Float64Array(groups.length);
    const sizes = new Map<number, number>();
    let g = 0;
    const add = (weight: number, j: number) => {
      while (groups[g]!.end <= j) g++;
      const contribution = -weight * (this.#mean.at(j) / divisor);
      if (contribution === 0) return;
      absent[g]! += contribution;
      if (groups[g]!.name === null) sizes.set(j, Math.abs(contribution));
    };
    const weight = weightReader(linear);
    // Mostly few of many features have a mean.
    if (this.#mean.nonzero === null) eachWeight(linear, add);
    else for (const j of this.#mean.nonzero) add(weight(j), j);
    const order = [...sizes.keys()].sort((a, b) => sizes.get(b)! - sizes.get(a)! || a - b);
    const meanScore = bias * biasConstant - absent.reduce((sum, each) => sum + each, 0) + 0;
    return { weight, divisor, meanScore, absent, order };
  }

  /** Returns the position of the group of feature j. */
  #groupOf(j: number): number {
    const groups = this.#groups;
    let [from, to] = [0, groups.length - 1]; // the first group that ends behind j
    while (from < to) {
      const middle = (from + to) >> 1;
      if (groups[middle]!.end > j) to = middle;
      else from = middle + 1;
    }
    return from;
  }
}

/**
 * Returns the sum of doubles, which is added up without any rounding and rounded at the end. Infinite or NaN if a
 * partial sum overflows.
 *
 * @see Shewchuk (1997), Adaptive precision floating-point arithmetic, theorem 10.
 */
export function exactSum(values: Iterable<number>): number {
  /** Doubles whose exact sum is that of the values so far; none overlaps another, and their sizes rise. */
  const parts: number[] = [];
  for (const value of values) {
    let high = value;
    let kept = 0;
    for (const part of parts) {
      const sum = high + part;
      const [large, small] = Math.abs(high) < Math.abs(part) ? [part, high] : [high, part];
      const low = small - (sum - large);
      if (low !== 0) parts[kept++] = low;
      high = sum;
    }
    parts.length = kept;
    parts.push(high);
  }
  return parts.reduce((sum, part) => sum + part, 0);
}

/** The row that an explanation compares with. */
interface ReferenceRow {
  /** Value of feature j. */
  readonly at: (j: number) => number;
  /** The features whose values may not be 0, rising; null: all. */
  readonly nonzero: Iterable<number> | null;
  /** True if every value is the mean of the training rows; see `Explanation.isMean`. */
  readonly isMean: boolean;
}

/**
 * Returns the mean row of the training rows, if the model has it. Else columns that are read as one number are at the
 * mean that the encoding has, and all other features at 0.
 *
 * @param means of all features; undefined: the model has none.
 */
function referenceRow(features: FeatureEncoding, means: Float64Array | undefined): ReferenceRow {
  if (means !== undefined) return { at: (j) => means[j] ?? 0, nonzero: null, isMean: true };
  if (features.kind !== 'table') return { at: () => 0, nonzero: [], isMean: false };
  const known = new Map<number, number>();
  let first = 0;
  for (const column of features.columns) {
    const isScaled = features.scale === 'standard' && column.kind !== 'boolean';
    // A standardised number has the mean 0.
    if (hasMean(column) && !isScaled) known.set(first, column.mean);
    first += columnWidth(column);
  }
  const isMean =
    features.crosses === undefined && features.columns.every((column) => hasMean(column) && columnWidth(column) === 1);
  return { at: (j) => known.get(j) ?? 0, nonzero: [...known.keys()], isMean };
}

/** Tests if the first feature of a column is its number. */
function hasMean(column: TableColumn): column is Extract<TableColumn, { mean: number }> {
  return 'mean' in column && !('edges' in column && column.edges !== undefined);
}
