import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Predictor } from '../../src/model/predictor.ts';
import { OnlineClassifier } from '../../src/online/classifier.ts';
import { train } from '../../src/select/train.ts';
import { bags } from '../../src/table/rows.ts';

const names = Array.from({ length: 30 }, (_, j) => `w${j}`);
const value = fc.oneof(fc.integer({ min: -3, max: 9 }), fc.constantFrom(true, false, null, 'red', '2.5', 4n));
const bag = fc.dictionary(fc.constantFrom(...names, 'label'), value, { maxKeys: 8, noNullPrototype: true });
const stream = fc.array(fc.tuple(bag, fc.constantFrom('a', 'b', 'c')), { minLength: 1, maxLength: 25 });

describe('bags of features one at a time', () => {
  test('are answered like by a model of the rows so far, to the bit, also from a saved state', () => {
    fc.assert(
      fc.property(stream, fc.constantFrom('averaged', 'arow', 'sgd'), (all, rule) => {
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
      }),
    );
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
