import {
  arrays,
  bags,
  csv,
  decodeModel,
  decodeTrainState,
  encodeModel,
  encodeTrainState,
  evaluate,
  type Label,
  libsvm,
  ndjson,
  OnlineClassifier,
  Predictor,
  rows,
  type Source,
  train,
} from 'halfspace';
import { decodeModel as decodeSmall, Predictor as SmallPredictor } from 'halfspace/predict';
import { describe, expect, expectTypeOf, it } from 'vitest';

/*
 * Labels come back as they were given, and the compiler knows their type. `npm run types` checks the lines under
 * @ts-expect-error.
 */

interface Mail {
  readonly links: number;
  readonly words: number;
}
const mails: readonly (Mail & { readonly spam: boolean; readonly level: 0 | 1 | 2; readonly kind: 'ham' | 'spam' })[] =
  Array.from({ length: 24 }, (_, i) => {
    const level = (i % 3) as 0 | 1 | 2;
    return { links: level * 4 + (i % 2), words: 100 + i, spam: level > 1, level, kind: level > 1 ? 'spam' : 'ham' };
  });
const [first] = mails;

/** Returns a predictor of a model that was written and read again. */
async function predictorOf<L extends Label>(source: Source<L>): Promise<Predictor<L>> {
  const { model } = await train(source, { rule: 'averaged', passes: 20 });
  const predictor = new Predictor<L>(decodeModel(encodeModel(model)));
  if (model.features.kind !== 'named')
    expect(new SmallPredictor<L>(decodeSmall(encodeModel(model))).predict(rowFor(predictor))).toBe(
      predictor.predict(rowFor(predictor)),
    );
  return predictor;
}

const rowFor = ({ model }: Predictor) => (model.features.kind === 'indexed' ? [1, 1] : { x: 1, ...first });

describe('predictions have the type of the labels', () => {
  it('of a field of objects', async () => {
    const booleans = await predictorOf(rows(mails, { label: 'spam' }));
    expectTypeOf(booleans).toEqualTypeOf<Predictor<boolean>>();
    expect(mails.map((mail) => booleans.predict({ ...mail }))).toEqual(mails.map(({ spam }) => spam));
    if (booleans.predict({ ...first })) expect.fail('false is no truthy text');
    const numbers = await predictorOf(rows(mails, { label: 'level' }));
    expectTypeOf(numbers.predict({ ...first })).toEqualTypeOf<0 | 1 | 2>();
    expect(numbers.predict({ ...mails[2] })).toBe(2);
    expect(numbers.labels).toEqual([0, 1, 2]);
    const texts = await predictorOf(rows(mails, { label: 'kind' }));
    expectTypeOf(texts.predict({ ...first })).toEqualTypeOf<'ham' | 'spam'>();
    const big = await predictorOf(rows(mails, { label: ({ level }) => 2n ** 60n + BigInt(level) }));
    expectTypeOf(big.predict({ ...first })).toEqualTypeOf<bigint>();
    expect(big.predict({ ...first })).toBe(2n ** 60n);
    const bagged = await predictorOf(
      bags(
        [
          { w1: 1, y: true },
          { w2: 1, y: false },
        ],
        { label: 'y' },
      ),
    ); // prettier-ignore
    expect(bagged.predict({ w1: 1 })).toBe(true);
  });

  it('of arrays, JSON and text', async () => {
    const y = Float64Array.of(0, 1, 0, 1);
    const x = [
      [0, 0],
      [1, 5],
      [0, 1],
      [1, 4],
    ]; // prettier-ignore
    const numbers = await predictorOf(arrays(x, y));
    expectTypeOf(numbers.predict([1, 1])).toEqualTypeOf<number>();
    expect(numbers.predict([1, 5])).toBe(1);
    expect((await predictorOf(arrays(x, [false, true, false, true]))).predict([1, 5])).toBe(true);
    const json = mails.map((mail) => `${JSON.stringify(mail)}\n`).join('');
    expect((await predictorOf(ndjson<boolean>(json, { label: 'spam' }))).predict({ ...first })).toBe(false);
    expect((await predictorOf(ndjson<number>(json, { label: 'level' }))).predict({ ...first })).toBe(0);
    const table = `x,y\n${[1, 2, 9, 10].map((i) => `${i},${i > 5 ? 1 : 0}\n`).join('')}`;
    const text = await predictorOf(csv(table));
    expectTypeOf(text).toEqualTypeOf<Predictor<string>>();
    expect(text.predict({ x: 10 })).toBe('1');
    const derived = await predictorOf(csv(table, { label: ({ x: value }) => Number(value) > 5 }));
    expectTypeOf(derived).toEqualTypeOf<Predictor<boolean>>();
    expect((await predictorOf(libsvm('1 0:1 1:5\n-1 0:1 1:1\n'))).predict([1, 5])).toBe('1');
  });

  it('also where classes look like one another, or a positive one stands against others', async () => {
    const mixed = [
      { x: 1, y: 1 },
      { x: 9, y: 'one' },
    ] as { x: number; y: number | string }[]; // prettier-ignore
    expect((await predictorOf(rows(mixed, { label: 'y' }))).predict({ x: 1 })).toBe('1');
    const against = await predictorOf(rows(mails, { label: 'level', positive: 2 }) as Source<number>);
    expect([against.predict({ ...first }), against.predict({ ...mails[2] })]).toEqual(['not 2', 2]);
  });

  it('also in an evaluation, in the order of its confusion matrix', async () => {
    const source = rows(mails, { label: 'spam' });
    const { model } = await train(source, { rule: 'averaged', passes: 20 });
    const { labels, confusion } = await evaluate(decodeModel<boolean>(encodeModel(model)), source);
    expectTypeOf(labels).toEqualTypeOf<readonly boolean[]>();
    expect([labels, confusion]).toEqual([
      [false, true],
      [
        [16, 0],
        [0, 8],
      ],
    ]); // prettier-ignore
  });

  it('in a run that goes on from a state', async () => {
    const source = rows(mails, { label: 'spam' });
    const { state } = await train(source, { rule: 'perceptron', passes: 1, keepState: true });
    const from = decodeTrainState(encodeTrainState(state));
    const { model } = await train(source, { rule: 'perceptron', passes: 1, from });
    expect(new Predictor(model).predict({ ...first })).toBe(false);
  });

  it('and scores and probabilities have the names of classes', async () => {
    const { model } = await train(rows(mails, { label: 'level' }), { rule: 'sgd', calibrate: 'platt', passes: 5 });
    const predictor = new Predictor(model);
    const [p0, p1, p2] = predictor.probabilities({ ...first });
    expect(predictor.probabilitiesByClass({ ...first })).toEqual({ 0: p0, 1: p1, 2: p2 });
    const two = await predictorOf(rows(mails, { label: 'kind' }));
    const score = two.score({ ...first });
    expect(two.scoresByClass({ ...first })).toEqual({ ham: -score, spam: score });
  });
});

