import { type StoredBatch, storedValues } from '../batch.ts';
import { ImportantRows, numberAround } from '../data/important-rows.ts';
import { LabelMap } from '../data/labels.ts';
import type { ExampleSource } from '../data/source.ts';
import { RowSelection, type Split } from '../data/split.ts';
import { ExampleStore, type StoreOptions } from '../data/store.ts';
import { HalfspaceError } from '../errors.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { Random } from '../random.ts';
import type { FeatureMeans } from './feature-means.ts';

interface IntakeOptions {
  /** The positive class, for sources of numeric labels. */
  readonly positive: string | undefined;
  readonly split: Split | null;
  /** False keeps few examples, because no later pass needs them. */
  readonly keepAll: boolean;
  /** False allows that a class of the source has no example. Default true. */
  readonly needsAllClasses?: boolean;
  readonly store: StoreOptions;
  /** Takes the features of the training examples. */
  readonly means?: FeatureMeans | undefined;
}

/** Bytes of examples that a single pass keeps to evaluate the model. Keeping more would cost more than learning. */
const smallBudget = 8 * 1024 * 1024;

/**
 * Reads the examples of a run from a source: drops rows of importance 0, maps labels to −1 and +1, holds some examples
 * out, and keeps the others for later passes.
 *
 * The positive one of two labels may be unknown until both have occurred. Until then examples wait in the store; then
 * they are delivered in order. At a third class delivery stops: the run starts over with the stored examples, whose
 * labels become class positions once everything is read.
 */
export class Intake {
  store: ExampleStore;
  held: ExampleStore;
  readonly #kernels: Kernels;
  readonly #source: ExampleSource;
  readonly #options: IntakeOptions;
  readonly #labels: LabelMap | null;
  /** Original numbers of the stored examples; null if they were not shuffled. */
  #numbers: Uint32Array | null = null;
  readonly #important = new ImportantRows();
  readonly #selection = new RowSelection();
  #kept = new Uint32Array(0);
  #held = new Uint32Array(0);
  /** Number of training examples of each class, the negative one first; or of each of several classes. */
  #perClass: number[] = [0, 0];
  /** Numbers, from 0 in the order of the data, of the training examples set apart; null: none were. */
  #apart: number[] | null = null;
  /** Number of batches of the store before those set apart. */
  #learnedChunks = Infinity;
  /** True if the examples exceeded the memory budget before they were stored again; null: they were not. */
  #wasLarge: boolean | null = null;
  /** For each batch: the number of its first example among all, and the positions of its held-out ones. */
  readonly #heldOut: [first: number, positions: Uint32Array][] = [];
  /** Number of examples so far, held-out ones included. */
  #examples = 0;
  /** True if there are more than two classes, as far as they are known. */
  many: boolean;
  /** Number of training examples. */
  rows = 0;
  /** Number of values stored in them. */
  nonzeros = 0;
  /** Sum of their importance. */
  importance = 0;
  /** True if the store holds all of them. */
  complete = true;

  constructor(kernels: Kernels, source: ExampleSource, options: IntakeOptions) {
    this.#kernels = kernels;
    this.#source = source;
    this.#options = options;
    this.many = (source.classes?.length ?? 2) > 2;
    const positive = options.positive ?? source.positive;
    this.#labels = source.classes === null ? new LabelMap(source, positive) : null;
    const { store, keepAll } = options;
    this.store = new ExampleStore(kernels, keepAll ? store : { ...store, memoryBudget: smallBudget });
    this.held = new ExampleStore(kernels, options.store);
  }

