import type { StoredBatch } from '../batch.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { findClass } from '../features/class-names.ts';
import { numberCell } from '../features/table-cell.ts';
import { notClass } from '../features/table-label.ts';
import type { UnknownClasses } from './unknown-classes.ts';

/** Maximum number of classes that a message lists. */
const listedClasses = 20;
/** Maximum number of classes. More are taken for quantities, which a classifier cannot learn. */
const mostClasses = 1000;
/** Larger numbers are rounded as they are read, so that different labels are one. */
const mostExact = Number.MAX_SAFE_INTEGER;

/**
 * Maps the numeric labels of a text file to classes while rows stream by.
 *
 * Two different numbers: the larger one is the positive class, +1, the other is −1. Before both have occurred the map
 * is not `ready`, and examples must wait. With `positive`, that number is +1, all others are −1, and the map is ready
 * at once. Three or more numbers are `many` classes; their labels are positions in rising order. These are known at the
 * end only, so {@link unmap} first restores the original numbers.
 */
export class LabelMap {
  readonly #positive: number | null;
  readonly #source: string;
  readonly #seen: number[] = [];
  readonly #known = new Set<number>();
  /** The position of each class; made when all classes are known. */
  #positions: Map<number, number> | null = null;

  /**
   * @param source name of the data, for messages.
   * @param positive the positive class, as the text of a number; all other labels become −1.
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

  /** True if labels can be mapped to −1 and +1. */
  get ready(): boolean {
    return this.#positive !== null || this.#seen.length === 2;
  }

  /** True if there are more than two classes and no positive one was chosen. */
  get many(): boolean {
    return this.#positive === null && this.#seen.length > 2;
  }

  /**
   * Records the labels of a batch, as they are in the data.
   * @param rowOf returns the row number, from 1, of example i of the batch; for messages.
   * @throws HalfspaceError `label-missing`; `label-classes` for too many classes.
   */
  observe(batch: StoredBatch, rowOf: (i: number) => number): void {
    const { labels } = batch;
    // NaN equals no label; it stands for a class that has not occurred yet.
    const [a = Number.NaN, b = Number.NaN] = this.#seen;
    // Usually every label is one of the two. Without a branch, because the processor cannot predict labels.
    let others = 0;
    for (let i = 0; i < batch.rows; i++) others |= Number(labels[i] !== a) & Number(labels[i] !== b);
    if (others === 0) return;
    for (let i = 0; i < batch.rows; i++) {
      const label = labels[i]!;
      if (label === a || label === b || this.#known.has(label)) continue;
      if (Number.isNaN(label))
        throw new HalfspaceError('label-missing', 'expected a label; got none', {
          source: this.#source,
          row: rowOf(i),
        });
      if (Math.abs(label) > mostExact)
        throw new HalfspaceError(
          'label-classes',
          `expected a label up to 2^53, whose digits a number keeps; got ${label}: other labels may be the same number`,
          { source: this.#source, row: rowOf(i) },
        );
      // With a positive class, the other labels only serve messages.
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

  /** Returns numbers that are equal for equal classes. @param labels as they are in the data. */
  classesOf(labels: Float64Array): Float64Array {
    const positive = this.#positive;
    return positive === null ? labels : labels.map((label) => (label === positive ? 1 : -1));
  }

  /** Replaces observed labels by −1 and +1; NaN (no label) stays. Only if {@link ready}. */
  map(labels: Float64Array): void {
    // A third class may be known when a spill is mapped; labels are mapped by the first two.
    const positive = this.#positive ?? Math.max(...this.#seen.slice(0, 2));
    // Usual labels, −1 and 1, are mapped already.
    if (positive === 1 && this.#seen.length === 2 && this.#known.has(1) && this.#known.has(-1)) return;
    for (let i = 0; i < labels.length; i++) {
      const label = labels[i]!;
      if (!Number.isNaN(label)) labels[i] = label === positive ? 1 : -1;
    }
  }

  /** Undoes {@link map} that was called while two classes were known. */
  unmap(labels: Float64Array): void {
    const [a, b] = this.#seen as [number, number];
    const [negative, positive] = [Math.min(a, b), Math.max(a, b)];
    for (let i = 0; i < labels.length; i++) labels[i] = labels[i]! > 0 ? positive : negative;
  }

  /** Replaces the original labels by positions in {@link classes}. Call at the end, if there are {@link many}. */
  mapPositions(labels: Float64Array): void {
    this.#positions ??= new Map(this.#rising().map((label, k) => [label, k]));
    for (let i = 0; i < labels.length; i++) labels[i] = this.#positions.get(labels[i]!)!;
  }

  /**
   * Returns the names of the negative and the positive class, or of {@link many} classes in rising order.
   * @throws HalfspaceError `label-classes` for fewer than two.
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

  /** Returns the first classes seen, sorted by value. */
  #list(): string {
    const listed = this.#seen.slice(0, listedClasses).sort((a, b) => a - b);
    return listed.join(', ') + (this.#seen.length > listedClasses ? ', …' : '');
  }
}

/** Maps the numeric labels of a text file to the classes of a model: −1 and +1, or positions. */
export class KnownLabels {
  readonly #source: string;
  readonly #classes: readonly string[];
  readonly #labels = new Map<number, number>();
  /** The label of numbers that are not listed; NaN: they are refused. */
  readonly #rest: number;

  readonly #unknown: UnknownClasses | null;

  /**
   * @param positions true: labels are positions in `classes`; false: −1 and +1.
   * @param unknown takes the labels that are not a class. Default: they are refused.
   */
  constructor(source: string, classes: readonly string[], positions = false, unknown: UnknownClasses | null = null) {
    this.#source = source;
    this.#unknown = unknown;
    this.#classes = classes;
    const [negative, positive] = classes as [string, string];
    classes.forEach((name, k) => {
      // A class whose name is no number, or the number of another class too, matches no label.
      const number = numberCell(name) + 0;
      if (Number.isFinite(number) && findClass(classes, String(number)) === k)
        this.#labels.set(number, positions ? k : 2 * k - 1);
    });
    this.#rest = !positions && negative === notClass(positive) && !Number.isNaN(Number(positive)) ? -1 : Number.NaN;
  }

  /**
   * Replaces the labels of the data by those of the classes; NaN (no label) stays.
   * @param rowOf returns the row number, from 1, of label i; for messages.
   * @throws HalfspaceError `label-classes` for a label that is not a class.
   */
  map(labels: Float64Array, rowOf: (i: number) => number): void {
    for (let i = 0; i < labels.length; i++) {
      const label = labels[i]!;
      if (Number.isNaN(label)) continue;
      let mapped = this.#labels.get(label) ?? this.#rest;
      if (Number.isNaN(mapped) && this.#unknown !== null) mapped = this.#unknown.labelOf(String(label));
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
