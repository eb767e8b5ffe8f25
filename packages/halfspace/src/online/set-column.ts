import { hashedLevel } from '../features/category/hashed-level.ts';
import { listItems, setText } from '../features/set/list.ts';
import { membersOf } from '../features/set/members.ts';
import { compareCodePoints, type SetForm } from '../features/table-encoding.ts';
import type { LoadedRow } from '../kernels/plain-row.ts';
import type { ColumnSnapshot, OnlineColumn } from './column.ts';
import { LevelColumn, type LevelState } from './level-column.ts';
import { otherBits, type Positions } from './positions.ts';
import { type Growth, nameBytes } from './size.ts';

export interface SetState extends LevelState {
  readonly kind: 'set';
  /** Null: only lists have several values. */
  readonly separator: string | null;
}

/** Returns the form of sets with this mark; null: none. */
export function setForm(separator: string | null): SetForm {
  return separator === null ? {} : { separator };
}

/** A field of sets: one feature per level, 1 if the cell has it. Otherwise like a category. */
export class SetColumn extends LevelColumn implements OnlineColumn {
  readonly kind = 'set';
  readonly #form: SetForm;
  /** The values that were read, rising by code points; null: the cell is missing. */
  #members: readonly string[] | null = null;

  /** @param most largest number of levels. */
  constructor(name: string, form: SetForm, most: number, state?: SetState) {
    super(name, most, state);
    this.#form = form;
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
    return this.others < 0 ? (this.#members ?? []).filter((member) => !this.levels.has(member)) : [];
  }

  ask(row: LoadedRow): void {
    if (this.#members === null) {
      if (this.indicator >= 0) row.add(this.indicator, 1);
      return;
    }
    const others = new Set<number>();
    for (const member of this.#members) {
      const position = this.levels.get(member);
      if (position !== undefined) row.add(position, 1);
      else if (this.others >= 0) others.add(this.others + hashedLevel(member, otherBits));
    }
    for (const position of [...others].sort((a, b) => a - b)) row.add(position, 1);
  }

  join(row: LoadedRow, _dense: boolean, positions: Positions): void {
    if (this.#members === null) {
      if (this.indicator < 0) this.indicator = positions.allot();
      this.joined = 'missing';
    } else {
      this.present++;
      const isKnown = this.#members.length === 0 || this.#members.some((member) => this.levels.has(member));
      this.joined = isKnown ? 'known' : 'new';
      for (const member of this.#new()) this.#joinMember(member, positions);
    }
    this.ask(row);
  }

  growInto(growth: Growth): void {
    if (this.#members === null && this.indicator < 0) growth.features++;
    const joining = this.#new();
    const room = this.most - this.levels.size;
    growth.features += joining.length > room ? room + 2 ** otherBits : joining.length;
    for (const level of joining) growth.bytes += nameBytes(level);
  }

  /** Beyond the bound, levels share features by their hash. */
  #joinMember(level: string, positions: Positions): void {
    if (this.levels.size === this.most) {
      if (this.others < 0) this.others = positions.allot(2 ** otherBits);
      return;
    }
    this.joinLevel(level, positions);
  }

  snapshot(rows: number): ColumnSnapshot {
    const { levels, others, missing, positions } = this.levelsIn(rows);
    return { column: { kind: 'set', name: this.name, ...this.#form, levels, ...others, missing }, positions };
  }

  state(): SetState {
    const { name, ...rest } = this.levelState();
    return { kind: 'set', name, separator: this.#form.separator ?? null, ...rest };
  }
}
