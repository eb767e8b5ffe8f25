import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { OnlineClassifier } from 'halfspace';
import { expect, test } from 'vitest';
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
import { RowNames } from '../../src/state/row-names.ts';
import { scanValues } from '../../src/state/scan-values.ts';
import { exampleOf } from '../support/examples.ts';

const value = fc.oneof(
  fc.constantFrom(true, false, null, 'red', 'grün', '', '[1,2]', '"', '\\', -0, 1e21, 1e-7, 999999999999999),
  fc.tuple(fc.integer(), fc.nat(9)).map(([whole, places]) => Number(`${whole}e-${places}`)),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

test('values are read as JSON.parse reads them', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 12 }), fc.nat(9), (list, offset) => {
      const json = JSON.stringify(list);
      const bytes = Buffer.from(`${'x'.repeat(offset)}${json}1,2]`);
      const values: unknown[] = [];
      const count = scanValues(bytes, offset, bytes.length - 4, values);
      // Only signs that JSON escapes are left to it.
      if (count < 0) expect(json).toContain('\\');
      else expect(values.slice(0, count)).toEqual(JSON.parse(json));
    }),
    { numRuns: 1000 },
  );
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
  fc.assert(
    fc.property(fc.array(number, { minLength: 20, maxLength: 40 }), (texts) => {
      const bytes = Buffer.from(`[${texts},-${texts}]`);
      const values: unknown[] = [];
      expect(scanValues(bytes, 0, bytes.length, values)).toBe(2 * texts.length);
      expect(values).toEqual(JSON.parse(bytes.toString()));
    }),
    { numRuns: 300 },
  );
});

test('rows come back with their fields in order, whatever lists of names came before', () => {
  const name = fc.oneof(fc.constantFrom('a', 'b', 'c', '7', '__proto__', 'constructor', 'é"'), fc.string());
  const field = fc.tuple(name, fc.oneof(value, fc.array(value, { maxLength: 3 }), fc.constant(undefined)));
  const row = fc.array(field, { maxLength: 5 }).map((fields) => Object.fromEntries(fields));
  const rows = fc.array(row, { minLength: 1, maxLength: 60 });
  fc.assert(
    // Rows that come again, mostly: their names are known, or were forgotten for those of others.
    fc.property(rows, fc.array(fc.nat(59), { maxLength: 200 }), (some, order) => {
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
    }),
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
