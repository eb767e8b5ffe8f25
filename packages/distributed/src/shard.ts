import { Readable } from 'node:stream';
import { type AsyncRecordBatchStreamReader, type RecordBatch, RecordBatchReader } from 'apache-arrow';
import { HalfspaceError } from 'halfspace';
import {
  type FeatureEncoding,
  labelNumber,
  type MeasuredKind,
  TableEncoder,
  type TableLabel,
  unknownClass,
  type WordCells,
} from 'halfspace/internal';
import type { StoredBatch } from 'halfspace/rules';
import { isText, numbersOf, textsOf, Words } from './arrow-columns.ts';
import { vectorsOf } from './arrow-vectors.ts';
import type { Job } from './job.ts';

/** The kinds of columns whose cells are always words. */
const wordKinds: readonly string[] = ['category', 'text'];

/** The rows of one shard, as they come from an Arrow stream. */
export class Shard {
  readonly #job: Job;
  readonly #name: string;
  readonly #input: AsyncIterable<Uint8Array>;
  readonly #words = new Map<string, Words>();
  #before = 0;

  /** @param shard its number; null: the rows are of no shard. */
  constructor(job: Job, shard: number | null, input: AsyncIterable<Uint8Array>) {
    this.#job = job;
    this.#name = shard === null ? 'rows' : `shard ${shard}`;
    this.#input = input;
  }

  get name(): string {
    return this.#name;
  }

  /**
   * Yields the record batches that have rows.
   *
   * @throws HalfspaceError `source-corrupt` for other data, and for a stream that ends without its end mark: an engine
   *   that stopped in the middle would otherwise look like one that has no more rows.
   */
  async *records(): AsyncGenerator<RecordBatch> {
    const ending = new Ending(this.#input);
    const corrupt = (got: string) =>
      new HalfspaceError('source-corrupt', `expected an Arrow IPC stream; got ${got}`, { source: this.#name });
    let batches: AsyncIterator<RecordBatch>;
    const reading = async <T>(read: () => Promise<T>): Promise<T> => {
      try {
        return await read();
      } catch (error) {
        throw corrupt((error as Error).message);
      }
    };
    await reading(async () => {
      // Of a plain iterable, the reader would ask for the next piece before it gives a batch that ends with a piece.
      const stream = Readable.from(ending.pieces(), { objectMode: false });
      const reader = (await RecordBatchReader.from(stream)) as AsyncRecordBatchStreamReader;
      await reader.open();
      batches = reader[Symbol.asyncIterator]() as AsyncIterator<RecordBatch>;
    });
    for (;;) {
      const { value: batch, done } = await reading(() => batches.next());
      if (done === true) break;
      if (batch.numRows > 0) yield batch;
      this.#before += batch.numRows;
    }
    if (!ending.isMarked) throw corrupt('one that is cut: it has no end mark');
  }

  /** Returns a column of a batch. */
  column(batch: RecordBatch, name: string) {
    const vector = batch.getChild(name);
    if (vector !== null) return vector;
    const names = batch.schema.fields.map((field) => field.name).join(', ');
    throw new HalfspaceError('column-unknown', `expected a column ${JSON.stringify(name)}; got ${names}`, {
      source: this.#name,
    });
  }

  /** Returns the cells of the job's columns. */
  cells(batch: RecordBatch, names: readonly string[]): (Float64Array | WordCells)[] {
    return names.map((name) => {
      const { kind } = this.#job.columns![name]!;
      const vector = this.column(batch, name);
      if (wordKinds.includes(kind) || isText(vector)) return this.words(batch, name);
      return numbersOf(vector, name, kind as MeasuredKind);
    });
  }

  words(batch: RecordBatch, name: string): WordCells {
    let words = this.#words.get(name);
    if (words === undefined) {
      words = new Words();
      this.#words.set(name, words);
    }
    return words.of(textsOf(this.column(batch, name), name), batch.numRows);
  }

  /** Yields encoded rows. @param label null: labels are not read, and are 0. */
  async *examples(encoding: FeatureEncoding, label: TableLabel | null): AsyncGenerator<StoredBatch> {
    const encoder = encoding.kind === 'table' ? new TableEncoder(encoding) : null;
    for await (const batch of this.records()) {
      const labels = label === null ? new Float64Array(batch.numRows) : this.#labels(batch, label);
      yield this.placed(batch, () => {
        if (encoder === null) {
          const { dimension: longest, ...rows } = vectorsOf(this.column(batch, this.#job.vector!), this.#job.vector!);
          return {
            kind: 'sparse' as const,
            rows: batch.numRows,
            // A feature that training did not see counts 0.
            dimension: Math.max(longest, (encoding as { dimension: number }).dimension),
            ...rows,
            labels,
            importance: null,
          };
        }
        const names = encoder.encoding.columns.map(({ name }) => name);
        return encoder.encodeColumns({ rows: batch.numRows, columns: this.cells(batch, names), labels });
      });
    }
  }

  #labels(batch: RecordBatch, label: TableLabel): Float64Array {
    const { codes, words } = this.words(batch, this.#job.label);
    const known = words.map((word) => labelNumber(label, word === null ? null : word.trim()));
    return Float64Array.from(codes, (code, i) => {
      const number = known[code]!;
      if (!Number.isNaN(number) && number !== unknownClass) return number;
      const expected = label.classes.map((name) => JSON.stringify(name)).join(' or ');
      const missing = words[code] === null;
      throw new HalfspaceError(
        missing ? 'label-missing' : 'label-classes',
        missing ? 'expected a label; got none' : `expected ${expected}; got ${JSON.stringify(words[code])}`,
        this.#where(batch, i, this.#job.label),
      );
    });
  }

  /** Runs a function on a batch. Its errors about a row get the shard and the id of the row. */
  placed<T>(batch: RecordBatch, run: () => T): T {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof HalfspaceError) || error.where.row === undefined) throw error;
      const { row, field } = error.where;
      throw error.at({ row: undefined as never, ...this.#where(batch, row - 1, field) });
    }
  }

  #where(batch: RecordBatch, i: number, field: string | undefined): HalfspaceError['where'] {
    const { id } = this.#job;
    const place = field === undefined ? {} : { field };
    if (id === undefined) return { source: this.#name, row: this.#before + i + 1, ...place };
    return { source: `${this.#name}, ${id} ${this.column(batch, id).get(i)}`, ...place };
  }
}

/** The bytes of an input, and whether they end with the end mark of an Arrow IPC stream. */
class Ending {
  readonly #input: AsyncIterable<Uint8Array>;
  readonly #last = new Uint8Array(8);

  constructor(input: AsyncIterable<Uint8Array>) {
    this.#input = input;
  }

  async *pieces(): AsyncGenerator<Uint8Array> {
    for await (const piece of this.#input) {
      const tail = piece.subarray(-8);
      this.#last.copyWithin(0, tail.length);
      this.#last.set(tail, 8 - tail.length);
      yield piece;
    }
  }

  get isMarked(): boolean {
    return this.#last.every((byte, k) => byte === (k < 4 ? 0xff : 0));
  }
}
