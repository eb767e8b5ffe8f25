import { Readable } from 'node:stream';
import { type AsyncRecordBatchStreamReader, type RecordBatch, RecordBatchReader } from 'apache-arrow';
import { HalfspaceError } from 'halfspace';

/**
 * Yields the record batches of an Arrow IPC stream that comes in pieces.
 *
 * @throws HalfspaceError `source-corrupt` for other data, and for a stream that ends without its end mark: an engine
 *   that stopped in the middle would otherwise look like one that has no more rows.
 */
export async function* batchesOfStream(source: string, input: AsyncIterable<Uint8Array>): AsyncGenerator<RecordBatch> {
  const ending = new Ending(input);
  let batches: AsyncIterator<RecordBatch>;
  const reading = async <T>(read: () => Promise<T>): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      throw corrupt(source, (error as Error).message);
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
    yield batch;
  }
  if (!ending.isMarked) throw corrupt(source, 'one that is cut: it has no end mark');
}

/**
 * Yields the record batches of blocks, each of which is a whole Arrow IPC stream. The batches share the memory of their
 * block.
 *
 * @throws HalfspaceError `source-corrupt` for other data.
 */
export async function* batchesOfBlocks(source: string, blocks: AsyncIterable<Uint8Array>): AsyncGenerator<RecordBatch> {
  for await (const block of blocks) {
    let batches: readonly RecordBatch[];
    if (!isEndMark(block.subarray(-8))) throw corrupt(source, 'one that is cut: it has no end mark');
    try {
      batches = RecordBatchReader.from(block).readAll();
    } catch (error) {
      throw corrupt(source, (error as Error).message);
    }
    yield* batches;
  }
}

function corrupt(source: string, got: string): HalfspaceError {
  return new HalfspaceError('source-corrupt', `expected an Arrow IPC stream; got ${got}`, { source });
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
    return isEndMark(this.#last);
  }
}

function isEndMark(bytes: Uint8Array): boolean {
  return bytes.length === 8 && bytes.every((byte, k) => byte === (k < 4 ? 0xff : 0));
}
