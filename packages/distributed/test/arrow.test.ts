import {
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Dictionary,
  Field,
  Float32,
  Float64,
  Int8,
  Int64,
  List,
  Message,
  makeData,
  Table,
  tableToIPC,
  Utf8,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import { HalfspaceError } from 'halfspace';
import { describe, expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../test/support/properties.ts';
import { vectorsOf } from '../src/arrow-vectors.ts';
import { type Job, work } from '../src/index.ts';
import { jobOf } from './engine.ts';

const columns = {
  number: { kind: 'number' },
  float: { kind: 'number' },
  open: { kind: 'boolean' },
  day: { kind: 'date' },
  word: { kind: 'category' },
  size: { kind: 'number' },
  note: { kind: 'text' },
} as const;
const listOf = (type: DataType) => new List(new Field('item', type, true));
const types: Readonly<Record<string, DataType>> = {
  ...{ number: new Float64(), float: new Float32(), open: new Bool(), day: new DateDay(), note: new Utf8() },
  ...{ word: new Dictionary(new Utf8(), new Int8()), size: new Dictionary(new Float64(), new Int8()) },
  ...{ y: new Utf8(), v: listOf(new Float64()) },
};

const text = fc.constantFrom('', 'a', 'é', '日本', 'two words');
const finite = fc.double({ noNaN: true, min: -1e9, max: 1e9 });
const cells: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  ...{ number: fc.option(finite), float: fc.option(fc.integer({ min: -99, max: 99 })), open: fc.option(fc.boolean()) },
  ...{ day: fc.integer({ min: 0, max: 9999 }).map((day) => new Date(86_400_000 * day)), word: fc.option(text) },
  ...{ size: fc.option(fc.constantFrom(1, 2.5)), note: fc.option(text), y: fc.constantFrom('p', 'q') },
  v: fc.array(finite, { maxLength: 3 }),
};

/** Some rows as an Arrow stream of two batches. */
const stream = fc.array(fc.record(cells), { minLength: 2, maxLength: 20 }).map((rows) => {
  const tableOf = (some: typeof rows) =>
    new Table(
      Object.fromEntries(
        Object.entries(types).map(([name, type]): [string, Vector] => [
          name,
          vectorFromArray(some.map((row) => row[name]) as never, type),
        ]),
      ),
    );
  const half = rows.length >> 1;
  return tableToIPC(tableOf(rows.slice(0, half)).concat(tableOf(rows.slice(half))), 'stream');
});

async function outcome(job: Job, bytes: Uint8Array): Promise<string> {
  try {
    const found = await work(
      job,
      null,
      0,
      (async function* () {
        yield bytes;
      })(),
    );
    return new TextDecoder().decode(found);
  } catch (error) {
    if (error instanceof HalfspaceError) return `refused: ${error.message}`;
    throw error;
  }
}

/** Returns the ranges of a stream that hold cells. */
function bodiesOf(bytes: Uint8Array): [number, number][] {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const bodies: [number, number][] = [];
  for (let at = 0, length = view.getInt32(4, true); length > 0; length = view.getInt32(at + 4, true)) {
    const { bodyLength } = Message.decode(bytes.subarray(at + 8, at + 8 + length));
    bodies.push([at + 8 + length, at + 8 + length + bodyLength]);
    at += 8 + length + bodyLength;
  }
  return bodies;
}

const jobs = [jobOf({ columns }), jobOf({ vector: 'v' })];

test('of a byte that was changed, only a cell can go unnoticed', async () => {
  const change = fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff));
  await forAllAsync(
    2000,
    stream,
    fc.constantFrom(...jobs),
    fc.double({ min: 0, max: 0.999 }),
    change,
    async (...given) => {
      const [bytes, job, place, value] = given;
      const at = Math.floor(place * bytes.length);
      const changed = bytes.slice();
      changed[at] = value;
      const found = await outcome(job, changed);
      if (found.startsWith('refused: ')) expect(found).toMatch(/expected .*; got /);
      else if (!bodiesOf(bytes).some(([from, to]) => at >= from && at < to))
        expect(found).toBe(await outcome(job, bytes));
    },
  );
});

test('parts that are cut, doubled or exchanged are refused or read', async () => {
  const parts = fc.array(fc.tuple(fc.double({ min: 0, max: 1 }), fc.double({ min: 0, max: 1 })), { maxLength: 4 });
  await forAllAsync(400, stream, fc.constantFrom(...jobs), parts, async (bytes, job, cuts) => {
    const pieces = cuts.map(([from, to]) => bytes.slice(8 * Math.floor((from * bytes.length) / 8), to * bytes.length));
    await outcome(job, Buffer.concat(pieces));
  });
});

