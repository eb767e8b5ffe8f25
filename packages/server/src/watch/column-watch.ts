import { check, members, text, whole } from 'halfspace/checks';
import type { DetectorName } from './alarm.ts';
import { InputWatch } from './input-watch.ts';
import { Window } from './window.ts';

type JoinedCell = 'known' | 'new' | 'missing';

/** Counts of the cells of one column, since it came. */
export interface ColumnCounts {
  readonly examples: number;
  /** Number of examples without a value. */
  readonly missing: number;
  /** Number of examples with a level, or a text of words, that no example before had. */
  readonly unseen: number;
}

export interface ColumnReport extends ColumnCounts {
  readonly name: string;
  /** The same counts of the latest examples. */
  readonly latest: ColumnCounts;
  /** Number of alarms; null: its mean is not watched. */
  readonly alarms: number | null;
  /** Mean of about the latest 16 values; null if the mean is not watched, or before its first value. */
  readonly mean: number | null;
}

export interface ColumnWatchState {
  readonly name: string;
  /** Number of examples before the column came. */
  readonly since: number;
  readonly missing: number;
  readonly unseen: number;
  readonly alarms: number;
  /** Cell of each of the latest examples since it came, the oldest first: 0 known, 1 missing, 2 unseen. */
  readonly latest: Uint8Array;
  /** Null: its mean is not watched. */
  readonly input: object | null;
}

const missing = 1;
const unseen = 2;

/** Counts the missing and the unseen values of a column, and watches the mean of its numbers. */
export class ColumnWatch {
  readonly name: string;
  readonly #length: number;
  readonly #since: number;
  #missing = 0;
  #unseen = 0;
  #alarms = 0;
  readonly #latest: Window<Uint8Array>;
  /** Null: the mean is not watched. */
  input: InputWatch | null;

  /** @param length number of the latest examples that are counted by themselves. @param since examples before it. */
  constructor(name: string, length: number, since: number, input: InputWatch | null) {
    this.name = name;
    this.#length = length;
    this.#since = since;
    this.#latest = new Window(length, new Uint8Array(0));
    this.input = input;
  }

  /**
   * Takes the cell of the next example.
   *
   * @param at place of the example in the window.
   * @returns the alarm as {@link InputWatch.update} does.
   */
  update(at: number, cell: JoinedCell, value: number): DetectorName | null {
    if (cell === 'missing') {
      this.#latest.set(at, missing);
      this.#missing++;
      return null;
    }
    this.#latest.set(at, cell === 'new' ? unseen : 0);
    if (cell === 'new') this.#unseen++;
    if (this.input === null) return null;
    const alarm = this.input.update(value);
    if (alarm !== null) this.#alarms++;
    return alarm;
  }

  /** @param examples number of examples so far. */
  report(examples: number): ColumnReport {
    const cells = this.#inWindow(examples);
    const count = (code: number) => cells.reduce((sum, each) => (each === code ? sum + 1 : sum), 0);
    const counted = examples - this.#since;
    const { input } = this;
    return {
      name: this.name,
      examples: counted,
      missing: this.#missing,
      unseen: this.#unseen,
      latest: { examples: cells.length, missing: count(missing), unseen: count(unseen) },
      alarms: input === null ? null : this.#alarms,
      mean: input === null || counted === this.#missing ? null : input.recent,
    };
  }

  #inWindow(examples: number): Uint8Array {
    return this.#latest.slice(Math.max(this.#since, examples - this.#length), examples);
  }

  state(examples: number): ColumnWatchState {
    return {
      name: this.name,
      since: this.#since,
      missing: this.#missing,
      unseen: this.#unseen,
      alarms: this.#alarms,
      latest: this.#inWindow(examples),
      input: this.input?.state() ?? null,
    };
  }

  /** @throws HalfspaceError `model-invalid` for anything else than a state of this class. */
  static from(state: unknown, length: number, examples: number): ColumnWatch {
    const value = members(state, 'column', [
      ...['name', 'since', 'missing', 'unseen', 'alarms'],
      ...['latest', 'input'],
    ]);
    const since = whole(value.since, 'column.since', 0, examples);
    const input = value.input === null ? null : InputWatch.from(value.input);
    const column = new ColumnWatch(text(value.name, 'column.name'), length, since, input);
    column.#missing = whole(value.missing, 'column.missing', 0, examples - since);
    column.#unseen = whole(value.unseen, 'column.unseen', 0, examples - since - column.#missing);
    column.#alarms = whole(value.alarms, 'column.alarms');
    const { latest } = value;
    const size = Math.min(examples - since, length);
    check(latest instanceof Uint8Array && latest.length === size, 'column.latest', `${size} numbers`, latest);
    (latest as Uint8Array).forEach((code, i) => {
      column.#latest.set((examples - size + i) % length, whole(code, 'column.latest', 0, 2));
    });
    return column;
  }
}
