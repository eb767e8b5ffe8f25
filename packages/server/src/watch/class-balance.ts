import { check, checkDistinct, checkDoubles, members, texts } from 'halfspace/checks';
import { Window } from './window.ts';

/** Number of examples of a class: of all, and of the latest ones. */
export interface ClassCount {
  /** Null: classes beyond those that are told apart. */
  readonly name: string | null;
  readonly examples: number;
  readonly latest: number;
}

export interface ClassBalanceState {
  /** In the order in which they came. */
  readonly names: readonly string[];
  /** One for each class, and one for all others. */
  readonly counts: Float64Array;
  /** Position of the class of each of the latest examples, the oldest first; {@link others} for all others. */
  readonly latest: Int32Array;
}

/** A classifier has at most 1000 classes; a second one may name some in another way. */
const mostClasses = 2000;
const others = -1;

/** Counts the classes of examples: of all, and of the latest. */
export class ClassBalance {
  readonly #length: number;
  readonly #positions = new Map<string, number>();
  readonly #counts: number[] = [];
  #others = 0;
  readonly #latest: Window<Int32Array>;

  /** @param length number of the latest examples that are counted by themselves. */
  constructor(length: number) {
    this.#length = length;
    this.#latest = new Window(length, new Int32Array(0));
  }

  /** @param at place of the example in the window. @param name of its class; null if it is not told from others. */
  add(at: number, name: string | null): void {
    const k = name === null ? others : (this.#positions.get(name) ?? this.#join(name));
    this.#latest.set(at, k);
    if (k === others) this.#others++;
    else this.#counts[k]!++;
  }

  #join(name: string): number {
    const k = this.#counts.length;
    if (k === mostClasses) return others;
    this.#positions.set(name, k);
    this.#counts.push(0);
    return k;
  }

  /** @param examples number of examples so far. @returns the classes in the order in which they came. */
  counts(examples: number): ClassCount[] {
    const latest = new Map<number, number>();
    for (const k of this.#inWindow(examples)) latest.set(k, (latest.get(k) ?? 0) + 1);
    const counts: ClassCount[] = Array.from(this.#positions, ([name, k]) => ({
      name,
      examples: this.#counts[k]!,
      latest: latest.get(k) ?? 0,
    }));
    if (this.#others > 0) counts.push({ name: null, examples: this.#others, latest: latest.get(others) ?? 0 });
    return counts;
  }

  #inWindow(examples: number): Int32Array {
    return this.#latest.slice(Math.max(0, examples - this.#length), examples);
  }

  state(examples: number): ClassBalanceState {
    const counts = Float64Array.of(...this.#counts, this.#others);
    return { names: [...this.#positions.keys()], counts, latest: this.#inWindow(examples) };
  }

  /** @throws HalfspaceError `model-invalid` for anything else than a state of this class. */
  static from(state: unknown, length: number, examples: number): ClassBalance {
    const value = members(state, 'classes', ['names', 'counts', 'latest']);
    const names = texts(value.names, 'classes.names', mostClasses);
    checkDistinct(names, 'classes.names', 'each name once');
    const counts = checkDoubles(value.counts, 'classes.counts', names.length + 1);
    const sum = counts.reduce((sum, each) => sum + each, 0);
    check(counts.every(Number.isSafeInteger) && sum === examples, 'classes.counts', `counts of ${examples}`, sum);
    check(
      counts.every((each) => each >= 0),
      'classes.counts',
      'numbers from 0',
      'others',
    );
    const { latest } = value;
    const size = Math.min(examples, length);
    check(latest instanceof Int32Array && latest.length === size, 'classes.latest', `${size} numbers`, latest);
    const balance = new ClassBalance(length);
    for (const name of names) balance.#join(name);
    balance.#others = counts[names.length]!;
    names.forEach((_, k) => {
      balance.#counts[k] = counts[k]!;
    });
    (latest as Int32Array).forEach((k, i) => {
      check((k >= 0 && k < names.length) || k === others, 'classes.latest', 'positions of classes', k);
      balance.#latest.set((examples - size + i) % length, k);
    });
    return balance;
  }
}
