import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { OnlineClassifier } from 'halfspace';
import { expect, test } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { crc32c } from '../../src/journal/crc32c.ts';
import { encodeGroup } from '../../src/journal/frame.ts';
import {
  exampleDraft,
  exampleKind,
  lessonJson,
  readNamedExample,
  recordOf,
  rowJson,
} from '../../src/state/example-record.ts';
import { ModelState } from '../../src/state/model-state.ts';
import { contentOf, RecentIds, recordedId } from '../../src/state/recent-ids.ts';
import { RowNames } from '../../src/state/row-names.ts';
import { scanValues } from '../../src/state/scan-values.ts';
import { decodeSnapshot } from '../../src/state/snapshot-file.ts';
import { givenId } from '../support/drafts.ts';
import { exampleOf, uninterrupted } from '../support/examples.ts';

const value = fc.oneof(
  fc.constantFrom(true, false, null, 'red', 'grün', '', '[1,2]', '"', '\\', -0, 1e21, 1e-7, 999999999999999),
  fc.tuple(fc.integer(), fc.nat(9)).map(([whole, places]) => Number(`${whole}e-${places}`)),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

test('values are read as JSON.parse reads them', () => {
  forAll(1000, fc.array(value, { maxLength: 12 }), fc.nat(9), (list, offset) => {
    const json = JSON.stringify(list);
    const bytes = Buffer.from(`${'x'.repeat(offset)}${json}1,2]`);
    const values: unknown[] = [];
    const count = scanValues(bytes, offset, bytes.length - 4, values);
    // Only signs that JSON escapes are left to it.
    if (count < 0) expect(json).toContain('\\');
    else expect(values.slice(0, count)).toEqual(JSON.parse(json));
  });
});

test('numbers of any digits are read as the nearest double, also between two of them', () => {
  const digits = (most: number) =>
    fc.array(fc.nat(9), { minLength: 1, maxLength: most }).map((some) => some.join('').replace(/^0+(?=.)/, ''));
  const fraction = fc.array(fc.nat(9), { minLength: 1, maxLength: 24 }).map((some) => `.${some.join('')}`);
  // Halves between whole numbers from 2⁵³ on, and a little beside them in decimals.
  const between = fc.tuple(fc.nat(10 ** 6), fc.integer({ min: 0, max: 8 })).map(([k, places]) => {
    const text = String(2n ** 53n + 2n * BigInt(k) + 1n);
    return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
  });
  const number = fc.oneof(
    fc.tuple(digits(20), fc.oneof(fraction, fc.constant(''))).map((two) => two.join('')),
    between,
  );
  forAll(300, fc.array(number, { minLength: 20, maxLength: 40 }), (texts) => {
    const bytes = Buffer.from(`[${texts},-${texts}]`);
    const values: unknown[] = [];
    expect(scanValues(bytes, 0, bytes.length, values)).toBe(2 * texts.length);
    expect(values).toEqual(JSON.parse(bytes.toString()));
  });
});

test('rows come back with their fields in order, whatever lists of names came before', () => {
  const name = fc.oneof(fc.constantFrom('a', 'b', 'c', '7', '__proto__', 'constructor', 'é"'), fc.string());
  const field = fc.tuple(name, fc.oneof(value, fc.array(value, { maxLength: 3 }), fc.constant(undefined)));
  const row = fc.array(field, { maxLength: 5 }).map((fields) => Object.fromEntries(fields));
  const rows = fc.array(row, { minLength: 1, maxLength: 60 });
  forAll(
    // Rows that come again, mostly: their names are known, or were forgotten for those of others.
    rows,
    fc.array(fc.nat(59), { maxLength: 200 }),
    (some, order) => {
      const [written, read] = [new RowNames(), new RowNames()];
      for (const k of order) {
        const given = some[k % some.length]!;
        const { kind, body } = recordOf(exampleDraft(`${k}`, lessonJson('yes', k), rowJson(given)), written);
        const expected = JSON.stringify(given);
        if (kind === exampleKind) expect(body).toBe(`["${k}","yes",${k},${expected}]`);
        else {
          const bytes = Buffer.from(body);
          const { id, label, importance, row } = readNamedExample(bytes, 0, bytes.length, read);
          expect([id, label, importance, JSON.stringify(row)]).toEqual([`${k}`, 'yes', k, expected]);
        }
        expect(read.state()).toEqual(written.state());
      }
      expect(RowNames.from(read.state()).state()).toEqual(read.state());
      expect(read.state().lists.length).toBeLessThanOrEqual(32);
    },
  );
});

test('an example is recorded with names once, and records of whole rows teach the same', () => {
  const begin = () => ModelState.begin('m', new OnlineClassifier(), 100);
  const [whole, named] = [begin(), begin()];
  const known = new RowNames();
  for (let k = 0; k < 50; k++) {
    const { id, row, label, importance } = exampleOf(String(k));
    const body = JSON.stringify([id, label, importance, row]);
    whole.apply(encodeGroup([{ kind: exampleKind, body }], k + 1, 0, 0).payloads[0]!);
    const record = recordOf(exampleDraft(id!, lessonJson(label, importance), rowJson(row)), known);
    named.apply(encodeGroup([record], k + 1, 0, 0).payloads[0]!);
    expect(record.body.includes('colour')).toBe(k < 2);
  }
  expect(named.classifier.save()).toBe(whole.classifier.save());
  expect(named.watcher.state()).toEqual(whole.watcher.state());
  expect(named.ids.list()).toEqual(whole.ids.list());
});

test('a row with names that no record before had is refused', () => {
  const body = Buffer.from('["1","yes",1,3,0.5]');
  expect(() => readNamedExample(body, 0, body.length, new RowNames())).toThrow(/names of an earlier one; got list 3/);
});

/** Collects garbage, and returns the bytes of the heap. */
function heap(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

test('the text of a row has the memory of its characters', () => {
  const row = Object.fromEntries(Array.from({ length: 1000 }, (_, k) => [`f${k}`, k % 10]));
  const before = heap();
  const texts = Array.from({ length: 1000 }, () => rowJson(row));
  const characters = texts.reduce((sum, { json }) => sum + json.length, 0);
  expect(heap() - before).toBeLessThan(4 * characters);
});

test('the lists of names keep no values of long rows', () => {
  const names = new RowNames();
  const before = heap();
  for (let k = 0; k < 32; k++) {
    const { body } = recordOf(
      exampleDraft(null, lessonJson('a', 1), rowJson({ [`t${k}`]: 'a'.repeat(2 ** 20) })),
      new RowNames(),
    );
    const bytes = Buffer.from(body);
    readNamedExample(bytes, 0, bytes.length, names);
  }
  expect(heap() - before).toBeLessThan(2 ** 22);
});

test('the latest ids are those of a list that is cut at its begin, whenever one asks', () => {
  forAll(fc.nat(5), fc.array(fc.record({ id: fc.nat(12), asks: fc.boolean() })), (limit, steps) => {
    const recent = new RecentIds(limit);
    let list: [string, number][] = [];
    const recorded = (name: string) => recordedId(name, contentOf(name));
    const used = (name: string) => {
      const sequence = new Map(list).get(recorded(name));
      return sequence === undefined ? undefined : { sequence, content: contentOf(name) };
    };
    for (const [k, { id, asks }] of steps.entries()) {
      const name = String(id);
      // An id that is known is not added, because its example is not learned again.
      if (list.every(([each]) => each !== recorded(name))) {
        recent.add(recorded(name), k);
        list = limit === 0 ? [] : [...list, [recorded(name), k] as [string, number]].slice(-limit);
      }
      if (asks) expect(recent.get(name)).toEqual(used(name));
    }
    expect(recent.list()).toEqual(list);
    for (let id = 0; id <= 12; id++) expect(recent.get(String(id))).toEqual(used(String(id)));
  });
});

const state = uninterrupted(
  ModelState.begin('m', new OnlineClassifier({ columns: { x: 'number' } }), 3),
  Array.from({ length: 40 }, (_, k): [string, number] => [String(k), k + 1]),
  40,
);
const bytes = state.snapshot();

test('a state that was read back has the same bytes, and goes on with the same bytes', () => {
  const again = ModelState.load(bytes, 'm');
  expect(Buffer.compare(again.snapshot(), bytes)).toBe(0);
  expect(again.ids.list().map(([id, at]) => [givenId(id), at])).toEqual([
    ['37', 38],
    ['38', 39],
    ['39', 40],
  ]);
});

test('a snapshot that was cut or changed is refused', () => {
  // One error is found anywhere; a step that is prime to 8 reaches every bit of a byte.
  for (let bit = 0; bit < 8 * bytes.length; bit += 37) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    expect(() => decodeSnapshot(changed)).toThrow(/another CRC/);
    expect(() => decodeSnapshot(bytes.subarray(0, bit >> 3))).toThrow(/another CRC/);
  }
});

/** Divides bit by bit. */
function bitwise(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes)
    for (let bit = 0; bit < 8; bit++) {
      const isOdd = ((crc ^ (byte >>> bit)) & 1) === 1;
      crc = (crc >>> 1) ^ (isOdd ? 0x82f6_3b78 : 0);
    }
  return ~crc >>> 0;
}

test.each([
  ['32 zeros', new Uint8Array(32), 0x8a91_36aa],
  ['32 ones', new Uint8Array(32).fill(255), 0x62a8_ab43],
  ['rising', Uint8Array.from({ length: 32 }, (_, k) => k), 0x46dd_794e],
  ['falling', Uint8Array.from({ length: 32 }, (_, k) => 31 - k), 0x113f_db5c],
  ['digits', Buffer.from('123456789'), 0xe306_9283],
])('has the values of RFC 3720: %s', (_, bytes, crc) => {
  expect(crc32c(bytes)).toBe(crc);
});

test('equals division bit by bit, from any offset to any end, in one piece or two', () => {
  forAll(fc.uint8Array({ maxLength: 67 }), fc.nat(67), fc.nat(67), fc.nat(67), (bytes, a, b, c) => {
    const [from, cut, to] = [a, b, c].map((each) => Math.min(each, bytes.length)).sort((x, y) => x - y) as [
      number,
      number,
      number,
    ];
    const crc = bitwise(bytes.subarray(from, to));
    expect(crc32c(bytes, from, to)).toBe(crc);
    expect(crc32c(bytes, cut, to, crc32c(bytes, from, cut))).toBe(crc);
  });
});