  /**
   * Yields the training examples with labels −1 and +1 while there are two classes; nothing once there are {@link
   * many}. A batch is valid until the next one is requested.
   */
  async *batches(): AsyncGenerator<StoredBatch> {
    const labels = this.#labels;
    let ready = labels === null || labels.ready;
    let read = 0;
    for await (const given of this.#source.batches()) {
      const batch = this.#important.of(given);
      this.#observe(batch, read);
      read += batch.rows;
      if (labels?.many && !this.many) {
        this.#becomeMany(labels, ready);
        ready = false;
      }
      if (!ready && labels?.ready) {
        ready = true;
        this.#relabel((heldBack) => labels.map(heldBack));
        for (const stored of this.store.batches()) yield this.#counted(stored);
      }
      // Before they are mapped: labels that wait for the second class are not mapped yet.
      const count = this.#splitUp(batch);
      if (labels !== null && ready) labels.map(batch.labels.subarray(0, batch.rows));
      const learnable = this.#holdOut(batch, count);
      if (this.complete) this.store.append(learnable);
      if (!ready || this.many) continue;
      this.#forgetIfLarge();
      if (learnable.rows > 0) yield this.#counted(learnable);
    }
    if (this.many) this.#settle();
    if (read === 0)
      throw new HalfspaceError(
        'source-empty',
        this.leftOut.length === 0 ? 'expected examples; got none' : 'expected examples of importance above 0; got none',
        { source: this.#source.name },
      );
  }

  /** Returns the classes, once everything is read. @throws HalfspaceError `label-classes`. */
  classes(): readonly string[] {
    const classes = this.#labels === null ? this.#source.classes! : this.#labels.classes();
    if (this.#options.needsAllClasses === false) return classes;
    const missing = classes.filter((_, k) => this.#perClass[k] === 0);
    if (missing.length > 0) {
      throw new HalfspaceError(
        'label-classes',
        `expected examples of ${this.many ? 'every class' : 'both classes'} to learn from; got none of ${missing.join(', ')}`,
        { source: this.#source.name },
      );
    }
    return classes;
  }

  /** Numbers in the data, from 0 and rising, of the rows of importance 0 so far. They do not count as examples. */
  get leftOut(): readonly number[] {
    return this.#important.leftOut;
  }

  /** Numbers of the held-out examples among all examples, from 0 and rising. */
  get heldOut(): readonly number[] {
    return this.#heldOut.flatMap(([first, positions]) => Array.from(positions, (i) => first + i));
  }

  /** Number of training examples of each class, in the order of the classes. */
  get classExamples(): readonly number[] {
    return this.#perClass;
  }

  /** True if the training examples, in the order of the data, exceed the memory budget; see `ExampleStore.large`. */
  get large(): boolean {
    return this.#wasLarge ?? this.store.large;
  }

  /** Number of training examples that are not set apart. */
  get learnedRows(): number {
    return this.store.rows - (this.#apart?.length ?? 0);
  }

  /** Tests if a batch of the store has examples that are set apart, and no others. */
  readonly isApart = (chunk: number): boolean => chunk >= this.#learnedChunks;

  /**
   * Sets training examples apart, once and before they are shuffled: moves them behind all others.
   *
   * @param compact allows compact storage.
   */
  setApart(split: Split, compact: boolean): void {
    if (this.#apart !== null) return;
    const apart: number[] = [];
    this.#storeAgain(compact, (store, target) => {
      const held = new ExampleStore(this.#kernels, { ...this.#options.store, compact });
      let first = 0;
      for (const batch of store.batches()) {
        const { rows } = batch;
        this.#makeRoom(rows);
        const count = split.nextInto(batch.labels, rows, this.#kept, this.#held);
        target.append(this.#selection.select(batch, this.#kept, count));
        held.append(this.#selection.select(batch, this.#held, rows - count));
        for (let k = 0; k < rows - count; k++) apart.push(first + this.#held[k]!);
        first += rows;
      }
      this.#learnedChunks = target.chunks;
      for (const batch of held.batches()) target.append(batch);
      held.free();
    });
    this.#apart = apart;
  }

  /** Shuffles the training examples that are not set apart, once. @param compact allows compact storage. */
  shuffle(random: Random, compact: boolean): void {
    if (this.#numbers !== null) return;
    const numbers = random.permutation(this.learnedRows);
    this.#rearrange(numbers, compact);
    this.#numbers = numbers;
  }

  /** Restores the order of the data, if a run before shuffled the examples. @param compact allows compact storage. */
  restoreOrder(compact: boolean): void {
    if (this.#numbers === null) return;
    const places = new Uint32Array(this.#numbers.length);
    this.#numbers.forEach((number, place) => {
      places[number] = place;
    });
    this.#rearrange(places, compact);
    this.#numbers = null;
  }

  /** Stores the training examples that are not set apart in another order. */
  #rearrange(numbers: Uint32Array, compact: boolean): void {
    this.#storeAgain(compact, (store, target) => {
      for (const owned of store.gatherOwned(numbers, 1024)) target.adopt(owned);
      const chunks = target.chunks;
      for (let c = this.#learnedChunks; c < store.chunks; c++) target.append(store.load(c));
      this.#learnedChunks = chunks;
    });
  }

  /** Gives all examples, held-out ones too, other features, before any is set apart or shuffled. */
  encodeAgain(encoded: (batch: StoredBatch) => StoredBatch): void {
    const { means } = this.#options;
    means?.clear();
    this.nonzeros = 0;
    this.#storeAgain(true, (store, target) => {
      for (const batch of store.batches()) {
        const again = encoded(batch);
        means?.add(again);
        this.nonzeros += storedValues(again);
        target.append(again);
      }
    });
    const { held } = this;
    this.held = new ExampleStore(this.#kernels, { ...this.#options.store, compact: true });
    for (const batch of held.batches()) this.held.append(encoded(batch));
    held.free();
  }

  #storeAgain(compact: boolean, copy: (from: ExampleStore, to: ExampleStore) => void): void {
    const { store } = this;
    this.#wasLarge ??= store.large;
    const again = new ExampleStore(this.#kernels, { ...this.#options.store, compact });
    copy(store, again);
    store.free();
    this.store = again;
  }

  /** Returns the number, from 0 in the order of the data, of the training example at `position` of the store. */
  numberOf(position: number): number {
    const { learnedRows } = this;
    const apart = this.#apart ?? [];
    if (position >= learnedRows) return apart[position - learnedRows]!;
    return numberAround(apart, this.#numbers === null ? position : this.#numbers[position]!);
  }

  free(): void {
    this.store.free();
    this.held.free();
  }

  /** @param first number of earlier examples. */
  #observe(batch: StoredBatch, first: number): void {
    const rowOf = (i: number) => this.#important.numberOf(first + i) + 1;
    if (this.#labels !== null) {
      this.#labels.observe(batch, rowOf);
      return;
    }
    const { labels } = batch;
    for (let i = 0; i < batch.rows; i++)
      if (Number.isNaN(labels[i]!))
        throw new HalfspaceError('label-missing', 'expected a label; got none', {
          source: this.#source.name,
          row: rowOf(i),
        });
  }

  /** Restores the original labels of the examples of two classes. */
  #becomeMany(labels: LabelMap, mapped: boolean): void {
    if (!this.complete)
      throw new HalfspaceError(
        'label-classes',
        `expected two classes for a single pass, which does not keep all examples; got ${labels.classes().join(', ')}: allow more passes, or name the positive class`,
        { source: this.#source.name },
      );
    this.many = true;
    if (!mapped) return;
    this.#relabel((known) => labels.unmap(known));
  }

  /** Replaces the labels of several classes by positions, and counts the examples again. */
  #settle(): void {
    const labels = this.#labels;
    if (labels !== null) this.#relabel((raw) => labels.mapPositions(raw));
    this.#perClass = (labels?.classes() ?? this.#source.classes!).map(() => 0);
    this.rows = 0;
    this.nonzeros = 0;
    this.importance = 0;
    this.#options.means?.clear();
    for (const batch of this.store.batches()) this.#counted(batch);
  }

  #relabel(rewrite: (labels: Float64Array) => void): void {
    for (const store of [this.store, this.held]) store.rewrite((_, labels) => rewrite(labels));
  }

  /** Decides which examples of a batch are held out. Returns the number of the others. */
  #splitUp({ rows, labels }: StoredBatch): number {
    const { split } = this.#options;
    if (split === null) return rows;
    this.#makeRoom(rows);
    const count = split.nextInto(this.#classesOf(labels), rows, this.#kept, this.#held);
    if (count < rows) this.#heldOut.push([this.#examples, this.#held.slice(0, rows - count)]);
    this.#examples += rows;
    return count;
  }

  #makeRoom(rows: number): void {
    if (this.#kept.length >= rows) return;
    this.#kept = new Uint32Array(rows);
    this.#held = new Uint32Array(rows);
  }

  /** Returns a number for each label, equal for equal classes. */
  #classesOf(labels: Float64Array): Float64Array {
    return this.#labels === null ? labels : this.#labels.classesOf(labels);
  }

  /** Keeps the held-out examples of a batch apart. Returns the `count` others. */
  #holdOut(batch: StoredBatch, count: number): StoredBatch {
    const { rows } = batch;
    if (count === rows) return batch;
    this.held.append(this.#selection.select(batch, this.#held, rows - count));
    return this.#selection.select(batch, this.#kept, count);
  }

  #counted(batch: StoredBatch): StoredBatch {
    const { rows, labels, importance } = batch;
    const perClass = this.#perClass;
    if (this.many) for (let i = 0; i < rows; i++) perClass[labels[i]!]!++;
    else {
      // Labels are −1 and +1. Adding them is faster than branches that the processor cannot predict.
      let sum = 0;
      for (let i = 0; i < rows; i++) sum += labels[i]!;
      const positives = (rows + sum) / 2;
      perClass[0]! += rows - positives;
      perClass[1]! += positives;
    }
    if (importance === null) this.importance += rows;
    else for (let i = 0; i < rows; i++) this.importance += importance[i]!;
    this.#options.means?.add(batch);
    this.rows += rows;
    this.nonzeros += storedValues(batch);
    return batch;
  }

  #forgetIfLarge(): void {
    if (this.#options.keepAll || !this.complete || !this.store.full) return;
    this.complete = false;
    this.store.free();
  }
}
