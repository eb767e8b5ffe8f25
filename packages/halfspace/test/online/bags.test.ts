import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { isDeep } from '../../../../test/support/quick.ts';
import { Predictor } from '../../src/model/predictor.ts';
import type { RawRow } from '../../src/model/raw-features.ts';
import { bareCopy, OnlineClassifier, sizeOf } from '../../src/online/classifier.ts';
import type { OnlineOptions } from '../../src/online/options.ts';
import type { OnlineSize } from '../../src/online/size.ts';
import { train } from '../../src/select/train.ts';
import { bags } from '../../src/table/rows.ts';

const names = Array.from({ length: 30 }, (_, j) => `w${j}`);
const value = fc.oneof(fc.integer({ min: -3, max: 9 }), fc.constantFrom(true, false, null, 'red', '2.5', 4n));
const bag = fc.dictionary(fc.constantFrom(...names, 'label'), value, { maxKeys: 8, noNullPrototype: true });
const stream = fc.array(fc.tuple(bag, fc.constantFrom('a', 'b', 'c')), { minLength: 1, maxLength: 25 });

describe('bags of features one at a time', () => {
  test('are answered like by a model of the rows so far, to the bit, also from a saved state', () => {
    forAll(stream, fc.constantFrom('averaged', 'arow', 'sgd'), (all, rule) => {
      let classifier = new OnlineClassifier({ rule, columns: 'bag' });
      const kept = new OnlineClassifier({ rule, columns: 'bag' });
      for (const [row, label] of all) {
        if (classifier.classes.length > 1) {
          const model = classifier.model();
          const predictor = new Predictor(model);
          for (const [other] of all) {
            const expected = outcome(() => [...predictor.scores(other)]);
            expect(outcome(() => [...classifier.scores(other)])).toEqual(expected);
          }
        }
        expect(classifier.learn(row, label)).toEqual(kept.learn(row, label));
        classifier = OnlineClassifier.load(classifier.save());
      }
      expect(classifier.save()).toBe(kept.save());
    });
  });

  test('give the model of one pass over the same bags, whose features join as they come', async () => {
    const list = Array.from({ length: 60 }, (_, i) => ({
      [`w${(i * 7) % 23}`]: 1 + (i % 3),
      [`v${i % 5}`]: 1,
      label: i % 2,
    }));
    const classifier = new OnlineClassifier({ rule: 'perceptron', columns: 'bag' });
    for (const row of list) classifier.learn(row, row.label);
    const { model } = await train(bags(list), { rule: 'perceptron', passes: 1, order: 'cyclic' });
    expect(classifier.model()).toMatchObject({
      features: model.features,
      weights: (model as { weights?: unknown }).weights,
    });
  });

  test('keep at most maxFeatures of them', () => {
    const classifier = new OnlineClassifier({ columns: 'bag', maxFeatures: 3 });
    classifier.learn({ a: 1, b: 1 }, 'x');
    classifier.learn({ c: 1, d: 1, e: 1 }, 'y');
    expect(classifier.model().features).toEqual({ kind: 'named', names: ['a', 'b', 'c'] });
  });
});

function outcome<T>(run: () => T): T | string {
  try {
    return run();
  } catch (error) {
    return (error as Error).message;
  }
}

test('rows with few of many fields have a note that they may be bags, others have none', () => {
  const notesOf = (fieldsOf: (row: number) => number[], options?: OnlineOptions) => {
    const classifier = new OnlineClassifier(options);
    for (let i = 0; i < 60; i++) classifier.learn(Object.fromEntries(fieldsOf(i).map((j) => [`w${j}`, 1])), i % 2);
    return OnlineClassifier.load(classifier.save()).notes.filter((note) => note.includes('columns: "bag"')).length;
  };
  const few = (i: number) => [0, 1, 2].map((k) => 3 * i + k);
  expect(notesOf(few)).toBe(1);
  expect(notesOf(few, { columns: 'bag' })).toBe(0);
  expect(notesOf(() => Array.from({ length: 120 }, (_, j) => j))).toBe(0);
});

describe('size', () => {
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
    forAll(
      isDeep ? 100 : 2,
      fc.constantFrom(...options),
      rows,
      fc.array(fc.boolean(), { minLength: 90 }),
      (given, rows, wanted) => {
        let [then, isWanted]: [OnlineSize | null, boolean] = [null, true];
        const classifier = bareCopy(new OnlineClassifier(given), (size) => {
          then = size;
          if (!isWanted) throw new RangeError('too much');
        });
        for (const [k, row] of rows.entries()) {
          isWanted = wanted[k % wanted.length]! || k < 3;
          // Files take longest, so not every row has one.
          const isLooked = isDeep ? !isWanted || k % 8 === 0 : k % 16 === 3 || (!isWanted && k % 4 === 0);
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
      },
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
});
