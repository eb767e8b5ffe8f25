import type { CategoryFeatures } from '../category/features.ts';
import { OneHotFeatures } from '../category/one-hot.ts';
import type { IntervalFeatures } from '../number/intervals.ts';
import type { TableCross } from '../table-encoding.ts';
import { pairFeature } from './pair.ts';

/** Features of a column that can be crossed. */
export type CrossableFeatures = CategoryFeatures | IntervalFeatures;

/** Two columns crossed, by columns; see {@link pairFeature}. */
export class CrossFeatures extends OneHotFeatures {
  readonly name: string;
  readonly columns: readonly [CrossableFeatures, CrossableFeatures];
  readonly #featureOf: (a: number, b: number) => number;

  /**
   * @param width number of features.
   * @param first position of the first one.
   */
  constructor(
    columns: readonly [CrossableFeatures, CrossableFeatures],
    { cross, width, first }: { readonly cross: TableCross; readonly width: number; readonly first: number },
  ) {
    const [a, b] = columns;
    super(first, width);
    this.name = `${a.name} × ${b.name}`;
    this.columns = columns;
    this.#featureOf = pairFeature(a, b, cross, first);
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
