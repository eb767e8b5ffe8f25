import { describe, expect, it, test } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import {
  arrays,
  bags,
  csv,
  encodeModel,
  HalfspaceError,
  libsvm,
  type Model,
  ndjson,
  OnlineClassifier,
  type OnlineOptions,
  Predictor,
  type RawRow,
  rows,
  type TrainOptions,
  train,
  vw,
} from '../../src/index.ts';
import { onlineRules } from '../../src/online/options.ts';

/** Rows of all kinds of columns, with gaps. */
const table = Array.from({ length: 90 }, (_, i) => ({
  size: (i * 37) % 11,
  shop: ['north', 'south', 'west', `rare ${i}`][(i * 7) % 4]!,
  note: i % 5 === 0 ? null : [`free money number ${i % 9} now`, `hello dear friend ${i % 7}`][(i * 3) % 2]!,
  day: new Date(1e12 + i * 864e5),
  tags:
    ['a', 'b', 'c', 'd', `rare ${i}`].filter((_, t) => (t === 4 ? i % 9 === 0 : (i >> t) % 2 === 1)).join(';') || null,
  open: i % 3 === 0,
  two: (i * 37) % 11 > 5 !== (i % 9 === 0) ? 'ham' : 'spam',
  three: ['x', 'y', 'z'][((i * 37) % 11) % 3]!,
}));
const fieldsOf = (label: 'two' | 'three') =>
  table.map(({ two, three, ...row }) => ({ row, label: { two, three }[label] }));
const trained = async (label: 'two' | 'three', options: TrainOptions, positive?: string): Promise<Model> => {
  const examples = fieldsOf(label).map(({ row, label: name }) => ({ ...row, [label]: name }));
  return (
    await train(rows<Record<string, unknown>>(examples, { label, positive }), {
      multiclass: 'one-vs-rest',
      ...options,
    } as never)
  ).model;
};

describe.each(onlineRules().filter((rule) => rule !== 'follow-the-leader'))(
  'a classifier from a model of %s',
  (rule) => {
    it.each(['two', 'three'] as const)(
      'answers with the bits of its Predictor, and learns on from any save: %s',
      async (label) => {
        const model = await trained(label, { rule });
        const predictor = new Predictor(model);
        const online = OnlineClassifier.from(model, { calibrate: true, drift: 'adwin' });
        const examples = fieldsOf(label);
        for (const { row } of examples) expect([...online.scores(row)]).toEqual([...predictor.scores(row)]);
        expect(online.predictMany(examples.map(({ row }) => row))).toEqual(
          examples.map(({ row }) => predictor.predict(row)),
        );
        expect(online.classes).toEqual(model.classes);
        expect(online.model().features).toEqual(model.features);
        let other = OnlineClassifier.load(online.save());
        examples.forEach(({ row, label: name }, i) => {
          expect(other.learn(row, name)).toEqual(online.learn(row, name));
          if (i % 20 === 0) other = OnlineClassifier.load(other.save());
        });
        expect(other.save()).toBe(online.save());
        expect(online.examples).toBe(model.training.examples + examples.length);
        const now = new Predictor(online.model());
        for (const { row } of examples) expect([...online.scores(row)]).toEqual([...now.scores(row)]);
      },
    );

    it('goes on with the steps of the rule', async () => {
      const options = { rule, order: 'cyclic', passes: 1 } as unknown as TrainOptions;
      if (!['perceptron', 'passive-aggressive', 'margin'].includes(rule)) return;
      const x = Array.from({ length: 40 }, (_, i) => [Math.sin(i * 3), Math.cos(i * 5)]);
      const y = x.map(([a, b], i) => (a! > b! !== (i % 6 === 0) ? 'p' : 'q'));
      const first = (await train(arrays(x.slice(0, 20), y.slice(0, 20)), options)).model;
      const both = (await train(arrays(x, y), options)).model;
      const online = OnlineClassifier.from(first);
      await online.learnFrom(arrays(x.slice(20), y.slice(20)));
      expect({ ...online.model(), training: null }).toEqual({ ...both, training: null });
    });
  },
);

test.each(['two', 'three'] as const)(
  'all rules of follow-the-leader go on from the weights of a model: %s',
  async (label) => {
    const model = await trained(label, { rule: 'averaged' });
    const online = OnlineClassifier.from(model, { rule: 'follow-the-leader', calibrate: true });
    const predictor = new Predictor(model);
    let other = OnlineClassifier.load(online.save());
    fieldsOf(label).forEach(({ row, label: name }, i) => {
      if (i === 0) expect([...online.scores(row)]).toEqual([...predictor.scores(row)]);
      expect(other.learn(row, name)).toEqual(online.learn(row, name));
      if (i % 20 === 0) other = OnlineClassifier.load(other.save());
    });
    expect(other.save()).toBe(online.save());
  },
);

