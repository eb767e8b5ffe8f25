import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDeep } from '../../../../test/support/quick.ts';
import type { RawRow } from '../../src/model/raw-features.ts';
import { bareCopy, OnlineClassifier, sizeOf } from '../../src/online/classifier.ts';
import type { OnlineOptions } from '../../src/online/options.ts';
import type { OnlineSize } from '../../src/online/size.ts';

const options: OnlineOptions[] = [
  {},
  { columns: { a: 'category', b: 'text' }, maxFeatures: 3 },
  { columns: 'bag', maxFeatures: 6 },
  { positive: 'x', rule: 'arow' },
  { classes: ['x', 'y', 'z'], rule: 'sgd', maxFields: 3 },
];
const value = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, true, 1, 2.5, '7', '2024-05-06', ' padded level ', 'one two three', ''),
  fc.nat(40).map((k) => `level ${k}`),
  fc.nat(9),
);
const record = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), value);
const numbers = fc.oneof(
  fc.array(fc.nat(9), { maxLength: 5 }),
  fc.nat(30).map((index) => ({ indices: [index], values: [1] })),
);
/** Rows of one form; more than decide the kinds of fields. */
const rows = fc.oneof(
  { weight: 4, arbitrary: fc.array(record, { minLength: 40, maxLength: 90 }) },
  fc.array(numbers, { maxLength: 30 }),
) as fc.Arbitrary<RawRow[]>;

test('a row is announced with the size that the classifier then has; if that is refused, nothing changes', () => {
  fc.assert(
    fc.property(fc.constantFrom(...options), rows, fc.array(fc.boolean(), { minLength: 90 }), (given, rows, wanted) => {
      let [then, isWanted]: [OnlineSize | null, boolean] = [null, true];
      const classifier = bareCopy(new OnlineClassifier(given), (size) => {
        then = size;
        if (!isWanted) throw new RangeError('too much');
      });
      for (const [k, row] of rows.entries()) {
        isWanted = wanted[k % wanted.length]! || k < 3;
        // Files take longest, so not every row has one.
        const isLooked = !isWanted || k % 8 === 0;
        const [before, size] = [isLooked ? classifier.save() : null, sizeOf(classifier)];
        then = null;
        try {
          classifier.learn(row, ['x', 'y', 'z'][(k * k) % 3]!);
        } catch {
          if (isLooked) expect(classifier.save()).toBe(before);
          expect(sizeOf(classifier)).toEqual(size);
          continue;
        }
        const now = sizeOf(classifier);
        expect(then).toMatchObject({ classes: now.classes });
        // It is exact, but for rows that may be learned again, and the features of a field that changes its kind.
        expect(then!.bytes).toBeGreaterThanOrEqual(now.bytes);
        expect(then!.features).toBeGreaterThanOrEqual(now.features);
        if (k >= 50 && classifier.columns.every(({ decided }) => decided)) expect(then).toEqual(now);
        if (isLooked) expect(sizeOf(OnlineClassifier.load(classifier.save()))).toEqual(now);
      }
    }),
    { numRuns: isDeep ? 100 : 2 },
  );
});

test.each(['category', 'text'] as const)(
  'a level or word of kind %s does not keep the text that it came in',
  (kind) => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heap = () => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const classifier = new OnlineClassifier({ columns: { t: kind } });
    const text = (k: number) =>
      `${' '.repeat(2 ** 20)}a long word ${k}`.replaceAll('g w', kind === 'text' ? 'gw' : 'g w');
    // The first rows are kept as a whole, so that they may be learned again.
    for (let k = 0; k < 60; k++) classifier.learn({ t: `word ${k}` }, k % 2);
    const before = heap();
    for (let k = 0; k < 40; k++) classifier.learn(JSON.parse(JSON.stringify({ t: text(k) })), k % 2);
    expect(heap() - before).toBeLessThan(2 ** 23);
  },
);
