import type { StoredBatch } from '../batch.ts';
import { type ErrorCode, HalfspaceError, quote } from '../errors.ts';
import { compareClasses, findClass, typeOfClasses } from '../features/class-names.ts';
import { numberCell } from '../features/table-cell.ts';
import { notClass } from '../features/table-label.ts';
import type { ExampleSource } from './source.ts';
import type { UnknownClasses } from './unknown-classes.ts';

/** A source, for its name in messages and the words of its labels. */
type LabelSource = Pick<ExampleSource, 'name' | 'labelNames'>;

/** Maximum number of classes that a message lists. */
const listedClasses = 20;
/** Maximum number of classes. More are taken for quantities, which a classifier cannot learn. */
const mostClasses = 1000;
/** Larger numbers are rounded as they are read, so that different labels are one. */
const mostExact = Number.MAX_SAFE_INTEGER;

/**
 * Maps the labels of a text file, numbers or numbered words, to classes while rows stream by.
 *
 * Two different labels: the larger number or the later word is the positive class, +1, the other is −1. Before both
 * have occurred the map is not `ready`, and examples must wait. With `positive`, that label is +1, all others are −1,
 * and the map is ready at once. Three or more are `many` classes; their labels are positions in rising order. These are
 * known at the end only, so {@link unmap} first restores the original numbers.
 */
export class LabelMap {
  readonly #named: string | null;
  readonly #source: LabelSource;
  readonly #seen: number[] = [];
  readonly #known = new Set<number>();
  /** The number of the named positive class; null: none was named, or nothing was observed yet. */
  #positive: number | null = null;
  /** The position of each class; made when all classes are known. */
  #positions: Map<number, number> | null = null;

  /**
   * @param source its name, for messages, and the words of its labels.
   * @param positive the positive class: the text of a number, or a word; all other labels become −1.
   */
  constructor(source: LabelSource, positive?: string) {
    this.#source = source;
    this.#named = positive?.trim() ?? null;
  }

  /** True if labels can be mapped to −1 and +1. */
  get ready(): boolean {
    return this.#named !== null || this.#seen.length === 2;
  }

  /** True if there are more than two classes and no positive one was chosen. */
  get many(): boolean {
    return this.#named === null && this.#seen.length > 2;
  }

