import { hashedLevel } from '../features/category/hashed-level.ts';
import { cellText, valueText } from '../features/table-cell.ts';
import type { LoadedRow } from '../kernels/plain-row.ts';
import type { ColumnSnapshot, OnlineColumn } from './column.ts';
import { LevelColumn, type LevelState } from './level-column.ts';
import { otherBits, type Positions } from './positions.ts';
import { type Growth, nameBytes } from './size.ts';

export interface CategoryState extends LevelState {
  readonly kind: 'category';
}

/** The cell is missing, or has a level that is not known. */
const missing = -1;
const unknown = -2;

/** A field of names: the feature of the value's level is 1. */
export class CategoryColumn extends LevelColumn implements OnlineColumn {
  readonly kind = 'category';
  /** The position of the level that was read, {@link missing} or {@link unknown}. */
  #cell = missing;
  #text = '';

  clear(): void {
    this.#cell = missing;
    this.#text = '';
  }

  reads(): boolean {
    return true;
  }

  read(value: unknown): void {
    const position = this.levels.get(value as string);
    if (position !== undefined) {
      this.#cell = position;
      return;
    }
    const text = typeof value === 'string' ? cellText(value) : valueText(value, this.name);
    if (text === null) return;
    this.#cell = this.levels.get(text) ?? (this.others < 0 ? unknown : this.others + hashedLevel(text, otherBits));
    this.#text = text;
  }

  ask(row: LoadedRow): void {
    const position = this.#cell === missing ? this.indicator : this.#cell;
    if (position >= 0) row.add(position, 1);
  }

  join(row: LoadedRow, _dense: boolean, positions: Positions): void {
    if (this.#cell === missing) {
      if (this.indicator < 0) this.indicator = positions.allot();
      this.joined = 'missing';
    } else {
      this.present++;
      this.joined = this.#cell === unknown || this.#isOther() ? 'new' : 'known';
      if (this.#cell === unknown) this.#cell = this.#joined(positions);
    }
    this.ask(row);
  }

  growInto(growth: Growth): void {
    if (this.#cell === missing) {
      if (this.indicator < 0) growth.features++;
    } else if (this.#cell === unknown) {
      growth.features += this.levels.size === this.most ? 2 ** otherBits : 1;
      growth.bytes += nameBytes(this.#text);
    }
  }

  /** Tests if the level that was read shares a feature with others. */
  #isOther(): boolean {
    return this.others >= 0 && this.#cell >= this.others && this.#cell < this.others + 2 ** otherBits;
  }

  /** Joins the level that was read, and returns its position. */
  #joined(positions: Positions): number {
    if (this.levels.size === this.most) {
      this.others = positions.allot(2 ** otherBits);
      return this.others + hashedLevel(this.#text, otherBits);
    }
    return this.joinLevel(this.#text, positions);
  }

  snapshot(rows: number): ColumnSnapshot {
    const { levels, others, missing, positions } = this.levelsIn(rows);
    return { column: { kind: 'category', name: this.name, levels, ...others, missing }, positions };
  }

  state(): CategoryState {
    return { kind: 'category', ...this.levelState() };
  }
}
