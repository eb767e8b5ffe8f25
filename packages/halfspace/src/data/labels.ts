import type { StoredBatch } from '../batch.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { notClass } from '../features/table-label.ts';

/** More classes than this a message does not list. */
const listedClasses = 20;
/** More classes than this are taken for a mistake: for quantities, of which a classifier makes nothing. */
const mostClasses = 1000;

/**
 * Turns the numbers that a text file has as labels into those of classes, as they stream by.
 *
 * Of two numbers that occur the larger one is the positive class, +1, and the other one −1. Until both have been seen nobody can say
 * which is which, so the map is not `ready` and examples must be held back. With `positive` one number is set against all others and
 * the map is ready at once. A third number makes `many` classes, whose labels are their positions in rising order; these are known at
 * the end only, so then {@link unmap} gives the data's own numbers back, to wait for that.
 */
export class LabelMap {
  readonly #positive: number | null;
  readonly #source: string;
  readonly #seen: number[] = [];
  readonly #known = new Set<number>();
  /** Made when all are known, and then asked for row by row where rows are gathered. */
  #positions: Map<number, number> | null = null;

  /**
   * @param source name of the data, for messages.
   * @param positive the class to set against the rest, as text of a number.
   */
  constructor(source: string, positive?: string) {
    this.#source = source;
    this.#positive = positive === undefined ? null : Number(positive);
    if (this.#positive !== null && (positive!.trim() === '' || Number.isNaN(this.#positive)))
      throw new HalfspaceError(
        'option-invalid',
        `the positive class of numeric labels must be a number; got ${quote(positive)}`,
      );
  }

  /** Whether labels can be mapped to −1 and +1. */
  get ready(): boolean {
    return this.#positive !== null || this.#seen.length === 2;
  }

  /** Whether more than two classes were seen and none is set apart. */
  get many(): boolean {
    return this.#positive === null && this.#seen.length > 2;
  }

  /**
   * Takes note of a batch's labels, as they stand in the data.
   * @param rowOf number in the data, from 1, of example i of the batch, for messages.
   * @throws HalfspaceError `label-missing`; `label-classes` for more classes than there can be.
   */
  observe(batch: StoredBatch, rowOf: (i: number) => number): void {
    const { labels } = batch;
    // NaN, which equals nothing, where no class has been seen yet.
    const [a = Number.NaN, b = Number.NaN] = this.#seen;
    for (let i = 0; i < batch.rows; i++) {
      const label = labels[i]!;
      if (label === a || label === b || this.#known.has(label)) continue;
      if (Number.isNaN(label))
        throw new HalfspaceError('label-missing', 'expected a label; got none', {
          source: this.#source,
          row: rowOf(i),
        });
      // Against a positive class, what the others are is of interest to messages only.
      if (this.#positive !== null && this.#seen.length > listedClasses && label !== this.#positive) continue;
      this.#known.add(label);
      this.#seen.push(label);
    }
    if (this.#positive === null && this.#seen.length > mostClasses)
      throw new HalfspaceError(
        'label-classes',
        `expected at most ${mostClasses} classes of labels, or one class named as the positive one; got ${this.#list()}`,
        { source: this.#source },
      );
  }

  /** Writes −1 and +1 over labels that {@link observe} has seen; NaN (no label) stays. Call when {@link ready}. */
  map(labels: Float64Array): void {
    // A spill may ask only when a third class is known too; it is of the first two that labels are mapped.
    const positive = this.#positive ?? Math.max(...this.#seen.slice(0, 2));
    for (let i = 0; i < labels.length; i++) {
      const label = labels[i]!;
      if (!Number.isNaN(label)) labels[i] = label === positive ? 1 : -1;
    }
  }

  /** Undoes {@link map}, which took place while two classes were known. */
  unmap(labels: Float64Array): void {
    const [a, b] = this.#seen as [number, number];
    const [negative, positive] = [Math.min(a, b), Math.max(a, b)];
    for (let i = 0; i < labels.length; i++) labels[i] = labels[i]! > 0 ? positive : negative;
  }

  /** Writes positions among {@link classes} over labels as they stand in the data. Call at the end, where there are {@link many}. */
  mapPositions(labels: Float64Array): void {
    this.#positions ??= new Map(this.#rising().map((label, k) => [label, k]));
    for (let i = 0; i < labels.length; i++) labels[i] = this.#positions.get(labels[i]!)!;
  }

  /**
   * Names of the negative and the positive class, or of {@link many} in rising order.
   * @throws HalfspaceError `label-classes` when there are fewer than two.
   */
  classes(): readonly string[] {
    if (this.many) return this.#rising().map(String);
    const positive = this.#positive ?? Math.max(...this.#seen);
    const others = this.#seen.filter((label) => label !== positive);
    if (others.length === 0 || !this.#seen.includes(positive)) {
      throw new HalfspaceError(
        'label-classes',
        this.#positive !== null && !this.#seen.includes(positive)
          ? `expected examples of the positive class ${positive}; got only labels ${this.#list()}`
          : `expected two classes of labels; got only ${this.#list()}`,
        { source: this.#source },
      );
    }
    return [others.length === 1 ? String(others[0]) : notClass(String(positive)), String(positive)];
  }

  #rising(): number[] {
    return [...this.#seen].sort((a, b) => a - b);
  }

  /** The first classes seen, in order of size. */
  #list(): string {
    const listed = this.#seen.slice(0, listedClasses).sort((a, b) => a - b);
    return listed.join(', ') + (this.#seen.length > listedClasses ? ', …' : '');
  }
}

/** Turns the numbers that a text file has as labels into those of a model's classes: −1 and +1, or positions. */
export class KnownLabels {
  readonly #source: string;
  readonly #classes: readonly string[];
  readonly #labels = new Map<number, number>();
  /** The label of every number that is no class; NaN: there is none. */
  readonly #rest: number;

  /** @param positions whether labels are positions among `classes`, instead of −1 and +1 for the two. */
  constructor(source: string, classes: readonly string[], positions = false) {
    this.#source = source;
    this.#classes = classes;
    const [negative, positive] = classes as [string, string];
    classes.forEach((name, k) => {
      const number = Number(name);
      // A class that is no number no label has.
      if (!Number.isNaN(number)) this.#labels.set(number + 0, positions ? k : 2 * k - 1);
    });
    this.#rest = !positions && negative === notClass(positive) && !Number.isNaN(Number(positive)) ? -1 : Number.NaN;
  }

  /**
   * Writes the classes' labels over those of the data; NaN (no label) stays.
   * @param rowOf number in the data, from 1, of label i, for messages.
   * @throws HalfspaceError `label-classes` for a label that is no class.
   */
  map(labels: Float64Array, rowOf: (i: number) => number): void {
    for (let i = 0; i < labels.length; i++) {
      const label = labels[i]!;
      if (Number.isNaN(label)) continue;
      const mapped = this.#labels.get(label) ?? this.#rest;
      if (Number.isNaN(mapped))
        throw new HalfspaceError('label-classes', `expected a label of ${this.#expected()}; got ${label}`, {
          source: this.#source,
          row: rowOf(i),
        });
      labels[i] = mapped;
    }
  }

  #expected(): string {
    const some = this.#classes.slice(0, listedClasses).join(' or ');
    return this.#classes.length > listedClasses ? `${some} or …` : some;
  }
}