  /**
   * Records the labels of a batch, as they are in the data.
   * @param rowOf returns the row number, from 1, of example i of the batch; for messages.
   * @throws HalfspaceError `label-missing`; `label-classes` for too many classes; `option-invalid` for a positive class
   *   that is no number, as labels are.
   */
  observe(batch: StoredBatch, rowOf: (i: number) => number): void {
    const { labels } = batch;
    if (this.#named !== null) this.#positive ??= this.#numberOf(this.#named);
    // NaN equals no label; it stands for a class that has not occurred yet.
    const [a = Number.NaN, b = Number.NaN] = this.#seen;
    // Usually every label is one of the two. Without a branch, because the processor cannot predict labels.
    let others = 0;
    for (let i = 0; i < batch.rows; i++) others |= Number(labels[i] !== a) & Number(labels[i] !== b);
    if (others === 0) return;
    for (let i = 0; i < batch.rows; i++) {
      const label = labels[i]!;
      if (label === a || label === b || this.#known.has(label)) continue;
      if (Number.isNaN(label)) throw this.#fault('label-missing', 'expected a label; got none', rowOf(i));
      if (Math.abs(label) > mostExact)
        throw this.#fault(
          'label-classes',
          `expected a label up to 2^53, whose digits a number keeps; got ${label}: other labels may be the same number`,
          rowOf(i),
        );
      // With a positive class, the other labels only serve messages.
      if (this.#positive !== null && this.#seen.length > listedClasses && label !== this.#positive) continue;
      this.#known.add(label);
      this.#seen.push(label);
    }
    if (this.#positive === null && this.#seen.length > mostClasses)
      throw this.#fault(
        'label-classes',
        `expected at most ${mostClasses} classes of labels, or one class named as the positive one; got ${this.#list()}`,
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
    const positive = this.#positive ?? this.#rising(this.#seen.slice(0, 2))[1]!;
    // Usual labels, −1 and 1, are mapped already.
    if (positive === 1 && this.#seen.length === 2 && this.#known.has(1) && this.#known.has(-1)) return;
    for (let i = 0; i < labels.length; i++) {
      const label = labels[i]!;
      if (!Number.isNaN(label)) labels[i] = label === positive ? 1 : -1;
    }
  }

  /** Undoes {@link map} that was called while two classes were known. */
  unmap(labels: Float64Array): void {
    const [negative, positive] = this.#rising(this.#seen.slice(0, 2)) as [number, number];
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
    const rising = this.#rising();
    if (this.many) return rising.map((label) => this.#nameOf(label));
    const positive = this.#positive ?? rising.at(-1)!;
    const others = rising.filter((label) => label !== positive);
    if (others.length === 0 || !rising.includes(positive)) {
      throw this.#fault(
        'label-classes',
        this.#named !== null && !rising.includes(positive)
          ? `expected examples of the positive class ${this.#named}; got only labels ${this.#list()}`
          : `expected two classes of labels; got only ${this.#list()}`,
      );
    }
    const name = this.#nameOf(positive);
    return [others.length === 1 ? this.#nameOf(others[0]!) : notClass(name), name];
  }

  #nameOf(label: number): string {
    return this.#source.labelNames?.nameOf(label) ?? String(label);
  }

  #numberOf(name: string): number {
    const { labelNames } = this.#source;
    if (labelNames != null) return labelNames.numberOf(name);
    if (name !== '' && !Number.isNaN(Number(name))) return Number(name);
    throw new HalfspaceError(
      'option-invalid',
      `the positive class of numeric labels must be a number; got ${quote(name)}`,
    );
  }

  #rising(labels: readonly number[] = this.#seen): number[] {
    if (this.#source.labelNames == null) return [...labels].sort((a, b) => a - b);
    const compare = compareClasses(typeOfClasses(labels.map((label) => this.#nameOf(label))));
    return [...labels].sort((a, b) => compare(this.#nameOf(a), this.#nameOf(b)));
  }

  /** Returns the first classes seen, rising. */
  #list(): string {
    const listed = this.#rising(this.#seen.slice(0, listedClasses)).map((label) => this.#nameOf(label));
    return listed.join(', ') + (this.#seen.length > listedClasses ? ', …' : '');
  }

  #fault(code: ErrorCode, message: string, row?: number): HalfspaceError {
    return new HalfspaceError(code, message, { source: this.#source.name, ...(row === undefined ? {} : { row }) });
  }
}

/** Maps the labels of a text file, numbers or numbered words, to the classes of a model: −1 and +1, or positions. */
export class KnownLabels {
  readonly #source: LabelSource;
  readonly #classes: readonly string[];
  readonly #arePositions: boolean;
  readonly #unknown: UnknownClasses | null;
  readonly #labels = new Map<number, number>();

  /**
   * @param positions true: labels are positions in `classes`; false: −1 and +1.
   * @param unknown takes the labels that are not a class. Default: they are refused.
   */
  constructor(
    source: LabelSource,
    classes: readonly string[],
    positions = false,
    unknown: UnknownClasses | null = null,
  ) {
    this.#source = source;
    this.#unknown = unknown;
    this.#classes = classes;
    this.#arePositions = positions;
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
      let mapped = this.#labels.get(label);
      if (mapped === undefined) {
        const name = this.#source.labelNames?.nameOf(label) ?? String(label);
        mapped = this.#labelOf(name);
        if (Number.isNaN(mapped))
          throw new HalfspaceError('label-classes', `expected a label of ${this.#expected()}; got ${name}`, {
            source: this.#source.name,
            row: rowOf(i),
          });
        this.#labels.set(label, mapped);
      }
      labels[i] = mapped;
    }
  }

  #labelOf(name: string): number {
    const k = findClass(this.#classes, name);
    if (k !== -1) return this.#arePositions ? k : 2 * k - 1;
    const [negative, positive] = this.#classes as [string, string];
    const areAlike = this.#source.labelNames != null || Number.isFinite(numberCell(positive));
    if (!this.#arePositions && negative === notClass(positive) && areAlike) return -1;
    return this.#unknown?.labelOf(name) ?? Number.NaN;
  }

  #expected(): string {
    const some = this.#classes.slice(0, listedClasses).join(' or ');
    return this.#classes.length > listedClasses ? `${some} or …` : some;
  }
}
