import type { ColumnCells, WordCells } from '../features/table-chunk.ts';
import type { RowSink } from './reading.ts';
import type { ScannedChunk } from './table.ts';

/** Keeps all cells of a table in memory. */
export class MemoryColumns implements RowSink {
  readonly #columns: readonly Cells[];
  readonly #label = new Cells(false);
  readonly #leftOut = new Set<number>();

  /** @param isText true for columns of text. */
  constructor(isText: readonly boolean[]) {
    this.#columns = isText.map((text) => new Cells(text));
  }

  take({ rows, columns, label }: ScannedChunk): void {
    columns.forEach((cells, c) => {
      if (!this.#leftOut.has(c)) this.#columns[c]!.append(cells!, rows);
    });
    this.#label.append(label!, rows);
  }

  leaveOut(column: number): void {
    this.#leftOut.add(column);
  }

  close(): void {}

  get label(): WordCells {
    return this.#label.all() as WordCells;
  }

  /** Returns the cells of a column; null: it has too many different words to be a category. */
  cells(column: number): ColumnCells | null {
    return this.#leftOut.has(column) ? null : this.#columns[column]!.all();
  }
}

/** The cells of one column. */
class Cells {
  readonly #isText: boolean;
  #items: Float64Array | Uint32Array = new Float64Array(0);
  #words: (string | null)[] = [];
  #rows = 0;

  constructor(isText: boolean) {
    this.#isText = isText;
  }

  append(cells: ColumnCells, rows: number): void {
    const items = cells instanceof Float64Array ? cells : cells.codes;
    if (this.#rows + rows > this.#items.length) {
      const Items = cells instanceof Float64Array ? Float64Array : Uint32Array;
      const grown = new Items(Math.max(1024, 2 * (this.#rows + rows)));
      grown.set(this.#items.subarray(0, this.#rows));
      this.#items = grown;
    }
    if (cells instanceof Float64Array || !this.#isText) this.#items.set(items.subarray(0, rows), this.#rows);
    // Words of text come with every chunk, and in its order.
    else for (let i = 0; i < rows; i++) this.#items[this.#rows + i] = this.#words.push(cells.words[items[i]!]!) - 1;
    if (!(cells instanceof Float64Array) && !this.#isText) this.#words = cells.words as (string | null)[];
    this.#rows += rows;
  }

  all(): ColumnCells {
    const items = this.#items.subarray(0, this.#rows);
    return items instanceof Float64Array ? items : { codes: items, words: this.#words };
  }
}
