import type { CategoryFeatures } from '../category/features.ts';
import { OneHotFeatures } from '../category/one-hot.ts';
import type { IntervalFeatures } from '../number/intervals.ts';
import { pairFeature } from './pair.ts';

/** Features of a column that can be crossed. */
export type CrossableFeatures = CategoryFeatures | IntervalFeatures;

/** Two columns crossed, by columns; see {@link pairFeature}. */
export class CrossFeatures extends OneHotFeatures {
  readonly name: string;
  readonly columns: readonly [CrossableFeatures, CrossableFeatures];
  readonly #featureOf: (a: number, b: number) => number;

  /** @param first position of the first feature. */
  constructor(columns: readonly [CrossableFeatures, CrossableFeatures], bits: number, first: number) {
    const [a, b] = columns;
    super(first, Math.min(2 ** bits, a.width * b.width));
    this.name = `${a.name} × ${b.name}`;
    this.columns = columns;
    this.#featureOf = pairFeature(a, b, bits, first);
  }

  /** Crosses the rows that both columns have read. */
  read(rows: number): void {
    const [a, b] = this.columns;
    const out = this.begin(rows);
    let none = 0;
    for (let i = 0; i < rows; i++) {
      out[i] = this.#featureOf(a.features[i]!, b.features[i]!);
      if (out[i] === -1) none++;
    }
    this.isEven = none === 0;
  }
}
