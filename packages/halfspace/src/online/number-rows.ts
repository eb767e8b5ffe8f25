import { HalfspaceError, quote } from '../errors.ts';
import { finiteField } from '../features/record.ts';
import { LoadedRow, type PlainRow } from '../kernels/plain-row.ts';
import { FeatureList, type RawRow } from '../model/raw-features.ts';
import { numberReader, otherLength } from '../model/read-numbered.ts';
import { unknownIndices } from '../model/unknown-fields.ts';
import { largestValue, tooLarge } from './largest-value.ts';
import type { OnlineRows, RowsSnapshot, RowsState } from './rows.ts';
import type { Growth } from './size.ts';

export interface NumberRowsState extends RowsState {
  readonly form: 'numbers';
  readonly dimension: number;
  /** True if index 0 occurred. */
  readonly zero: boolean;
}

/**
 * Rows of numbers, used as they are: a list whose positions are the indices, or indices and values. A list that is
 * asked about has a number for each index so far; one that is learned from may have more, which join.
 */
export class NumberRows implements OnlineRows {
  readonly cells = null;
  readonly bytes = 0;
  readonly #most: number;
  readonly #read: (row: RawRow, into: FeatureList) => void;
  readonly #list = new FeatureList();
  /** True if the row that is read is to be learned from. */
  #isLearned = false;
  readonly #asked = new LoadedRow();
  readonly #learned = new LoadedRow();
  /** A view of a list of doubles, which is not copied. */
  readonly #dense: PlainRow = { indices: rising(64), values: new Float64Array(0), count: 0 };
  #next: PlainRow = this.#asked;
  #nextDimension = 0;
  #nextZero = false;
  #zero: boolean;
  dimension: number;

  /** @param most exclusive upper bound of indices. */
  constructor(most: number, state?: NumberRowsState) {
    this.#most = most;
    this.#read = numberReader(
      (index) => (index < most ? index : -1),
      ({ length }) => this.#checkLength(length),
    );
    this.dimension = state?.dimension ?? 0;
    this.#zero = state?.zero ?? false;
  }

  get columns(): [] {
    return [];
  }

  ask(row: unknown, importance: number): PlainRow {
    return row instanceof Float64Array ? this.#askDoubles(row, importance) : this.#askOther(row, importance);
  }

  unknown(row: unknown): string[] {
    return unknownIndices(row, (index) => index < this.dimension);
  }

  join(): PlainRow {
    this.dimension = this.#nextDimension;
    this.#zero = this.#nextZero;
    const dense = this.#dense;
    if (this.#next === dense) dense.count = dense.values.length;
    return this.#next;
  }

  growInto(growth: Growth): void {
    growth.features += this.#nextDimension - this.dimension;
  }

  #askDoubles(row: Float64Array, importance: number): PlainRow {
    const { length } = row;
    this.#isLearned = importance > 0;
    if (length > this.#most && importance > 0) throw this.#beyond(length - 1);
    const most = importance > 0 ? largestValue : Number.MAX_VALUE;
    for (let j = 0; j < length; j++) if (!(Math.abs(row[j]!) <= most)) throw tooLarge(finiteField(row[j], j), j);
    this.#checkLength(length);
    const dense = this.#dense;
    if (dense.indices.length < length) dense.indices = rising(2 * length);
    dense.values = row;
    // Numbers beyond the features so far join later.
    dense.count = length < this.dimension ? length : this.dimension;
    this.#next = dense;
    this.#nextDimension = length > this.dimension ? length : this.dimension;
    this.#nextZero = this.#zero || length > 0;
    return dense;
  }

  #askOther(row: unknown, importance: number): PlainRow {
    const list = this.#list;
    list.count = 0;
    this.#isLearned = importance > 0;
    this.#read(row as RawRow, list);
    const [asked, learned, known] = [this.#asked, this.#learned, this.dimension];
    asked.count = 0;
    learned.count = 0;
    this.#nextDimension = known;
    this.#nextZero = this.#zero;
    for (let k = 0; k < list.count; k++) {
      const index = list.indices[k]!;
      const value = list.values[k]!;
      if (importance > 0 && !(Math.abs(value) <= largestValue)) throw tooLarge(value, index);
      if (index < 0 && importance > 0) throw this.#beyond((row as { indices?: ArrayLike<number> }).indices?.[k] ?? k);
      learned.add(index, value);
      // Numbers of features that are not known yet count 0, and keep their place in the sum.
      if (index >= 0 && index < known) asked.add(index, value);
      else asked.add(0, 0);
      if (index >= this.#nextDimension) this.#nextDimension = index + 1;
      if (index === 0) this.#nextZero = true;
    }
    if (known === 0) asked.count = 0;
    this.#next = learned;
    return asked;
  }

  #checkLength(length: number): void {
    const { dimension } = this;
    if (dimension > 0 && (length < dimension || (length > dimension && !this.#isLearned)))
      throw otherLength(dimension, length);
  }

  #beyond(index: number): HalfspaceError {
    return new HalfspaceError(
      'index-invalid',
      `expected indices below ${this.#most}, the bound "maxFeatures"; got ${quote(index)}`,
    );
  }

  snapshot(): RowsSnapshot {
    const firstIndex = this.#zero ? 0 : 1;
    return { features: { kind: 'indexed', dimension: this.dimension, firstIndex }, positions: null };
  }

  state(): NumberRowsState {
    return { form: 'numbers', dimension: this.dimension, zero: this.#zero };
  }
}

function rising(length: number): Uint32Array {
  return Uint32Array.from({ length }, (_, j) => j);
}
