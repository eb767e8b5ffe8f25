import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../test/support/properties.ts';
import { some } from '../../../test/support/quick.ts';
import {
  arrays,
  bags,
  compareRules,
  csv,
  evaluate,
  HalfspaceError,
  type Label,
  type Model,
  ndjson,
  OnlineClassifier,
  Predictor,
  type RawRow,
  rows,
  type Source,
  train,
} from '../src/index.ts';

/** Objects whose reading throws what is no error of halfspace. */
function revoked<T extends object>(target: T): T {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function throwing<T extends object>(target: T, name: PropertyKey): T {
  const get = () => {
    throw new TypeError('boom');
  };
  return Object.defineProperty(target, name, { get, enumerable: true, configurable: true });
}

/** Throws from the k-th reading on: what was read once need not be readable again. */
function throwingAt<T extends object>(target: T, name: PropertyKey, value: unknown, k: number): T {
  let left = k;
  const get = () => {
    if (left-- > 0) return value;
    throw new TypeError('boom');
  };
  return Object.defineProperty(target, name, { get, enumerable: true, configurable: true });
}

function withHole<T>(list: T[], at: number): T[] {
  delete list[at];
  return list;
}

async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return null;
  } catch (error) {
    return error;
  }
}

const table = () => [
  { age: 3, city: 'Oslo', label: 'no' },
  { age: 5, city: 'Lima', label: 'yes' },
  { age: 4, city: 'Oslo', label: 'no' },
  { age: 9, city: 'Lima', label: 'yes' },
];
const matrix = () => [
  [3, 1],
  [4, 2],
  [6, 9],
  [7, 8],
];
const classes = () => ['no', 'no', 'yes', 'yes'];

function* oneByOne<T>(items: readonly T[]): Generator<T> {
  yield* items;
}

describe('arrays', () => {
  const hole = fc.record({ inRows: fc.boolean(), row: fc.nat(3), column: fc.nat(1) });

  it('refuse lists with holes, with the row', () =>
    forAllAsync(50, hole, async ({ inRows, row, column }) => {
      const x: number[][] = matrix();
      if (inRows) delete x[row];
      else delete x[row]![column];
      const error = (await errorOf(() => train(arrays(x, classes())))) as HalfspaceError;
      expect(error).toBeInstanceOf(HalfspaceError);
      expect(error.where.row).toBe(row + 1);
      const y = classes();
      delete y[row];
      expect(await errorOf(() => train(arrays(matrix(), y)))).toMatchObject({ code: 'label-missing' });
      const importance = [1, 1, 1, 1];
      delete importance[row];
      expect(await errorOf(() => train(arrays(matrix(), classes(), { importance })))).toMatchObject({
        code: 'number-invalid',
        where: { row: row + 1 },
      });
    }));

  it('refuse lists of classes with holes, and revoked ones', async () => {
    for (const given of [withHole(['no', 'yes'], 0), revoked(['no', 'yes'])])
      expect(await errorOf(() => train(arrays(matrix(), classes(), { classes: given })))).toBeInstanceOf(
        HalfspaceError,
      );
  });

  const values: (() => unknown)[] = [
    ...[null, undefined, 'text', 3, {}, [], [null], ['1'], [[1], [2]], new Float64Array(2)].map((value) => () => value),
    () => withHole([1, 2], 0),
    () => withHole([[1], [2]], 1),
    () => revoked([1, 2]),
    () => throwing([1, 2], 1),
    () => [[1], revoked([1])],
    () => [[1], throwing([1], 0)],
  ];
  // Functions, because tools of tests read what they are given.
  const part = fc.constantFrom(...values);
  const parts = fc.oneof(
    part.map((x) => ({ x })),
    fc.record({
      rows: part,
      columns: part,
      values: part,
      shape: fc.oneof(
        part,
        fc.constant(() => [2, 2]),
      ),
    }),
    fc.record({ data: part, shape: part }),
  );
  const made = (given: Record<string, () => unknown>) =>
    'x' in given ? given.x!() : Object.fromEntries(Object.entries(given).map(([name, make]) => [name, make()]));

  it('refuse what is no matrix', () =>
    forAllAsync(
      500,
      parts,
      fc.oneof(
        part,
        fc.constant(() => ['a', 'b']),
      ),
      part,
      async (x, y, importance) => {
        for (const options of [{}, { importance: importance() }]) {
          const error = await errorOf(() => train(arrays(made(x) as never, y() as never, options as never)));
          if (error !== null) expect(error).toBeInstanceOf(HalfspaceError);
        }
      },
    ));

  it('refuse text among the values of triples', async () => {
    const x = { rows: [0, 1], columns: [0, 0], values: [1, '2'] as never, shape: [2, 1] as [number, number] };
    expect(await errorOf(() => train(arrays(x, ['a', 'b'])))).toMatchObject({ code: 'number-invalid' });
  });
});

