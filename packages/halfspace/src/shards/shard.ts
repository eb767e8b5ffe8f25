import type { StoredBatch } from '../batch.ts';
import { HoldoutSplit, RowSelection } from '../data/split.ts';
import { HalfspaceError, quote, quoteNames } from '../errors.ts';
import { WordMeanings } from '../features/column-features.ts';
import { TableEncoder } from '../features/encode-table.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import { cellText, refusedCell } from '../features/table-cell.ts';
import type { WordCells } from '../features/table-chunk.ts';
import type { TableEncoding } from '../features/table-encoding.ts';
import { labelNumber, unknownClass } from '../features/table-label.ts';
import { LabelClasses } from '../table/held-out-rows.ts';
import { missingLabel } from '../table/reading.ts';
import { stoppingSplit } from '../train/stopping-rows.ts';
import type { Job } from './job.ts';
import type { ShardBatch, ShardColumn, SparseRows } from './shard-batch.ts';
import type { MixState } from './state.ts';
import { Words } from './words.ts';

type MeasuredKind = 'number' | 'boolean' | 'date';
type TableLabel = TableEncoding['label'];

/** The kinds of columns whose cells are always words. */
const wordKinds: readonly string[] = ['category', 'set', 'text'];

/** Encoded rows by their use; null: none. They are valid until the next ones are requested. */
interface Examples {
  readonly learned: StoredBatch | null;
  /** Held out for early stopping. */
  readonly stopping: StoredBatch | null;
  /** Held out for evaluation. */
  readonly heldOut: StoredBatch | null;
}

/** The rows of one shard. */
export class Shard {
  readonly #job: Job;
  readonly #name: string;
  readonly #batches: AsyncIterable<ShardBatch>;
  readonly #words = new Map<string, Words>();
  readonly #missingLabels = new WordMeanings(Int32Array, (word) => (cellText(word) === null ? 1 : 0));
  readonly #split: RowSplit | null;
  readonly #number: number | null;
  #before = 0;

  /**
   * @param shard its number; null: the rows are of no shard.
   * @param read reads the batches of an input; its parameter names the input in errors.
   */
  constructor(job: Job, shard: number | null, read: (source: string) => AsyncIterable<ShardBatch>) {
    this.#job = job;
    this.#name = shard === null ? 'rows' : `shard ${shard}`;
    this.#batches = read(this.#name);
    this.#number = shard;
    this.#split = job.holdout !== undefined && shard !== null ? new RowSplit(job, shard) : null;
  }

  get name(): string {
    return this.#name;
  }

