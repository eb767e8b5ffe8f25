import { type ColumnFeatures, WordMeanings } from '../column-features.ts';
import { noFeature, unseen } from '../column-row.ts';
import { cellText } from '../table-cell.ts';
import type { ColumnCells, TableChunk } from '../table-chunk.ts';
import { type CategoryColumn, columnWidth } from '../table-encoding.ts';
import { OneHotFeatures } from './one-hot.ts';
import { levelFeature } from './row.ts';

/** Features of a category by columns; see {@link levelFeature}. */
export class CategoryFeatures extends OneHotFeatures implements ColumnFeatures {
  readonly name: string;
  /** The feature of a missing value. */
  readonly #absent: number;
  readonly #meanings: WordMeanings<Int32Array>;

  /** @param first number of the first level's feature. */
  constructor(column: CategoryColumn, first: number) {
    super(first, columnWidth(column));
    const featureOf = levelFeature(column, first);
    this.name = column.name;
    this.#absent = featureOf(null);
    this.#meanings = new WordMeanings(Int32Array, (word) => featureOf(cellText(word)));
  }

  read(cells: ColumnCells | null, { rows }: TableChunk): number {
    const out = this.begin(rows);
    if (cells === null) {
      out.fill(this.#absent, 0, rows);
      this.isEven = this.#absent !== noFeature;
      return 0;
    }
    if (cells instanceof Float64Array) throw new TypeError(`category column ${this.name} must come as words`);
    const features = this.#meanings.of(cells.words);
    const { codes } = cells;
    let others = 0;
    let none = 0;
    for (let i = 0; i < rows; i++) {
      const feature = features[codes[i]!]!;
      if (feature === unseen) others++;
      if (feature < 0) none++;
      out[i] = feature;
    }
    this.isEven = none === 0;
    return others;
  }
}