describe('rows that throw while they are read', () => {
  type MakeSource = (items: object[]) => Source;
  const sources: Record<string, MakeSource> = {
    'a list': (items) => rows(items, { label: 'label' as never }),
    'a generator': (items) => rows(oneByOne(items), { label: 'label' as never }),
    bags: (items) => bags(items, { label: 'label' as never }),
  };
  for (const [name, source] of Object.entries(sources))
    it(`are refused with their number: ${name}`, () =>
      forAllAsync(
        100,
        fc.nat(3),
        fc.constantFrom('age', 'label', 'city'),
        fc.oneof(fc.constant(-1), fc.nat(8)),
        async (row, field, k) => {
          const items: object[] = table();
          const value = (items[row] as Record<string, unknown>)[field];
          // A loop that awaits the items of a generator reads them before we do.
          if (k < 0 && name === 'a generator') return;
          items[row] = k < 0 ? revoked(items[row]!) : throwingAt(items[row]!, field, value, k);
          const error = await errorOf(() => train(source(items)));
          if (error === null && k > 0) return;
          expect(error).toBeInstanceOf(HalfspaceError);
          expect(error).toMatchObject({ code: 'row-malformed', where: { row: row + 1 } });
        },
      ));

  it('are refused by classifiers and predictors, which stay as they are', async () => {
    const model = (await train(rows(table(), { label: 'label' }))).model as Model;
    const numbers = (await train(arrays(matrix(), classes()))).model as Model;
    for (const [asked, good] of [
      [new Predictor(model), { age: 3, city: 'Oslo' }],
      [new Predictor(numbers), [3, 1]],
    ] as const) {
      const before = asked.scores(good);
      const bad = [revoked({ ...good }), throwing({ ...good }, 'age'), throwing([1, 2], 1), revoked([1])];
      for (const row of bad)
        for (const method of ['predict', 'score', 'scores', 'scoresByClass', 'explain', 'unknownFields'] as const) {
          const error = await errorOf(() => asked[method](row as RawRow));
          if (method !== 'unknownFields' && error !== null) expect(error).toBeInstanceOf(HalfspaceError);
        }
      expect(asked.scores(good)).toEqual(before);
    }
    for (let learned = 0; learned < 60; learned += 20) {
      const online = new OnlineClassifier();
      for (let i = 0; i < learned; i++) online.learn(table()[i % 4] as RawRow, i % 2 === 0 ? 'no' : 'yes');
      const before = online.save();
      for (let k = 0; k < 6; k++) {
        const row = throwingAt({ age: 3, width: 4 }, 'age', 3, k) as RawRow;
        const error = await errorOf(() => online.learn(row, 'new'));
        if (error === null) break;
        expect(error).toMatchObject({ code: 'row-malformed' });
        expect(online.save()).toBe(before);
      }
      expect(await errorOf(() => online.learn(revoked({}) as RawRow, 'new'))).toMatchObject({ code: 'row-malformed' });
      expect(await errorOf(() => online.learnMany([revoked({})] as RawRow[], ['new']))).toMatchObject({
        code: 'row-malformed',
        where: { row: 1 },
      });
    }
  });
});

describe('options and data that throw while they are read', () => {
  const source = () => rows(table(), { label: 'label' });
  const calls: Record<string, (bad: never) => unknown> = {
    train: (bad) => train(source(), bad),
    'train, the source': (bad) => train(bad),
    compareRules: (bad) => compareRules(source(), bad),
    'compareRules, the source': (bad) => compareRules(bad),
    evaluate: async (bad) => evaluate((await train(source(), { rule: 'averaged' })).model as Model, source(), bad),
    'evaluate, the model': (bad) => evaluate(bad, source()),
    'evaluate, the source': async (bad) => evaluate((await train(source(), { rule: 'averaged' })).model as Model, bad),
    rows: (bad) => train(rows(table(), bad)),
    'rows, the objects': (bad) => train(rows(bad)),
    bags: (bad) => train(bags(table(), bad)),
    'bags, the objects': (bad) => train(bags(bad)),
    csv: (bad) => train(csv('a,label\n1,x\n2,y\n', bad)),
    'csv, the text': (bad) => train(csv(bad)),
    ndjson: (bad) => train(ndjson('{"a":1,"label":"x"}\n{"a":2,"label":"y"}\n', bad)),
    'ndjson, the text': (bad) => train(ndjson(bad)),
    arrays: (bad) => train(arrays(matrix(), classes(), bad)),
    'new OnlineClassifier': (bad) => new OnlineClassifier(bad),
    learn: (bad) => new OnlineClassifier().learn({ a: 1 }, 'x', bad),
    learnMany: (bad) => new OnlineClassifier().learnMany(bad, bad),
    'learnMany, the options': (bad) => new OnlineClassifier().learnMany([], [], bad),
    learnFrom: (bad) => new OnlineClassifier().learnFrom(bad),
    predictMany: (bad) => new OnlineClassifier().predictMany(bad),
    load: (bad) => OnlineClassifier.load(bad),
    'new Predictor': (bad) => new Predictor(bad),
    from: (bad) => OnlineClassifier.from(bad),
  };
  it.each(Object.entries(calls))('are refused by %s', async (_, call) => {
    for (const bad of [revoked({}), revoked([]), throwing({}, 'label'), throwing({}, 'name')]) {
      const error = await errorOf(() => call(bad as never));
      if (!(error instanceof HalfspaceError)) throw error ?? new Error('none');
    }
  });
});