describe('an online classifier', () => {
  it('answers labels of the type that it learned, also after it was loaded', () => {
    const online = new OnlineClassifier<boolean>();
    for (const { spam, links, words } of mails) online.learn({ links, words }, spam);
    expectTypeOf(online.predict({ links: 1 })).toEqualTypeOf<boolean | null>();
    const loaded = OnlineClassifier.load<boolean>(online.save());
    expect(loaded.predict({ links: 0, words: 100 })).toBe(false);
    expect(loaded.labels).toEqual([false, true]);
    expectTypeOf(new Predictor(loaded.model())).toEqualTypeOf<Predictor<boolean>>();
    expect(new Predictor(loaded.model()).predict({ links: 0, words: 100 })).toBe(false);
    expect(loaded.learn({ links: 9, words: 100 }, true).class).toBe(true);
    // @ts-expect-error the labels are booleans
    expect(loaded.learn({ links: 9, words: 100 }, 'spam').class).toBe(true);
    expect(loaded.predict({ links: 9, words: 100 })).toEqual(expect.any(String));
  });

  it('keeps the order of given classes, so that the last of two is positive', () => {
    const online = new OnlineClassifier({ classes: ['ok', 'fraud'] });
    expectTypeOf(online.predict({ x: 1 })).toEqualTypeOf<'ok' | 'fraud' | null>();
    for (let i = 0; i < 8; i++) online.learn({ x: i % 2 }, i % 2 === 1 ? 'fraud' : 'ok');
    expect(online.classes).toEqual(['ok', 'fraud']);
    expect(online.scores({ x: 1 })[0]).toBeGreaterThan(0);
    expect(OnlineClassifier.load(online.save()).classes).toEqual(['ok', 'fraud']);
    const three = new OnlineClassifier({ classes: [10, 2, 1] });
    for (let i = 0; i < 9; i++) three.learn({ x: i % 3 }, ([10, 2, 1] as const)[i % 3]!);
    expect(decodeModel(encodeModel(three.model())).classes).toEqual(['10', '2', '1']);
    expect(three.predict({ x: 0 })).toBe(10);
  });

  it('refuses what a refused row would change: the type of labels', () => {
    const online = new OnlineClassifier<Label>();
    online.learn({ x: 1 }, 1);
    const before = online.save();
    expect(() => online.learn({ x: Infinity }, 'one')).toThrow();
    expect(online.save()).toBe(before);
  });
});