test('one class against all others stays so', async () => {
  const model = await trained('three', { rule: 'perceptron' }, 'y');
  const online = OnlineClassifier.from(model);
  expect(online.classes).toEqual(model.classes);
  for (const { row, label } of fieldsOf('three')) {
    expect(online.predict(row)).toBe(new Predictor(online.model()).predict(row));
    online.learn(row, label);
  }
  expect(OnlineClassifier.load(online.save()).save()).toBe(online.save());
});

test('classes, label and encoding of a model stay as they are', async () => {
  const online = OnlineClassifier.from(await trained('two', { rule: 'arow' }, 'ham'));
  expect(online.classes).toEqual(['spam', 'ham']);
  expect(online.label).toBe('two');
  expect(online.columns.map(({ name }) => name)).toEqual(['size', 'shop', 'note', 'day', 'tags', 'open']);
  const before = online.save();
  expect(() => online.learn({ size: 1e70 }, 'ham')).toThrow(HalfspaceError);
  expect(() => online.learn({ other: 1 }, 'ham')).toThrow(/at least one field that the model knows/);
  expect(online.save()).toBe(before);
  const three = OnlineClassifier.from(await trained('three', { rule: 'averaged' }));
  expect(() => three.learn({ size: 1 }, 'w')).toThrow('expected one of the classes "x", "y", "z"; got "w"');
});

test('a model that cannot learn on is refused with the reason', async () => {
  const refused = async (model: Promise<Model>, message: RegExp, options?: OnlineOptions) =>
    expect(model.then((each) => OnlineClassifier.from(each, options))).rejects.toThrow(message);
  await refused(
    trained('two', { rule: 'pocket' }),
    /a rule that learns row by row, or the option "rule".*; got pocket/,
  );
  await refused(trained('two', { rule: 'tree' }), /weights of features; got a tree model/);
  await refused(trained('two', { rule: 'voted' }), /weights of features; got a dual model/);
  await refused(trained('three', { rule: 'averaged', multiclass: 'kesler' }), /multiclass: "one-vs-rest".*"kesler"/);
  await refused(trained('two', { rule: 'averaged', bias: 'none' }), /a bias; got none/);
  await refused(trained('two', { rule: 'averaged' }), /options that OnlineClassifier.from has/, { label: 'x' });
  const model = await trained('two', { rule: 'pocket' });
  const online = OnlineClassifier.from(model, { rule: { name: 'passive-aggressive', aggressiveness: 0.5 } as never });
  expect(online.rule).toBe('passive-aggressive');
  expect(online.predict(table[0] as unknown as RawRow)).toBe(new Predictor(model).predict(table[0]!));
});