describe('a getter of a row that calls the object that reads the row', () => {
  const plain = { city: 'Oslo', age: 3 };
  const calling = (call: () => unknown) =>
    Object.defineProperty({ city: 'Oslo' }, 'age', {
      get: () => {
        call();
        return 3;
      },
      enumerable: true,
    }) as RawRow;
  const asks = ['predict', 'score', 'scores', 'scoresByClass', 'probabilities', 'explain', 'unknownFields'] as const;

  it('does not change an answer of a Predictor', async () => {
    const { model } = await train(rows([...table(), ...table(), ...table()], { label: 'label' }), {
      calibrate: 'platt',
    });
    const predictor = new Predictor(model as Model);
    const other = { age: 90, city: 'Lima' };
    for (const outer of asks)
      for (const inner of asks) {
        const expected = predictor[outer](plain);
        const error = await errorOf(() =>
          expect(predictor[outer](calling(() => predictor[inner](other)))).toEqual(expected),
        );
        if (error !== null) expect(error).toMatchObject({ name: 'HalfspaceError', code: 'row-malformed' });
        const caught = calling(() => errorOf(() => predictor[inner](other)));
        expect(predictor[outer](caught)).toEqual(expected);
      }
  });

  type Call = (online: OnlineClassifier<Label>, row: RawRow) => unknown;
  const methods: Record<string, Call> = {
    learn: (online, row) => online.learn(row, 'new'),
    learnMany: (online, row) => online.learnMany([row], ['no']),
    predict: (online, row) => online.predict(row),
    predictMany: (online, row) => online.predictMany([row]),
    scores: (online, row) => online.scores(row),
    probabilities: (online, row) => online.probabilities(row),
    explain: (online, row) => online.explain(row),
    unknownFields: (online, row) => online.unknownFields(row),
    save: (online) => online.save(),
    model: (online) => online.model(),
    metrics: (online) => online.metrics,
    columns: (online) => online.columns,
  };
  const learned = (count: number, columns: 'bag' | undefined) => {
    const online = new OnlineClassifier<Label>({ calibrate: true, columns } as never);
    for (let i = 0; i < count; i++) {
      const { label, ...row } = table()[i % 4]!;
      online.learn(row, label);
    }
    return online;
  };
  const pairs = Object.keys(methods).flatMap((outer) => Object.keys(methods).map((inner) => [outer, inner] as const));

  it.each(some(pairs, 4))('leaves an OnlineClassifier as it was: %s, then %s', async (outer, inner) => {
    for (const columns of [undefined, 'bag'] as const)
      for (const count of [0, 8, 60]) {
        const other = { age: 90, city: 'Quito', width: 3 };
        const reference = learned(count, columns);
        const expected = await errorOf(() => methods[outer]!(reference, plain));
        // The error is caught in the getter: the outer call goes on as with a plain row.
        const online = learned(count, columns);
        const caught = calling(() => {
          try {
            methods[inner]!(online, other);
          } catch (error) {
            expect(error).toBeInstanceOf(HalfspaceError);
          }
        });
        expect(await errorOf(() => methods[outer]!(online, caught))).toEqual(expected);
        expect(online.save()).toBe(reference.save());
        expect(OnlineClassifier.load(online.save()).save()).toBe(online.save());
        // The error is not caught: the outer call is refused, and changes nothing.
        const refusing = learned(count, columns);
        const before = refusing.save();
        const error = await errorOf(() =>
          methods[outer]!(
            refusing,
            calling(() => methods[inner]!(refusing, other)),
          ),
        );
        if (error !== null) {
          expect(error).toBeInstanceOf(HalfspaceError);
          expect(refusing.save()).toBe(before);
        } else expect(refusing.save()).toBe(reference.save());
      }
  });
});
