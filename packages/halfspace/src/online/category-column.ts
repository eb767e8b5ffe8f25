import { hashedLevel } from '../features/category/hashed-level.ts';
import { cellText, valueText } from '../features/table-cell.ts';
import { compareCodePoints } from '../features/table-encoding.ts';
import type { LoadedRow } from '../kernels/plain-row.ts';
import type { ColumnSnapshot, ColumnState, JoinedCell, OnlineColumn } from './column.ts';
import { otherBits, type Positions } from './positions.ts';
import { bytesOfNames, type Growth, nameBytes, ownText } from './size.ts';

export interface CategoryState extends ColumnState {
  readonly kind: 'category';
  /** In the order in which they came. */
  readonly levels: readonly string[];
  /** One for each level. */
  readonly positions: Uint32Array;
  /** Position of the first of the features of other levels; −1: the levels are not at their bound yet. */
  readonly others: number;
}

/** The cell is missing, or has a level that is not known. */
const missing = -1;
const unknown = -2;

/**
 * A field of names: one feature per level, 1 for the value's level, and one that marks missing values. If there are as
 * many levels as may be, each further one has one of 2^{@link otherBits} features by its hash.
 */
export class CategoryColumn implements OnlineColumn {
  readonly name: string;
  readonly kind = 'category';
  readonly #most: number;
  /** The position of each level, in the order in which they came. */
  readonly #levels: Map<string, number>;
  #indicator = -1;
  /** Position of the first of the features of other levels. */
  #others = -1;
  #present = 0;
  /** The position of the level that was read, {@link missing} or {@link unknown}. */
  #cell = missing;
  #text = '';
  joined: JoinedCell = 'missing';
  bytes: number;
  readonly number = Number.NaN;

  /** @param most largest number of levels. */
  constructor(name: string, most: number, state?: CategoryState) {
    this.name = name;
    this.#most = most;
    this.#levels = new Map(state?.levels.map((level, l) => [level, state.positions[l]!]));
    this.bytes = bytesOfNames(this.#levels.keys());
    if (state === undefined) return;
    this.#indicator = state.indicator;
    this.#others = state.others;
    this.#present = state.present;
  }

  clear(): void {
    this.#cell = missing;
    this.#text = '';
  }

  reads(): boolean {
    return true;
  }

  read(value: unknown): void {
    const position = this.#levels.get(value as string);
    if (position !== undefined) {
      this.#cell = position;
      return;
    }
    const text = typeof value === 'string' ? cellText(value) : valueText(value, this.name);
    if (text === null) return;
    this.#cell = this.#levels.get(text) ?? (this.#others < 0 ? unknown : this.#others + hashedLevel(text, otherBits));
    this.#text = text;
  }

  ask(row: LoadedRow): void {
    const position = this.#cell === missing ? this.#indicator : this.#cell;
    if (position >= 0) row.add(position, 1);
  }

  join(row: LoadedRow, _dense: boolean, positions: Positions): void {
    if (this.#cell === missing) {
      if (this.#indicator < 0) this.#indicator = positions.allot();
      this.joined = 'missing';
    } else {
      this.#present++;
      this.joined = this.#cell === unknown || this.#isOther() ? 'new' : 'known';
      if (this.#cell === unknown) this.#cell = this.#joined(positions);
    }
    this.ask(row);
  }

  growInto(growth: Growth): void {
    if (this.#cell === missing) {
      if (this.#indicator < 0) growth.features++;
    } else if (this.#cell === unknown) {
      growth.features += this.#levels.size === this.#most ? 2 ** otherBits : 1;
      growth.bytes += nameBytes(this.#text);
    }
  }

  /** Tests if the level that was read shares a feature with others. */
  #isOther(): boolean {
    return this.#others >= 0 && this.#cell >= this.#others && this.#cell < this.#others + 2 ** otherBits;
  }

  /** Joins the level that was read, and returns its position. */
  #joined(positions: Positions): number {
    if (this.#levels.size === this.#most) {
      this.#others = positions.allot(2 ** otherBits);
      return this.#others + hashedLevel(this.#text, otherBits);
    }
    const position = positions.allot();
    this.#levels.set(ownText(this.#text), position);
    this.bytes += nameBytes(this.#text);
    return position;
  }

  snapshot(rows: number): ColumnSnapshot {
    const levels = [...this.#levels.keys()].sort(compareCodePoints);
    const positions = levels.map((level) => this.#levels.get(level)!);
    const others = this.#others < 0 ? {} : { others: { bits: otherBits } };
    if (this.#others >= 0) for (let k = 0; k < 2 ** otherBits; k++) positions.push(this.#others + k);
    const indicator = this.#indicator >= 0;
    if (indicator) positions.push(this.#indicator);
    const missing = { count: rows - this.#present, indicator };
    return { column: { kind: 'category', name: this.name, levels, ...others, missing }, positions };
  }

  state(): CategoryState {
    return {
      kind: 'category',
      name: this.name,
      indicator: this.#indicator,
      present: this.#present,
      levels: [...this.#levels.keys()],
      positions: Uint32Array.from(this.#levels.values()),
      others: this.#others,
    };
  }
}