describe('a vector', () => {
  const sparse = { offsets: Uint32Array.of(0, 1, 3), indices: Uint32Array.of(1, 0, 1), dimension: 2, size: 2 };
  const rows = [
    [0, 2],
    [1, 3],
  ];
  test.each([
    ['doubles', new Float64(), rows],
    ['floats', new Float32(), rows],
    ['small integers', new Int8(), rows],
    ['large integers', new Int64(), rows.map((row) => row.map(BigInt))],
  ])('has elements of %s', (_, type, lists) => {
    const found = vectorsOf(vectorFromArray(lists as never, listOf(type)), 'v', null);
    expect(found).toEqual({ ...sparse, values: Float64Array.of(2, 1, 3) });
  });

  test('has decimals', () => {
    const child = makeData({ type: new Decimal(1, 4, 128), length: 2, data: Uint32Array.of(25, 0, 0, 0, 10, 0, 0, 0) });
    const data = makeData({ type: listOf(child.type), length: 1, valueOffsets: Int32Array.of(0, 2), child });
    expect(vectorsOf(new Vector([data]) as never, 'v', null).values).toEqual(Float64Array.of(2.5, 1));
  });

  test.each([
    ['nulls', new Float64(), [[1, null]], 'row 1, column "v": expected a finite number; got none'],
    ['texts', new Utf8(), [['1']], 'column "v": expected lists of numbers, or structs of size, indices and values'],
    ['booleans', new Bool(), [[true]], 'column "v": expected lists of numbers, or structs of size, indices and values'],
    ['other sizes', new Float64(), [[1, 2], [1]], 'row 2, column "v": expected a vector of 2 numbers; got one of 1'],
  ])('has no %s', (_, type, lists, message) => {
    expect(() => vectorsOf(vectorFromArray(lists as never, listOf(type)), 'v', null)).toThrow(message);
  });
});

describe('text', () => {
  const y = ['p', 'q'];
  const bytesOf = (note: Vector) => tableToIPC(new Table({ note, y: vectorFromArray(y, new Utf8()) }), 'stream');
  const job = jobOf({ columns: { note: { kind: 'category' } } });

  test('keeps a byte order mark', async () => {
    for (const type of [new Utf8(), new Dictionary(new Utf8(), new Int8())])
      expect(await outcome(job, bytesOf(vectorFromArray(['\ufeffa', 'b'], type)))).toContain('"\ufeffa"');
  });

  test('that is not UTF-8 is refused with its row', async () => {
    const data = { type: new Utf8(), length: 2, valueOffsets: Int32Array.of(0, 1, 2), data: Uint8Array.of(97, 0xc3) };
    expect(await outcome(job, bytesOf(new Vector([makeData(data)])))).toBe(
      'refused: shard 0, row 2, column "note": expected UTF-8 text; got other bytes',
    );
  });
});

test('parts of a slice of pyarrow are longer than their values, and are read', async () => {
  // x: int8 = [4, 5, 6], y = [q, p, q]: rows 3 to 5 of 8, as pyarrow 26 writes them.
  const slice =
    '/////6gAAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAMAAAACAAIAAAABAAIAAAABAAAAAIAAABAAAAABAAAANj///8AAAEFEAAAABgAAAAEAAAA' +
    'AAAAAAEAAAB5AAAABAAEAAQAAAAQABQACAAGAAcADAAAABAAEAAAAAAAAQIQAAAAHAAAAAQAAAAAAAAAAQAAAHgAAAAIAAwACAAHAAgAAAAAAAAB' +
    'CAAAAAAAAAD/////yAAAABQAAAAAAAAADAAWAAYABQAIAAwADAAAAAADBAAYAAAAIAAAAAAAAAAAAAoAGAAMAAQACAAKAAAAbAAAABAAAAADAAAA' +
    'AAAAAAAAAAAFAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABQAAAAAAAAAIAAAAAAAAAAAAAAAAAAAACAAAAAAAAAAQAAAAAAAAABgAAAAAAAAA' +
    'BQAAAAAAAAAAAAAAAgAAAAMAAAAAAAAAAAAAAAAAAAADAAAAAAAAAAAAAAAAAAAABAUGAAgAAAAAAAAAAQAAAAIAAAADAAAAcXBxcHEAAAD/////' +
    'AAAAAA==';
  const table = new Table({
    x: vectorFromArray([4, 5, 6], new Int8()),
    y: vectorFromArray(['q', 'p', 'q'], new Utf8()),
  });
  const job = jobOf({ columns: { x: { kind: 'number' } } });
  expect(await outcome(job, Buffer.from(slice, 'base64'))).toBe(await outcome(job, tableToIPC(table, 'stream')));
});

test('a dictionary of numbers has numbers', async () => {
  const table = (type: DataType) =>
    new Table({ x: vectorFromArray([1, 2.5, 1], type), y: vectorFromArray([1, 0, 1], new Float64()) });
  const job = jobOf({ columns: { x: { kind: 'number' } } });
  const found = (type: DataType) => outcome(job, tableToIPC(table(type), 'stream'));
  expect(await found(new Dictionary(new Float64(), new Int8()))).toBe(await found(new Float64()));
});