  /** Yields the record batches that have rows, parted at rows of weight 0, which are left out. */
  async *records(): AsyncGenerator<ShardBatch> {
    for await (const batch of this.#batches) {
      const weights = this.#weights(batch);
      const [before, rows] = [this.#before, batch.rows];
      for (let from = 0; from < rows; ) {
        const absent = weights?.indexOf(0, from) ?? -1;
        const to = absent < 0 ? rows : absent;
        this.#before = before + from;
        if (to > from) yield to - from === rows ? batch : batch.slice(from, to);
        from = to + 1;
      }
      this.#before = before + rows;
    }
  }

  /** Returns the weights of the rows of a batch; null: all count once. */
  #weights(batch: ShardBatch): Float64Array | null {
    const { weight } = this.#job;
    if (weight === undefined || this.#number === null) return null;
    const weights = this.placed(batch, () => this.column(batch, weight).numbers('number'));
    const i = weights.findIndex((each) => !(each >= 0 && each < 2 ** 53));
    if (i < 0) return weights;
    const given = quote(this.column(batch, weight).get(i));
    throw new HalfspaceError(
      'number-invalid',
      `expected a weight in [0, 2⁵³); got ${given}`,
      this.where(batch, i, weight),
    );
  }

  /** Returns a column of a batch. */
  column(batch: ShardBatch, name: string): ShardColumn {
    const column = batch.column(name);
    if (column !== null) return column;
    const names = quoteNames(batch.names);
    throw new HalfspaceError('column-unknown', `expected a column ${quote(name)}; got ${names}`, {
      source: this.#name,
    });
  }

  /** Returns the cells of the job's columns. */
  cells(batch: ShardBatch, names: readonly string[]): (Float64Array | WordCells)[] {
    return names.map((name) => {
      const { kind } = this.#job.columns![name]!;
      const column = this.column(batch, name);
      if (wordKinds.includes(kind) || column.isText) return this.words(batch, name);
      return column.numbers(kind as MeasuredKind);
    });
  }

  /** Returns the vectors of a batch. @param size that they must have; null: the first one decides. */
  vectors(batch: ShardBatch, size: number | null): SparseRows {
    return this.column(batch, this.#job.vector!).vectors(size);
  }

  /** Returns the cells of a column as words. */
  words(batch: ShardBatch, name: string): WordCells {
    let words = this.#words.get(name);
    if (words === undefined) {
      words = new Words();
      this.#words.set(name, words);
    }
    const column = this.column(batch, name);
    const { doubles } = column;
    return doubles === null ? words.of(column.texts(), batch.rows) : words.ofDoubles(doubles, name);
  }

  /** Returns the labels of a batch. @throws HalfspaceError `label-missing`, `number-invalid`. */
  labels(batch: ShardBatch): WordCells {
    const { label } = this.#job;
    const cells = this.placed(batch, () => this.words(batch, label));
    const isMissing = this.#missingLabels.of(cells.words);
    const i = isMissing.includes(1) ? cells.codes.findIndex((code) => isMissing[code] === 1) : -1;
    if (i >= 0) throw missingLabel(this.where(batch, i, label), 'rows');
    return cells;
  }

  /** Returns the parts of a batch, each of which must come once, in its order; null: none are held out to evaluate. */
  partsOf(batch: ShardBatch, labels: WordCells): RowParts | null {
    return this.#split?.next(labels, batch.rows) ?? null;
  }

  /** Yields encoded rows with their labels. */
  async *examples({ train, label, apart }: MixState): AsyncGenerator<Examples> {
    const selections = [new RowSelection(), new RowSelection(), new RowSelection()] as const;
    const encode = this.#encoder(train.features);
    const { seed = 1 } = this.#job;
    const stopping = apart === null ? null : stoppingSplit(apart[this.#number!]!, seed, this.#number!);
    for await (const batch of this.records()) {
      const labels = this.labels(batch);
      const parts = this.partsOf(batch, labels);
      const encoded = { ...encode(batch, this.#labelNumbers(batch, labels, label)), importance: this.#weights(batch) };
      if (parts === null && stopping === null) {
        yield { learned: encoded, stopping: null, heldOut: null };
        continue;
      }
      const training = parts?.training ?? Uint32Array.from(labels.codes, (_, i) => i);
      const [learned, held] = stopping === null ? [training, null] : split(stopping, encoded.labels, training);
      const select = (rows: Uint32Array | null | undefined, k: 0 | 1 | 2) =>
        rows == null || rows.length === 0 ? null : selections[k].select(encoded, rows, rows.length);
      yield { learned: select(learned, 0), stopping: select(held, 1), heldOut: select(parts?.heldOut, 2) };
    }
  }

  /** Yields batches and their encoded rows without labels, which are 0. */
  async *unlabelled(encoding: FeatureEncoding): AsyncGenerator<[ShardBatch, StoredBatch]> {
    const encode = this.#encoder(encoding);
    for await (const batch of this.records()) yield [batch, encode(batch, new Float64Array(batch.rows))];
  }

  #encoder(encoding: FeatureEncoding): (batch: ShardBatch, labels: Float64Array) => StoredBatch {
    if (encoding.kind === 'table') {
      const encoder = new TableEncoder(encoding);
      const names = encoding.columns.map(({ name }) => name);
      return (batch, labels) =>
        this.placed(batch, () =>
          encoder.encodeColumns({ rows: batch.rows, columns: this.cells(batch, names), labels }),
        );
    }
    const { dimension: own, firstIndex } = encoding as { dimension: number; firstIndex: 0 | 1 };
    return (batch, labels) =>
      this.placed(batch, () => {
        const { dimension: longest, size: _, ...rows } = this.vectors(batch, firstIndex === 0 ? own : null);
        // Text of libsvm counts features from 1.
        if (firstIndex === 1) for (let k = 0; k < rows.indices.length; k++) rows.indices[k]!++;
        // A feature that training did not see counts 0.
        const dimension = Math.max(longest + firstIndex, own);
        return { kind: 'sparse' as const, rows: batch.rows, dimension, ...rows, labels, importance: null };
      });
  }

  #labelNumbers(batch: ShardBatch, { codes, words }: WordCells, label: TableLabel): Float64Array {
    const known = words.map((word) => labelNumber(label, cellText(word)));
    const labels = new Float64Array(codes.length);
    for (let i = 0; i < labels.length; i++) {
      const number = known[codes[i]!]!;
      if (number === unknownClass) throw unknownLabel(label, words[codes[i]!]!, this.where(batch, i, this.#job.label));
      labels[i] = number;
    }
    return labels;
  }

  /** Runs a function on a batch. Its errors get the shard and, if they are about a row, its id. */
  placed<T>(batch: ShardBatch, run: () => T): T {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof HalfspaceError)) throw error;
      const { row, field } = error.where;
      if (row === undefined) throw error.at({ source: this.#name });
      const where = this.where(batch, row - 1, field);
      throw (this.#notFinite(batch, row - 1, field) ?? error).at({ row: undefined as never, ...where });
    }
  }

  /** Returns the error for a number whose value its error does not have: NaN or −∞. */
  #notFinite(batch: ShardBatch, i: number, field: string | undefined): HalfspaceError | null {
    const kind = field === undefined ? undefined : this.#job.columns?.[field]?.kind;
    const value: unknown = kind === undefined ? null : this.column(batch, field!).get(i);
    if (!(Number.isNaN(value) || value === Number.NEGATIVE_INFINITY)) return null;
    return refusedCell(kind as MeasuredKind, Infinity, value, { field: field! });
  }

  /** Returns the place of a row of a batch. */
  where(batch: ShardBatch, i: number, field: string | undefined): HalfspaceError['where'] {
    const { id } = this.#job;
    const place = field === undefined ? {} : { field };
    if (id === undefined) return { source: this.#name, row: this.#before + i + 1, ...place };
    return { source: `${this.#name}, ${id} ${this.column(batch, id).get(i)}`, ...place };
  }
}

function unknownLabel({ classes }: TableLabel, word: string, where: HalfspaceError['where']): HalfspaceError {
  const expected = classes.map((name) => JSON.stringify(name)).join(' or ');
  return new HalfspaceError('label-classes', `expected ${expected}; got ${JSON.stringify(word)}`, where);
}

type Split = Pick<HoldoutSplit, 'nextInto'>;

/** Positions of the rows of a batch, each list rising. */
interface RowParts {
  readonly training: Uint32Array;
  /** Held out for evaluation. */
  readonly heldOut: Uint32Array;
}

/**
 * Holds out rows of a shard for evaluation by their classes and the seed, so that every step holds out the same ones.
 * Shard k draws from random streams of its own, 2k + 1 here and 2k + 2 for early stopping. For k = 0 they are those of
 * one machine, so that a single shard holds out the same rows.
 */
export class RowSplit {
  readonly #classes: LabelClasses;
  readonly #holdout: HoldoutSplit | null;

  constructor({ positive, holdout, seed = 1 }: Job, shard: number) {
    this.#classes = new LabelClasses({ positive });
    this.#holdout = holdout === undefined ? null : new HoldoutSplit(holdout, seed, 2 * shard + 1);
  }

  /** Splits the next rows. @param labels their cells in the column of the class. */
  next(labels: WordCells, rows: number): RowParts {
    const all = Uint32Array.from({ length: rows }, (_, i) => i);
    if (this.#holdout === null) return { training: all, heldOut: new Uint32Array(0) };
    const [training, heldOut] = split(this.#holdout, this.#classes.of(labels, rows), all);
    return { training, heldOut };
  }
}

/** Returns the kept and the held-out ones of some rows. @param classes number of the class of each row of the batch. */
export function split(by: Split, classes: ArrayLike<number>, rows: Uint32Array): [Uint32Array, Uint32Array] {
  const kept = new Uint32Array(rows.length);
  const held = new Uint32Array(rows.length);
  const ofRows = Float64Array.from(rows, (i) => classes[i]!);
  const count = by.nextInto(ofRows, rows.length, kept, held);
  const numbers = (positions: Uint32Array) => positions.map((position) => rows[position]!);
  return [numbers(kept.subarray(0, count)), numbers(held.subarray(0, rows.length - count))];
}
