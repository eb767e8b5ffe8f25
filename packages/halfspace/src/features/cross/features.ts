import type { CategoryFeatures } from '../category/features.ts';
import { OneHotFeatures } from '../category/one-hot.ts';
import type { IntervalFeatures } from '../number/intervals.ts';

/** Features of a column that can be crossed. */
export type CrossableFeatures = CategoryFeatures | IntervalFeatures;

/** Two columns crossed: a row has the feature of its pair of features, if both columns have one. */
export class CrossFeatures extends OneHotFeatures {
  readonly name: string;
  readonly columns: readonly [CrossableFeatures, CrossableFeatures];
  readonly #pairs: number;
  readonly #bits: number;

  /** @param first position of the first feature. */
  constructor(columns: readonly [CrossableFeatures, CrossableFeatures], bits: number, first: number) {
    const pairs = columns[0].width * columns[1].width;
    super(first, Math.min(2 ** bits, pairs));
    this.name = `${columns[0].name} × ${columns[1].name}`;
    this.columns = columns;
    this.#pairs = pairs;
    this.#bits = bits;
  }

  /** Crosses the rows that both columns have read. */
  read(rows: number): void {
    const [a, b] = this.columns;
    const out = this.begin(rows);
    let none = 0;
    for (let i = 0; i < rows; i++) {
      out[i] = this.#pairOf(a.features[i]!, b.features[i]!);
      if (out[i] === -1) none++;
    }
    this.isEven = none === 0;
  }

  /** Passes the feature of a pair of fields to `put`, if there is one. */
  one(first: unknown, second: unknown, put: (index: number, value: number) => void): void {
    const feature = this.#pairOf(this.columns[0].featureOf(first), this.columns[1].featureOf(second));
    if (feature >= 0) put(feature, 1);
  }

  #pairOf(a: number, b: number): number {
    if (a < 0 || b < 0) return -1;
    const [one, other] = this.columns;
    return this.first + crossSlot((a - one.first) * other.width + (b - other.first), this.#pairs, this.#bits);
  }
}

/** Returns the feature of a pair within a cross: the pair's number, or its hash if there are more than 2^bits pairs. */
export function crossSlot(pair: number, pairs: number, bits: number): number {
  if (pairs <= 2 ** bits) return pair;
  // Multiplies by odd constants and folds high bits into low ones, so that neighbouring pairs are spread.
  let h = Math.imul(pair ^ Math.floor(pair / 2 ** 32), 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  return ((h ^ (h >>> 13)) >>> 0) % 2 ** bits;
}