describe('learnFrom', () => {
  const lines = fieldsOf('two').map(({ row: { note, day, ...row }, label }) => ({
    ...row,
    open: String(row.open),
    label,
  }));
  const names = Object.keys(lines[0]!);
  const text = (some: readonly object[]) =>
    [names.join(','), ...some.map((row) => Object.values(row).join(','))].map((line) => `${line}\n`).join('');

  it('learns the rows of any table as learn does for each, however they are cut', async () => {
    const direct = new OnlineClassifier({ rule: 'arow' });
    for (const { label, ...row } of lines) direct.learn({ ...row, size: String(row.size) }, label);
    await forAllAsync(20, fc.integer({ min: 1, max: lines.length - 1 }), fc.nat(2), async (cut, kind) => {
      const source = (some: readonly (typeof lines)[number][]) =>
        kind === 0
          ? csv(text(some))
          : kind === 1
            ? ndjson(some.map((row) => `${JSON.stringify({ ...row, nested: [1] })}\n`).join(''))
            : rows(
                (async function* () {
                  yield* some;
                })(),
              );
      const online = new OnlineClassifier({ rule: 'arow' });
      const [one, two] = [
        await online.learnFrom(source(lines.slice(0, cut))),
        await online.learnFrom(source(lines.slice(cut))),
      ];
      expect(online.save()).toBe(direct.save());
      expect(one.rows + two.rows).toBe(lines.length);
      expect(one.answered + two.answered).toBe(lines.length - 1);
      expect(one.right + two.right).toBe(direct.metrics.accuracy * (lines.length - 1));
    });
  });

  it('learns numbers of arrays, libsvm and, for a model of them, Vowpal Wabbit text', async () => {
    const x = Array.from({ length: 30 }, (_, i) => [Math.sin(i), Math.cos(i * 3)]);
    const y = x.map(([a, b]) => (a! > b! ? 2 : 1));
    const direct = new OnlineClassifier();
    x.forEach((row, i) => void direct.learn(row, y[i]!));
    const online = new OnlineClassifier();
    await online.learnFrom(arrays(x, y));
    expect(encodeModel(online.model())).toBe(encodeModel(direct.model()));
    const sparse = new OnlineClassifier();
    await sparse.learnFrom(libsvm(x.map(([a, b], i) => `${y[i]} 1:${a} 900:${b}\n`).join('')));
    expect([sparse.classes, sparse.examples]).toEqual([['1', '2'], 30]);
    expect(sparse.model().features).toEqual({ kind: 'indexed', dimension: 901, firstIndex: 1 });
    const words = '1 |w free money\n-1 |w see you\n';
    await expect(new OnlineClassifier().learnFrom(vw(words))).rejects.toThrow(/OnlineClassifier\.from\(model\)/);
    const named = OnlineClassifier.from((await train(vw(words.repeat(9)))).model);
    expect(await named.learnFrom(vw(words))).toEqual({ rows: 2, answered: 2, right: 2 });
  });

  it('learns bags of features', async () => {
    const mails = [
      { free: 2, label: 'spam' },
      { see: 1, you: 1, label: 'ham' },
      { free: 1, label: 'spam' },
    ];
    const online = new OnlineClassifier({ columns: 'bag' });
    expect((await online.learnFrom(bags(mails))).rows).toBe(3);
    const direct = new OnlineClassifier({ columns: 'bag' });
    for (const { label, ...row } of mails) direct.learn(row as RawRow, label);
    expect(online.save()).toBe(direct.save());
  });

  it('takes the label, weights, missing words and dropped columns of the source', async () => {
    const online = new OnlineClassifier();
    const source = rows(
      [
        { a: 1, id: 'i', w: '2', is: 5 },
        { a: '-', id: 'k', w: 0, is: 7 },
        { a: 3, id: 'l', w: 1, is: 9 },
      ],
      {
        label: ({ is }) => is > 6,
        weight: 'w',
        missing: ['-'],
        features: { columns: { id: { kind: 'drop' }, is: { kind: 'drop' } } },
      },
    );
    expect(await online.learnFrom(source)).toEqual({ rows: 2, answered: 1, right: 0 });
    expect([online.columns, online.classes]).toEqual([
      [{ name: 'a', kind: 'number', decided: false }],
      ['false', 'true'],
    ]);
    for (const options of [
      { scale: 'none' },
      { positive: 'x' },
      { features: { columns: { a: { kind: 'text' } } } },
    ] as const)
      await expect(online.learnFrom(csv('a,label\n1,x\n', options))).rejects.toThrow(/give them to OnlineClassifier/);
  });

  it('stops at a signal or a bad row, with the rows before learned', async () => {
    const leave = new AbortController();
    const endless = (function* () {
      for (let i = 0; ; i++) {
        if (i === 50) leave.abort();
        yield { x: i % 7, label: i % 2 };
      }
    })();
    const online = new OnlineClassifier();
    const error = online.learnFrom(rows(endless), { signal: leave.signal });
    await expect(error).rejects.toMatchObject({ code: 'interrupted', message: expect.stringMatching(/after 50$/) });
    expect(online.examples).toBe(50);
    const bad = csv('x,label\n1,1\nmany,0\n3,1\n', { name: 'file' });
    await expect(online.learnFrom(bad)).rejects.toThrow('file, row 2, column "x": expected a number; got "many"');
    expect(online.examples).toBe(51);
    await expect(online.learnFrom([] as never)).rejects.toThrow(/expected a source/);
    await expect(online.learnFrom(bad, { stop: 1 } as never)).rejects.toThrow(/options that learnFrom has/);
  });
});

test('fields beyond the bound are told in a note, which is part of the state', () => {
  const online = new OnlineClassifier({ maxFields: 2 });
  online.learn({ a: 1, b: 2 }, 0);
  online.predict({ a: 1, never: 3 });
  expect(() => online.learn({ a: 1e70, late: 2 }, 1)).toThrow();
  online.learn({ a: 1, absent: null }, 1);
  expect(online.notes).toEqual([]);
  for (const late of [2, 3]) online.learn({ a: 1, late }, 1);
  const note = 'fields beyond the first 2 are ignored, the first of them "late": the option maxFields allows more';
  expect(online.notes).toEqual([note]);
  expect(OnlineClassifier.load(online.save()).notes).toEqual([note]);
});
