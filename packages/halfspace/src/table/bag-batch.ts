import type { SparseBatch } from '../batch.ts';
import type { UnknownTally } from '../features/unknown.ts';

/** Most rows of a batch. */
export const batchRows = 1024;

/** Rows of bags as a batch, whose arrays are reused. */
export class BagBatch {
  readonly #positions: ReadonlyMap<string, number>;
  readonly #unknown: UnknownTally;
  readonly #labels = new Float64Array(batchRows);
  readonly #offsets = new Uint32Array(batchRows + 1);
  #indices = new Uint32Array(1024);
  #values = new Float64Array(1024);
  /** By feature: the number of the last row that has it, from 1, and the place of its value. */
  readonly #lastOf: Float64Array;
  readonly #placeOf: Uint32Array;
  #begun = 0;
  rows = 0;

  constructor(positions: ReadonlyMap<string, number>, unknown: UnknownTally) {
    this.#positions = positions;
    this.#unknown = unknown;
    this.#lastOf = new Float64Array(positions.size);
    this.#placeOf = new Uint32Array(positions.size);
  }

  /** Begins a row. @param label its label as a number; NaN: it has none. */
  begin(label: number): void {
    this.#labels[this.rows] = label;
    this.rows++;
    this.#begun++;
    this.#offsets[this.rows] = this.#offsets[this.rows - 1]!;
  }

  /** Adds a feature to the row, or a value to that of the same feature. */
  add(feature: string, value: number): void {
    this.#unknown.values++;
    const position = this.#positions.get(feature);
    if (position === undefined) {
      this.#unknown.unknown++;
      this.#unknown.meet(feature);
      return;
    }
    if (this.#lastOf[position] === this.#begun) {
      this.#values[this.#placeOf[position]!]! += value;
      return;
    }
    this.#lastOf[position] = this.#begun;
    const at = this.#offsets[this.rows]!++;
    if (at === this.#indices.length) this.#grow();
    this.#indices[at] = position;
    this.#values[at] = value;
    this.#placeOf[position] = at;
  }

  /** Returns the rows as a batch, and begins the next one. */
  taken(): SparseBatch {
    const { rows } = this;
    this.rows = 0;
    return {
      kind: 'sparse',
      rows,
      dimension: this.#positions.size,
      labels: this.#labels.slice(0, rows),
      importance: null,
      offsets: this.#offsets,
      indices: this.#indices,
      values: this.#values,
    };
  }

  #grow(): void {
    const [indices, values] = [this.#indices, this.#values];
    this.#indices = new Uint32Array(2 * indices.length);
    this.#values = new Float64Array(2 * values.length);
    this.#indices.set(indices);
    this.#values.set(values);
  }
}
