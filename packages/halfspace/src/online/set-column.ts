import { hashedLevel } from '../features/category/hashed-level.ts';
import { listItems, setText } from '../features/set/list.ts';
import { membersOf } from '../features/set/members.ts';
import { compareCodePoints, type SetForm } from '../features/table-encoding.ts';
import type { LoadedRow } from '../kernels/plain-row.ts';
import type { CategoryState } from './category-column.ts';
import type { ColumnSnapshot, JoinedCell, OnlineColumn } from './column.ts';
import { otherBits, type Positions } from './positions.ts';
import { bytesOfNames, type Growth, nameBytes, ownText } from './size.ts';

export interface SetState extends Omit<CategoryState, 'kind'> {
  readonly kind: 'set';
  /** Null: only lists have several values. */
  readonly separator: string | null;
}

/** Returns the form of sets with this mark; null: none. */
export function setForm(separator: string | null): SetForm {
  return separator === null ? {} : { separator };
}

/** A field of sets: one feature per level, 1 if the cell has it. Otherwise like a category. */
export class SetColumn implements OnlineColumn {
  readonly name: string;
  readonly kind = 'set';
  readonly #form: SetForm;
  readonly #most: number;
  /** The position of each level, in the order in which they came. */
  readonly #levels: Map<string, number>;
  #indicator = -1;
  /** Position of the first of the features of other levels. */
  #others = -1;
  #present = 0;
  /** The values that were read, rising by code points; null: the cell is missing. */
  #members: readonly string[] | null = null;
  joined: JoinedCell = 'missing';
  bytes: number;
  readonly number = Number.NaN;

  /** @param most largest number of levels. */
  constructor(name: string, form: SetForm, most: number, state?: SetState) {
    this.name = name;
    this.#form = form;
    this.#most = most;
    this.#levels = new Map(state?.levels.map((level, l) => [level, state.positions[l]!]));
    this.bytes = bytesOfNames(this.#levels.keys());
    if (state === undefined) return;
    this.#indicator = state.indicator;
    this.#others = state.others;
    this.#present = state.present;
  }

  clear(): void {
    this.#members = null;
  }

  reads(value: unknown): boolean {
    return !Array.isArray(value) || listItems(value) !== null;
  }

  read(value: unknown): void {
    const text = setText(value, this.name);
    if (text !== null) this.#members = [...membersOf(text, this.#form.separator)].sort(compareCodePoints);
  }

  /** Returns the values that have no feature. */
  #new(): readonly string[] {
    return this.#others < 0 ? (this.#members ?? []).filter((member) => !this.#levels.has(member)) : [];
  }

  ask(row: LoadedRow): void {
    if (this.#members === null) {
      if (this.#indicator >= 0) row.add(this.#indicator, 1);
      return;
    }
    const others = new Set<number>();
    for (const member of this.#members) {
      const position = this.#levels.get(member);
      if (position !== undefined) row.add(position, 1);
      else if (this.#others >= 0) others.add(this.#others + hashedLevel(member, otherBits));
    }
    for (const position of [...others].sort((a, b) => a - b)) row.add(position, 1);
  }

  join(row: LoadedRow, _dense: boolean, positions: Positions): void {
    if (this.#members === null) {
      if (this.#indicator < 0) this.#indicator = positions.allot();
      this.joined = 'missing';
    } else {
      this.#present++;
      const isKnown = this.#members.length === 0 || this.#members.some((member) => this.#levels.has(member));
      this.joined = isKnown ? 'known' : 'new';
      for (const member of this.#new()) this.#joinLevel(member, positions);
    }
    this.ask(row);
  }

  growInto(growth: Growth): void {
    if (this.#members === null && this.#indicator < 0) growth.features++;
    const joining = this.#new();
    const room = this.#most - this.#levels.size;
    growth.features += joining.length > room ? room + 2 ** otherBits : joining.length;
    for (const level of joining) growth.bytes += nameBytes(level);
  }

  /** Beyond the bound, levels share features by their hash. */
  #joinLevel(level: string, positions: Positions): void {
    if (this.#levels.size === this.#most) {
      if (this.#others < 0) this.#others = positions.allot(2 ** otherBits);
      return;
    }
    this.#levels.set(ownText(level), positions.allot());
    this.bytes += nameBytes(level);
  }

  snapshot(rows: number): ColumnSnapshot {
    const levels = [...this.#levels.keys()].sort(compareCodePoints);
    const positions = levels.map((level) => this.#levels.get(level)!);
    const others = this.#others < 0 ? {} : { others: { bits: otherBits } };
    if (this.#others >= 0) for (let k = 0; k < 2 ** otherBits; k++) positions.push(this.#others + k);
    const indicator = this.#indicator >= 0;
    if (indicator) positions.push(this.#indicator);
    const missing = { count: rows - this.#present, indicator };
    return { column: { kind: 'set', name: this.name, ...this.#form, levels, ...others, missing }, positions };
  }

  state(): SetState {
    return {
      kind: 'set',
      name: this.name,
      separator: this.#form.separator ?? null,
      indicator: this.#indicator,
      present: this.#present,
      levels: [...this.#levels.keys()],
      positions: Uint32Array.from(this.#levels.values()),
      others: this.#others,
    };
  }
}
