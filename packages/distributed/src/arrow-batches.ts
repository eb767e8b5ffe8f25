import { Message, type RecordBatch, RecordBatchReader, type RecordBatchStreamReader } from 'apache-arrow';
import { HalfspaceError } from 'halfspace';
import { checkBody, checkLayout, type Layout } from './arrow-body.ts';
import { checkMetadata, corrupt } from './arrow-metadata.ts';
import { Pieces } from './pieces.ts';

/** Bound on the metadata of a message, in bytes: about half a million columns. */
const mostMetadata = 2 ** 26;
/** Bound on the deltas of a dictionary: Apache Arrow copies the list of all for each. */
const mostDeltas = 4096;

/**
 * Yields the record batches of an Arrow IPC stream that comes in pieces. Apache Arrow believes all numbers of a
 * message, and a wrong one makes it wait, allocate, or invent rows. So they are compared with the bytes before.
 *
 * @param source name in errors.
 * @throws HalfspaceError `source-corrupt` for other data, and for a stream that does not end with its end mark: an
 *   engine that stopped in the middle would otherwise look like one that has no more rows.
 */
export async function* batchesOfStream(source: string, input: AsyncIterable<Uint8Array>): AsyncGenerator<RecordBatch> {
  const pieces = new Pieces(input);
  const reader = new BatchReader();
  try {
    for (let parts = await messageOf(pieces); parts !== null; parts = await messageOf(pieces)) {
      const batch = reader.take(parts);
      if (batch !== null) yield batch;
    }
    if ((await pieces.read(1)).length > 0) throw corrupt('bytes behind its end mark');
  } catch (error) {
    // Errors of Apache Arrow are of several classes.
    const refused = error instanceof HalfspaceError ? error : corrupt(`a damaged one: ${(error as Error).message}`);
    throw refused.at({ source });
  } finally {
    await pieces.end();
  }
}

/**
 * Yields the record batches of blocks, each of which is a whole Arrow IPC stream.
 *
 * @throws HalfspaceError `source-corrupt` for other data.
 */
export async function* batchesOfBlocks(source: string, blocks: AsyncIterable<Uint8Array>): AsyncGenerator<RecordBatch> {
  for await (const block of blocks)
    yield* batchesOfStream(
      source,
      (async function* () {
        yield block;
      })(),
    );
}

/** A message and its bytes: the length of the metadata, the metadata, the body. */
interface Parts {
  readonly message: Message;
  readonly bytes: readonly Uint8Array[];
}

/** Returns the next message; null: the end mark. */
async function messageOf(pieces: Pieces): Promise<Parts | null> {
  const read = async (length: number) => {
    const bytes = await pieces.read(length);
    if (bytes.length < length) throw corrupt('one that is cut: it has no end mark');
    return bytes;
  };
  const head = await read(8);
  const [mark, length] = new Int32Array(head.buffer) as unknown as [number, number];
  if (mark !== -1 || length < 0 || length > mostMetadata)
    throw corrupt(`a message that begins with ${Buffer.from(head).toString('hex')}`);
  if (length === 0) return null;
  const metadata = await read(length);
  checkMetadata(metadata);
  const message = Message.decode(metadata);
  const layout = layoutOf(message);
  if (layout !== null) checkLayout(layout, message.bodyLength);
  else if (message.bodyLength !== 0) throw corrupt('a schema with rows');
  return { message, bytes: [head, metadata, await read(message.bodyLength)] };
}

function layoutOf(message: Message): Layout | null {
  // Before version 4, which is 3 as a number, parts had another layout.
  if (message.version < 3) throw corrupt(`version ${message.version + 1} of the format`);
  if (message.isSchema()) return null;
  const header = message.isDictionaryBatch() ? message.header().data : message.header();
  const layout = header as unknown as Layout & { readonly compression: unknown };
  if (layout.compression !== null) throw corrupt('compressed columns; write them without compression');
  return layout;
}

/** Decodes messages in their order. */
class BatchReader {
  /** Bytes of messages that Apache Arrow has not read. */
  readonly #bytes: Uint8Array[] = [];
  #reader: RecordBatchStreamReader | null = null;
  /** Number of values of each dictionary, and of its deltas. */
  readonly #lengths = new Map<number, number>();
  readonly #deltas = new Map<number, number>();

  /** Returns the batch of a message; null: it has none. */
  take({ message, bytes }: Parts): RecordBatch | null {
    if (message.isSchema() !== (this.#reader === null)) throw corrupt('a second schema, or none before its rows');
    this.#bytes.push(...bytes);
    if (this.#reader === null) {
      this.#reader = RecordBatchReader.from(this.#pieces()).open();
      return null;
    }
    const { schema } = this.#reader;
    const layout = layoutOf(message)!;
    if (message.isRecordBatch()) {
      checkBody(layout, bytes[2]!, schema.fields, this.#lengths);
      return this.#reader.next().value;
    }
    const { id, isDelta } = message.header() as { id: number; isDelta: boolean };
    const type = schema.dictionaries.get(id);
    if (type === undefined) throw corrupt(`values of dictionary ${id}, which its schema does not have`);
    checkBody(layout, bytes[2]!, [{ type }], this.#lengths);
    this.#lengths.set(id, (isDelta ? (this.#lengths.get(id) ?? 0) : 0) + layout.length);
    this.#deltas.set(id, isDelta ? (this.#deltas.get(id) ?? 0) + 1 : 0);
    if (this.#deltas.get(id)! > mostDeltas)
      throw corrupt(`more than ${mostDeltas} deltas of a dictionary; write whole dictionaries`);
    return null;
  }

  /** Yields the bytes. Apache Arrow asks for one piece more than it needs, which is empty; a second one is the end. */
  *#pieces(): Generator<Uint8Array> {
    for (let isEmpty = false; !isEmpty || this.#bytes.length > 0; ) {
      isEmpty = this.#bytes.length === 0;
      yield this.#bytes.shift() ?? new Uint8Array(0);
    }
  }
}
