import { OneHotFeatures } from '../category/one-hot.ts';
import { readerOf } from '../cell-forms.ts';
import type { ColumnFeatures } from '../column-features.ts';
import { WordMeanings } from '../column-features.ts';
import { refusedCell } from '../table-cell.ts';
import type { ColumnCells, TableChunk } from '../table-chunk.ts';
import { columnWidth, type ScaledColumn } from '../table-encoding.ts';
import { intervalFeature } from './row.ts';

/** Features of a number or date cut into intervals, by columns; see {@link intervalFeature}. */
export class IntervalFeatures extends OneHotFeatures implements ColumnFeatures {
  readonly name: string;
  readonly #kind: ScaledColumn['kind'];
  readonly #featureOf: (x: number) => number;
  readonly #meanings: WordMeanings<Float64Array>;

  /** @param first position of the first interval's feature. */
  constructor(column: ScaledColumn, first: number) {
    super(first, columnWidth(column));
    const { kind } = column;
    this.name = column.name;
    this.#kind = kind;
    this.#featureOf = intervalFeature(column, first);
    this.#meanings = new WordMeanings(Float64Array, readerOf(column));
  }

  read(cells: ColumnCells | null, { rows, source, firstRow = 0 }: TableChunk): void {
    const out = this.begin(rows);
    let none = 0;
    const numbers = cells === null || cells instanceof Float64Array ? cells : this.#meanings.of(cells.words);
    const words = cells === null || cells instanceof Float64Array ? null : cells;
    for (let i = 0; i < rows; i++) {
      const x = numbers === null ? Number.NaN : numbers[words === null ? i : words.codes[i]!]!;
      if (Math.abs(x) === Infinity)
        throw refusedCell(this.#kind, x, words === null ? x : words.words[words.codes[i]!], {
          ...(source === undefined ? {} : { source }),
          row: firstRow + i + 1,
          field: this.name,
        });
      out[i] = this.#featureOf(x);
      if (out[i] === -1) none++;
    }
    this.isEven = none === 0;
  }
}
