import { OneHotFeatures } from '../category/one-hot.ts';
import type { ColumnFeatures } from '../column-features.ts';
import { WordMeanings } from '../column-features.ts';
import { refusedCell, valueCell, wordCell } from '../table-cell.ts';
import type { ColumnCells, TableChunk } from '../table-chunk.ts';
import { columnWidth, type DateColumn, type NumberColumn } from '../table-encoding.ts';

/** Features of a number or date cut into intervals: one per interval, then the indicator of a missing value. */
export class IntervalFeatures extends OneHotFeatures implements ColumnFeatures {
  readonly name: string;
  readonly #kind: 'number' | 'date';
  readonly #edges: readonly number[];
  /** The feature of a missing value, or −1. */
  readonly #indicator: number;
  readonly #meanings: WordMeanings<Float64Array>;

  /** @param first position of the first interval's feature. */
  constructor(column: NumberColumn | DateColumn, first: number) {
    super(first, columnWidth(column));
    const { kind } = column;
    this.name = column.name;
    this.#kind = kind;
    this.#edges = column.edges!;
    this.#indicator = column.missing.indicator ? first + this.width - 1 : -1;
    this.#meanings = new WordMeanings(Float64Array, (word) => wordCell(kind, word));
  }

  read(cells: ColumnCells | null, { rows, source, firstRow = 0 }: TableChunk): number {
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
      out[i] = this.#intervalOf(x);
      if (out[i] === -1) none++;
    }
    this.isEven = none === 0;
    return 0;
  }

  featureOf(value: unknown): number {
    const x = valueCell(this.#kind, value);
    if (Math.abs(x) === Infinity) throw refusedCell(this.#kind, x, value, { field: this.name });
    return this.#intervalOf(x);
  }

  one(value: unknown, put: (index: number, value: number) => void): number {
    const feature = this.featureOf(value);
    if (feature >= 0) put(feature, 1);
    return 0;
  }

  #intervalOf(x: number): number {
    if (Number.isNaN(x)) return this.#indicator;
    const edges = this.#edges;
    let from = 0;
    let to = edges.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (x < edges[middle]!) to = middle;
      else from = middle + 1;
    }
    return this.first + from;
  }
}
