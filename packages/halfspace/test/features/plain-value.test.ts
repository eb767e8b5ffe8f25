import { describe, expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { HalfspaceError } from '../../src/errors.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { encodeModel } from '../../src/model/encode.ts';
import { Predictor } from '../../src/model/predictor.ts';
import { OnlineClassifier } from '../../src/online/classifier.ts';
import { rows } from '../../src/table/rows.ts';
import { modelOf } from '../sources/runs.ts';
import { openedRows } from '../support/tables.ts';

/** As decimal.js and Prisma.Decimal: digits in a structure, said by `toJSON`. */
class Decimal {
  readonly d: readonly string[];
  constructor(text: string) {
    this.d = [...text];
  }
  toJSON() {
    return this.d.join('');
  }
}
/** As the Decimal128 of MongoDB: `toJSON` gives a structure, `toString` the digits. */
class Decimal128 extends Decimal {
  override toJSON() {
    return { $numberDecimal: super.toJSON() } as never;
  }
  override toString() {
    return this.d.join('');
  }
}
/** As the long whole numbers of protobuf: digits by `toString` alone. */
class Long {
  readonly low: number;
  constructor(low: number) {
    this.low = low;
  }
  toString() {
    return String(this.low);
  }
}
/** As the times of the Temporal API, which refuse `valueOf`. */
class Instant {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toJSON() {
    return this.#text;
  }
  valueOf(): never {
    throw new TypeError('no order');
  }
}
/** As moment and Luxon: `valueOf` gives milliseconds, `toJSON` the time. */
class Moment extends Instant {
  override valueOf(): never {
    return 1e12 as never;
  }
}

const day = '2024-02-29T12:30:00.250Z';
const forms: Readonly<Record<string, readonly [plain: (x: number) => unknown, object: (x: number) => unknown]>> = {
  'decimals by toJSON': [(x) => x / 4, (x) => new Decimal(String(x / 4))],
  'decimals by toString': [(x) => x / 4, (x) => new Decimal128(String(x / 4))],
  'whole numbers by toString': [(x) => x, (x) => new Long(x)],
  bigints: [(x) => x, (x) => BigInt(x)],
  'boxed numbers': [(x) => x, (x) => Object(x)],
  'boxed texts': [(x) => `level ${x % 3}`, (x) => Object(`level ${x % 3}`)],
  'numbers by valueOf': [(x) => x / 8, (x) => ({ valueOf: () => x / 8 })],
  times: [(x) => day.replace('29', String(10 + x)), (x) => new Instant(day.replace('29', String(10 + x)))],
  moments: [(x) => day.replace('29', String(10 + x)), (x) => new Moment(day.replace('29', String(10 + x)))],
  dates: [(x) => day.replace('29', String(10 + x)), (x) => new Date(day.replace('29', String(10 + x)))],
  truths: [(x) => x % 2 === 0, (x) => Object(x % 2 === 0)],
  'missing values': [(x) => (x % 4 === 0 ? null : x), (x) => (x % 4 === 0 ? new Decimal('') : new Long(x))],
};
const list = Array.from({ length: 24 }, (_, i) => (i * 7) % 18);
const table = (value: (x: number) => unknown) =>
  list.map((x, i) => ({ x: value(x), other: i % 5, y: x > 8 ? 'high' : 'low' }));

describe.each(Object.entries(forms))('fields of %s', (_, [plain, object]) => {
  test('are read as their plain values, by rows and by a predictor', async () => {
    const model = await modelOf(rows(table(plain), { label: 'y' }));
    expect(encodeModel(await modelOf(rows(table(object), { label: 'y' })))).toBe(encodeModel(model));
    const predictor = new Predictor(model);
    for (const x of list) expect(predictor.scores({ x: object(x) })).toEqual(predictor.scores({ x: plain(x) }));
  });

  test('are read so online, and as labels', async () => {
    const [one, other] = [new OnlineClassifier({ label: 'y' }), new OnlineClassifier({ label: 'y' })];
    table(plain).forEach((row, i) => {
      one.learn(row, row.y);
      other.learn(table(object)[i]!, row.y);
    });
    expect(encodeModel(other.model())).toBe(encodeModel(one.model()));
    const labelled = (value: (x: number) => unknown) => list.map((x, i) => ({ n: i % 7, y: value(1 + (x % 2)) }));
    const read = async (value: (x: number) => unknown) => (await openedRows(labelled(value), { label: 'y' })).classes;
    expect(await read(object)).toEqual(
      await read((x) => (object(x) instanceof Date ? new Date(String(plain(x))).toISOString() : plain(x))),
    );
  });
});

test('lists and bytes are no values', async () => {
  const nested = [[1], new Uint8Array(2), Buffer.from('a'), new Map(), /a/, () => 1];
  for (const value of nested) {
    const source = await openedRows(
      list.map((x, i) => ({ x, odd: i === 5 ? value : 1, y: x > 8 })),
      { label: 'y' },
    );
    expect(source.encoding().leftOut).toEqual([{ name: 'odd', reason: 'nested' }]);
  }
});

test('a whole number that no double holds is noted, and kept in full by a category', async () => {
  const wide = (i: number) => 2n ** 63n + BigInt(i % 2);
  const objects = list.map((x, i) => ({ x, wide: wide(i), y: x > 8 }));
  const source = await openedRows(objects, { label: 'y', features: { columns: { wide: { kind: 'category' } } } });
  expect(source.encoding().columns[1]).toMatchObject({ levels: ['9223372036854775808', '9223372036854775809'] });
  expect(source.notes).toContain(
    'column wide has whole numbers such as 9223372036854775809 that are rounded when they are read as numbers (--column wide=category keeps their digits)',
  );
});

const odd = fc.oneof(
  fc.double(),
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.bigInt(),
  fc.boolean(),
  fc.date({ noInvalidDate: false }),
  fc.constantFrom(null, undefined, -0, [1], { a: 1 }),
);

test('rows that come once have the cells of the same rows in a list', async () => {
  const row = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'), odd, { noNullPrototype: true });
  await forAllAsync(fc.array(row, { minLength: 1, maxLength: 30 }), async (objects) => {
    const labelled = objects.map((each, i) => ({ ...each, n: i, y: i % 2 }));
    const cells = async (given: Iterable<object>) => {
      try {
        const source = await rows(given, { label: ({ y }: { y?: unknown }) => y as number }).open({
          kernels: createKernels(),
        });
        const batches = [];
        for await (const { labels, values, rows } of source.batches())
          batches.push([...values], [...labels.subarray(0, rows)]);
        return { encoding: source.encoding(), notes: source.notes, batches };
      } catch (error) {
        if (error instanceof HalfspaceError) return error.message;
        throw error;
      }
    };
    expect(await cells(labelled.values())).toEqual(await cells(labelled));
  });
});
