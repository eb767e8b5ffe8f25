import { type ColumnFeatures, WordMeanings } from '../column-features.ts';
import { cellText, valueText } from '../table-cell.ts';
import type { ColumnCells, TableChunk } from '../table-chunk.ts';
import { type CategoryColumn, columnWidth } from '../table-encoding.ts';
import { OneHotFeatures } from './one-hot.ts';

/** Codes in place of a level's number: a missing value, and a level that is not listed. */
const noLevel = -1;
const otherLevel = -2;

/** Features of a category: one per level, then one for rare levels, then the indicator of a missing value. */
export class CategoryFeatures extends OneHotFeatures implements ColumnFeatures {
  readonly name: string;
  readonly #levels: ReadonlyMap<string, number>;
  /** The feature of a missing value, or −1. */
  readonly #indicator: number;
  /** The feature of a level that is not listed, or −1. Rare and unseen levels cannot be told apart then. */
  readonly #rare: number;
  readonly #meanings: WordMeanings<Int32Array>;

  /** @param first number of the first level's feature. */
  constructor(column: CategoryColumn, first: number) {
    super(first, columnWidth(column));
    const { name, levels, rare, missing } = column;
    this.name = name;
    this.#levels = new Map(levels.map((level, l) => [level, l]));
    this.#rare = rare === undefined ? -1 : first + levels.length;
    this.#indicator = missing.indicator ? first + this.width - 1 : -1;
    this.#meanings = new WordMeanings(Int32Array, (word) => this.#levelOf(cellText(word)));
  }

  #levelOf(text: string | null): number {
    return text === null ? noLevel : (this.#levels.get(text) ?? otherLevel);
  }

  #featureOf(level: number): number {
    return level >= 0 ? this.first + level : level === noLevel ? this.#indicator : this.#rare;
  }

  read(cells: ColumnCells | null, { rows }: TableChunk): number {
    const out = this.begin(rows);
    if (cells === null) {
      out.fill(this.#indicator, 0, rows);
      this.isEven = this.#indicator >= 0;
      return 0;
    }
    if (cells instanceof Float64Array) throw new TypeError(`category column ${this.name} must come as words`);
    const level = this.#meanings.of(cells.words);
    const { codes } = cells;
    let others = 0;
    let none = 0;
    for (let i = 0; i < rows; i++) {
      const l = level[codes[i]!]!;
      if (l === otherLevel) others++;
      const feature = this.#featureOf(l);
      if (feature < 0) none++;
      out[i] = feature;
    }
    this.isEven = none === 0;
    return this.#rare < 0 ? others : 0;
  }

  featureOf(value: unknown): number {
    return this.#featureOf(this.#levelOf(valueText(value, this.name)));
  }

  one(value: unknown, put: (index: number, value: number) => void): number {
    const level = this.#levelOf(valueText(value, this.name));
    const feature = this.#featureOf(level);
    if (feature >= 0) put(feature, 1);
    return level === otherLevel && this.#rare < 0 ? 1 : 0;
  }
}
