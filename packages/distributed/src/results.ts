import {
  Binary,
  Field,
  Int32,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  tableFromIPC,
} from 'apache-arrow';
import { HalfspaceError } from 'halfspace';

/** The result of a worker, in one row of an Arrow stream: JSON, in the column `payload`. */
export interface ResultRow {
  readonly shard: number;
  /** 0. Kept for results in several parts. */
  readonly part: number;
  readonly payload: Uint8Array;
}

/** The columns of every result, so that an engine can carry them without looking inside. */
export const resultSchema = new Schema([
  new Field('shard', new Int32(), false),
  new Field('part', new Int32(), false),
  new Field('payload', new Binary(), false),
]);

/** Results of some shards. */
export interface Results<T> {
  /** The shards, rising. */
  readonly shards: readonly number[];
  /** One for each shard, in their order; or one for some of them together. */
  readonly found: readonly T[];
}

/** Returns a result as an Arrow IPC stream. */
export function encodeResult(shard: number, found: object): Uint8Array {
  const payload = new TextEncoder().encode(JSON.stringify(found));
  const children = [
    makeData({ type: new Int32(), data: Int32Array.of(shard) }),
    makeData({ type: new Int32(), data: Int32Array.of(0) }),
    makeData({ type: new Binary(), data: payload, valueOffsets: Int32Array.of(0, payload.length) }),
  ];
  const data = makeData({ type: new Struct(resultSchema.fields), length: 1, nullCount: 0, children });
  const writer = new RecordBatchStreamWriter();
  writer.write(new RecordBatch(resultSchema, data as never) as never);
  writer.finish();
  return writer.toUint8Array(true);
}

/** Returns results of several shards as the result of the first of them, an Arrow IPC stream. */
export function encodePart<T>(results: Results<T>): Uint8Array {
  return encodeResult(results.shards[0]!, results);
}

/**
 * Reads results, in any order, from Arrow IPC streams or files.
 *
 * @param shards number of shards of the job.
 * @param isComplete true: expects a result of every shard.
 * @throws HalfspaceError `source-corrupt` for other data; `row-malformed` if a shard is missing or there twice.
 */
export function decodeResults<T>(
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
  shards: number,
  isComplete: boolean,
): Results<T> {
  const there = new Set<number>();
  const found = new Map<number, T>();
  for (const { name, bytes } of files)
    for (const { shard: own, payload } of rowsOf(bytes, name)) {
      const value = JSON.parse(new TextDecoder().decode(payload)) as T | Results<T>;
      const part = isPart(value) ? value : { shards: [own], found: [value] };
      for (const shard of part.shards) {
        if (there.has(shard) || !(shard >= 0 && shard < shards))
          throw new HalfspaceError(
            'row-malformed',
            `expected one result of each shard from 0 to ${shards - 1}; got another one of shard ${shard}`,
            { source: name },
          );
        there.add(shard);
      }
      part.found.forEach((each, k) => {
        found.set(part.shards[k]!, each);
      });
    }
  const missing = Array.from({ length: isComplete ? shards : 0 }, (_, k) => k).filter((k) => !there.has(k));
  if (missing.length > 0 || there.size === 0)
    throw new HalfspaceError(
      'row-malformed',
      `expected a result of each of ${shards} shards; got none of shard ${missing[0] ?? 0}`,
    );
  const rising = (a: number, b: number) => a - b;
  const places = [...found.keys()].sort(rising);
  return { shards: [...there].sort(rising), found: places.map((shard) => found.get(shard)!) };
}

function isPart<T>(value: T | Results<T>): value is Results<T> {
  return 'shards' in (value as object) && 'found' in (value as object);
}

function rowsOf(bytes: Uint8Array, source: string): ResultRow[] {
  try {
    const table = tableFromIPC(bytes);
    const column = (name: string) => {
      const vector = table.getChild(name);
      if (vector === null) throw new TypeError(`no column ${name}`);
      return vector;
    };
    const [shard, part, payload] = [column('shard'), column('part'), column('payload')];
    return Array.from({ length: table.numRows }, (_, i) => ({
      shard: Number(shard.get(i)),
      part: Number(part.get(i)),
      payload: payload.get(i) as Uint8Array,
    }));
  } catch (error) {
    throw new HalfspaceError(
      'source-corrupt',
      `expected results of workers as an Arrow IPC stream; got ${(error as Error).message}`,
      { source },
    );
  }
}
