import type { StoredBatch } from '../batch.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { notClass } from '../features/table-label.ts';

/** More classes than this are not listed, nor needed to know that there are too many. */
const listedClasses = 20;

/**
 * Turns the numbers that a text file has as labels into −1 and +1, as they stream by.
 *
 * The two classes are the two numbers that occur; the larger one is positive. Until both have been seen nobody can say which
 * is which, so the map is not `ready` and examples must be held back. With `positive` one number is set against all others
 * and the map is ready at once.
 */
export class LabelMap {
  readonly #positive: number | null;
  readonly #source: string;
  readonly #seen: number[] = [];

  /**
   * @param source name of the data, for messages.
   * @param positive the class to set against the rest, as text of a number; undefined: the larger of two.
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

  /** Whether labels can be mapped. */
  get ready(): boolean {
    return this.#positive !== null || this.#seen.length === 2;
  }

  /** Whether more than two classes were seen and none is set apart. Nothing can be learned then; see {@link classes}. */
  get tooMany(): boolean {
    return this.#positive === null && this.#seen.length > 2;
  }

  /**
   * Takes note of a batch's labels, as they stand in the data.
   * @param firstRow number of the batch's first example, from 0, for messages.
   * @throws HalfspaceError `label-missing`.
   */
  observe(batch: StoredBatch, firstRow: number): void {
    const { labels } = batch;
    // NaN, which equals nothing, where no class has been seen yet.
    const [a = Number.NaN, b = Number.NaN] = this.#seen;
    for (let i = 0; i < batch.rows; i++) {
      const label = labels[i]!;
      if (label === a || label === b || this.#seen.includes(label)) continue;
      if (Number.isNaN(label))
        throw new HalfspaceError('label-missing', 'expected a label; got none', {
          source: this.#source,
          row: firstRow + i + 1,
        });
      if (this.#seen.length <= listedClasses || label === this.#positive) this.#seen.push(label);
    }
  }

  /** Writes −1 and +1 over labels that {@link observe} has seen; NaN (no label) stays. Call when {@link ready}. */
  map(labels: Float64Array): void {
    const positive = this.#positive ?? Math.max(...this.#seen);
    for (let i = 0; i < labels.length; i++) {
      const label = labels[i]!;
      if (!Number.isNaN(label)) labels[i] = label === positive ? 1 : -1;
    }
  }

  /** Names of the negative and the positive class. @throws HalfspaceError `label-classes` when they are not two. */
  classes(): [negative: string, positive: string] {
    if (this.tooMany) this.#refuseMany();
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

  #refuseMany(): never {
    throw new HalfspaceError(
      'label-classes',
      `expected two classes of labels, or one class named as the positive one; got ${this.#list()}`,
      { source: this.#source },
    );
  }

  /** The first classes seen, in order of size. */
  #list(): string {
    const listed = this.#seen.slice(0, listedClasses).sort((a, b) => a - b);
    return listed.join(', ') + (this.#seen.length > listedClasses ? ', …' : '');
  }
}

/** Turns the numbers that a text file has as labels into −1 and +1 of a model's classes. */
export class KnownLabels {
  readonly #source: string;
  readonly #classes: readonly [negative: string, positive: string];
  /** NaN: the class is no number, and so no label has it. */
  readonly #positive: number;
  readonly #negative: number;
  /** Whether every number but the positive one is negative. */
  readonly #rest: boolean;

  constructor(source: string, classes: readonly [negative: string, positive: string]) {
    this.#source = source;
    this.#classes = classes;
    this.#positive = Number(classes[1]);
    this.#negative = Number(classes[0]);
    this.#rest = classes[0] === notClass(classes[1]) && !Number.isNaN(this.#positive);
  }

  /**
   * Writes −1 and +1 over labels; NaN (no label) stays.
   * @param firstRow number of the first of them, from 0, for messages.
   * @throws HalfspaceError `label-classes` for a label that is neither.
   */
  map(labels: Float64Array, firstRow: number): void {
    for (let i = 0; i < labels.length; i++) {
      const label = labels[i]!;
      if (Number.isNaN(label)) continue;
      if (label !== this.#positive && label !== this.#negative && !this.#rest)
        throw new HalfspaceError('label-classes', `expected a label of ${this.#classes.join(' or ')}; got ${label}`, {
          source: this.#source,
          row: firstRow + i + 1,
        });
      labels[i] = label === this.#positive ? 1 : -1;
    }
  }
}
