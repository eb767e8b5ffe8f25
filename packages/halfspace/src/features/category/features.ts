import { type ColumnFeatures, WordMeanings } from '../column-features.ts';
import { noFeature, unseen } from '../column-row.ts';
import { cellText } from '../table-cell.ts';
import type { ColumnCells, TableChunk } from '../table-chunk.ts';
import { type CategoryColumn, columnWidth } from '../table-encoding.ts';
import { UnknownTally } from '../unknown.ts';
import { OneHotFeatures } from './one-hot.ts';
import { levelFeature } from './row.ts';

/** Features of a category by columns; see {@link levelFeature}. */
export class CategoryFeatures extends OneHotFeatures implements ColumnFeatures {
  readonly name: string;
  /** The feature of a missing value. */
  readonly #absent: number;
  /** The feature of rare levels, which unknown ones share; {@link unseen} if there is none. */
  readonly #rare: number;
  readonly #rareLevels: number;
  readonly #meanings: WordMeanings<Int32Array>;
  /** The values so far, and those that are no level with a feature of its own. */
  readonly unlisted = new UnknownTally();

  /** @param first number of the first level's feature. */
  constructor(column: CategoryColumn, first: number) {
    super(first, columnWidth(column));
    const featureOf = levelFeature(column, first);
    this.name = column.name;
    this.#absent = featureOf(null);
    this.#rare = column.rare === undefined ? unseen : first + column.levels.length;
    this.#rareLevels = column.rare?.levels ?? 0;
    this.#meanings = new WordMeanings(Int32Array, (word) => featureOf(cellText(word)));
  }

  /** As long as there are no more different levels than rare ones in training, all of them may be those. */
  get unknown(): UnknownTally {
    return this.unlisted.beyond(this.#rareLevels);
  }

  read(cells: ColumnCells | null, { rows }: TableChunk): void {
    const out = this.begin(rows);
    if (cells === null) {
      out.fill(this.#absent, 0, rows);
      this.isEven = this.#absent !== noFeature;
      return;
    }
    if (cells instanceof Float64Array) throw new TypeError(`category column ${this.name} must come as words`);
    const features = this.#meanings.of(cells.words);
    const { codes, words } = cells;
    const { unlisted } = this;
    const [absent, rare] = [this.#absent, this.#rare];
    let missing = 0;
    let none = 0;
    for (let i = 0; i < rows; i++) {
      const feature = features[codes[i]!]!;
      if (feature === absent) missing++;
      if (feature === unseen || feature === rare) {
        unlisted.unknown++;
        unlisted.meet(cellText(words[codes[i]!]!)!);
      }
      if (feature < 0) none++;
      out[i] = feature;
    }
    unlisted.values += rows - missing;
    this.isEven = none === 0;
  }
}
