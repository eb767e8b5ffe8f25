import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { type ErrorCode, HalfspaceError } from '../../src/errors.ts';
import { encodeModel } from '../../src/model/encode.ts';
import { Predictor } from '../../src/model/predictor.ts';
import { OnlineClassifier } from '../../src/online/classifier.ts';
import { onlineRules } from '../../src/online/options.ts';

// Streams as users bring them: rows with gaps, numbers beyond reason, names in all scripts, mistakes of every kind.

type Row = Readonly<Record<string, unknown>> | ArrayLike<number>;

const ruleNames = onlineRules();

/** A classifier that has learned a few records. */
function learned(rule = ruleNames[0]!): OnlineClassifier {
  const online = new OnlineClassifier({ rule });
  online.learnMany(
    [
      { a: 1, b: 'x' },
      { a: -1, b: 'y' },
      { a: 2, b: 'x' },
    ],
    ['yes', 'no', 'yes'],
  );
  return online;
}

/** Checks that a call is refused with a code, and that the classifier is as before. */
function refuses(online: OnlineClassifier, code: ErrorCode, call: () => unknown): void {
  const before = online.save();
  let error: unknown;
  try {
    call();
  } catch (caught) {
    error = caught;
  }
  expect(error).toBeInstanceOf(HalfspaceError);
  expect((error as HalfspaceError).code).toBe(code);
  expect(online.save()).toBe(before);
}

const nasty = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, '', '?', 'NA', 0, -0, 1, 1e-320, 1e60, -1e60, 1e308, Infinity, Number.NaN),
  fc.constantFrom<unknown>(true, 'true', '7', '1e5', '2024-02-29', 5n, 2n ** 2000n, new Date(0), new Date(Number.NaN)),
  fc.constantFrom<unknown>({}, [], [1], { valueOf: () => 3 }, Symbol('s'), () => 1, new Float64Array(2), 'a b c d e f'),
  fc.double(),
  fc.string(),
);
const names = fc.constantFrom(
  'a',
  'b',
  'c',
  '__proto__',
  'constructor',
  'toString',
  '名前',
  '😀',
  '',
  ' ',
  '0',
  '\u0000',
);
const records = fc
  .array(fc.tuple(names, nasty), { maxLength: 6 })
  // Unlike an assignment, this makes __proto__ an own field.
  .map((fields): Row => Object.fromEntries(fields));
const labels = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown>('yes', 'no', '__proto__', 'constructor', 'ß') },
  { weight: 1, arbitrary: nasty },
);
const numbers: fc.Arbitrary<Row> = fc
  .array(fc.oneof(fc.double(), fc.constantFrom(1e60, -1e60, 1e-320, 1e308, 0)), { maxLength: 5 })
  .chain((values) =>
    fc.constantFrom(values, Float64Array.from(values), Float32Array.from(values), Int16Array.from(values), {
      indices: values.map((_, i) => i * 3),
      values,
    } as unknown as Row),
  );

describe.each(ruleNames)('a stream of anything, learned by %s', (rule) => {
  it.each([
    ['records', records],
    ['numbers', numbers],
  ])('is refused row by row without a trace, or learned: %s', (_, rows) => {
    forAll(
      40,
      fc.array(fc.tuple(rows, labels, fc.constantFrom(1, 1, 1, 0, 0.5, 1e15, -1, '3')), { maxLength: 25 }),
      fc.constantFrom<('standard' | 'none')[]>('standard', 'none'),
      (stream, scale) => {
        const online = new OnlineClassifier({ rule, scale, drift: 'page-hinkley' });
        for (const [row, label, importance] of stream) {
          const before = online.save();
          try {
            online.learn(row as never, label as never, { importance: importance as number });
          } catch (error) {
            expect(error).toBeInstanceOf(HalfspaceError);
            expect(online.save()).toBe(before);
          }
        }
        // Whatever came, the state can be saved, and the classifier answers plain rows.
        const restored = OnlineClassifier.load(online.save());
        expect(restored.save()).toBe(online.save());
        const { classes, confusion, accuracy } = online.metrics;
        expect(classes).toEqual(online.classes);
        expect(confusion!.length).toBe(classes.length);
        expect(accuracy >= 0 || Number.isNaN(accuracy)).toBe(true);
      },
    );
  });

  it('answers on after the largest numbers', () => {
    for (const scale of ['standard', 'none'] as const) {
      const online = new OnlineClassifier({ rule, scale });
      for (let i = 0; i < 30; i++)
        for (const row of [
          [1e308, -1e308],
          [1e60, 1e60 * ((i % 3) - 1)],
          [1e-320, 0],
        ])
          try {
            online.learn(row, i % 2);
          } catch (error) {
            expect(error).toBeInstanceOf(HalfspaceError);
          }
      expect(online.labels).toContain(online.predict([1, 1]));
      expect(OnlineClassifier.load(online.save()).predict([1, 1])).toBe(online.predict([1, 1]));
    }
  });
});

describe('a user of other libraries', () => {
  it('gets the explanations of the model, to the bit, for rows of every form', () => {
    const cell = fc.oneof(
      fc.double({ min: -50, max: 50, noNaN: true }),
      fc.constantFrom(true, null, '7', 'red', 'a b c'),
    );
    const record = fc.dictionary(fc.constantFrom('a', 'b', 'c=1', 'd^e', 'text'), cell, { minKeys: 1 });
    const options = { columns: { b: 'category', text: 'text', a: 'number', 'd^e': 'set: ' }, scale: 'none' } as const;
    forAll(
      fc.constantFrom({}, options, { ...options, scale: 'standard' as const }, { columns: 'bag' as const }),
      fc.array(fc.tuple(record, fc.integer({ min: 0, max: 2 })), { minLength: 3, maxLength: 40 }),
      (given, examples) => {
        const online = new OnlineClassifier(given);
        for (const [row, label] of examples)
          try {
            online.learn(row as never, label);
          } catch (error) {
            expect(error).toBeInstanceOf(HalfspaceError);
          }
        if (online.classes.length < 2) return;
        const predictor = new Predictor(online.model());
        for (const row of [...examples.map(([given]) => given), {}, { new: 1 }] as never[]) {
          let expected: unknown;
          try {
            expected = predictor.explain(row);
          } catch {
            // A model refuses some values that a field without a decided kind takes.
            continue;
          }
          expect(online.explain(row)).toEqual(expected);
        }
      },
    );
  });

  it('may leave fields out, add new ones and bring unseen levels', () => {
    const online = learned();
    expect(online.predict({ a: 2 })).toBe('yes');
    expect(online.predict({ b: 'y' })).toBe('no');
    expect(online.predict({ a: 1, b: 'never seen' })).toBe('yes');
    expect(online.learn({ a: 1, late: 5, later: 'word' }, 'yes').class).toBe('yes');
    expect(online.model().kind).toBe('linear');
    // As `predict` of the model, and as `learn` answers a row whose fields are new.
    for (const row of [{}, { newer: 1 }, { newer: null, newest: 'x' }]) {
      const [answer, scores] = [online.predict(row), online.scores(row)];
      expect(scores).toEqual(new Predictor(online.model()).scores(row));
      expect(online.unknownFields(row)).toEqual(Object.keys(row));
      expect(OnlineClassifier.load(online.save()).learn({ newer: 1 }, 'yes')).toMatchObject({
        class: answer,
        scores: [...scores],
      });
    }
    refuses(online, 'row-malformed', () => online.learn({}, 'yes'));
  });

  it('may write numbers as text and as bigints, but not other text', () => {
    const columns = { a: 'number' } as const;
    const [typed, written] = [new OnlineClassifier({ columns }), new OnlineClassifier({ columns })];
    [3, -1.5, 2, 0.25].forEach((a, i) => {
      typed.learn({ a }, i % 2);
      written.learn({ a: String(a) }, i % 2);
    });
    expect(encodeModel(written.model())).toBe(encodeModel(typed.model()));
    expect(typed.predict({ a: 2n })).toBe(typed.predict({ a: 2 }));
    refuses(typed, 'number-invalid', () => typed.learn({ a: 'many' }, 0));
    for (const a of [Number.NaN, Infinity]) refuses(typed, 'number-invalid', () => typed.learn({ a }, 0));
  });

  it('finds fields and classes by any name', () => {
    const online = new OnlineClassifier({ rule: 'averaged' });
    const row = (sign: number) =>
      JSON.parse(`{"__proto__":${sign},"constructor":${-sign},"名前":"${sign}","😀":${sign}}`);
    for (let i = 0; i < 4; i++) online.learn(row((-1) ** i), i % 2 === 0 ? '__proto__' : 'ß');
    for (const each of [online, OnlineClassifier.load(online.save())]) {
      expect(each.classes).toEqual(['__proto__', 'ß']);
      expect(each.predict(JSON.parse('{"__proto__":1}'))).toBe('__proto__');
      expect(each.predict({ '😀': -1 })).toBe('ß');
    }
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  it('gets the same from every kind of list', () => {
    const lists = [(x: number[]) => x, (x: number[]) => Float64Array.from(x), (x: number[]) => Float32Array.from(x)];
    const online = lists.map((listOf) => {
      const each = new OnlineClassifier();
      for (let i = 0; i < 20; i++) each.learn(listOf([i % 3, (i * 7) % 5, -1]), i % 2);
      return each.save();
    });
    expect(new Set(online).size).toBe(1);
  });

  it('gives lists with a number for each index so far, and more only to learn from', () => {
    for (const listOf of [(x: number[]) => x, (x: number[]) => Float64Array.from(x)]) {
      const online = new OnlineClassifier();
      online.learnMany([listOf([1, 2]), listOf([-1, 0])], ['yes', 'no']);
      const message = (got: number) =>
        `expected 2 numbers, one for each index from 0, or { indices, values } of some; got ${got}`;
      for (const length of [0, 1, 3, 5])
        for (const ask of ['predict', 'scores', 'explain'] as const)
          expect(() => online[ask](listOf(Array(length).fill(1)))).toThrow(message(length));
      refuses(online, 'row-malformed', () => online.learn(listOf([4]), 'yes'));
      expect(online.unknownFields({ indices: [1, 2, 7], values: [1, 1, 0] })).toEqual(['2', '7']);
      online.learn(listOf([1, 2, 3]), 'yes');
      expect(online.predict(listOf([1, 2, 3]))).toBe('yes');
      expect(() => online.predict(listOf([1, 2]))).toThrow('expected 3 numbers');
    }
  });

  it('may use dates, as objects or text', () => {
    const online = new OnlineClassifier({ columns: { day: 'date' } });
    for (let i = 0; i < 10; i++) online.learn({ day: new Date(1e12 * (i % 2)) }, i % 2 === 0 ? 'early' : 'late');
    expect(online.predict({ day: '1971-01-01' })).toBe('early');
    expect(online.predict({ day: new Date(1e12) })).toBe('late');
    refuses(online, 'number-invalid', () => online.learn({ day: new Date(Number.NaN) }, 'late'));
    refuses(online, 'number-invalid', () => online.learn({ day: 5 }, 'late'));
  });

  it('may bring a thousand classes, and not one more', () => {
    const online = new OnlineClassifier({ rule: 'perceptron' });
    for (let k = 0; k < 1000; k++) online.learn([Math.cos(k), Math.sin(k)], `class ${k}`);
    expect(online.classes.length).toBe(1000);
    expect(online.metrics.confusion!.length).toBe(1000);
    expect(online.classes).toContain(online.predict([1, 0]));
    expect(() => online.learn([1, 1], 'one more')).toThrow(/expected at most 1000 classes/);
    expect(online.learn([1, 0], 'class 0').class).toMatch(/^class/);
  });

  it('learns nothing from importance 0, and may not give other than numbers from 0', () => {
    const online = learned();
    const before = online.save();
    expect(online.learn({ a: 1, new: 3 }, 'a new class', { importance: 0 }).class).toBe('yes');
    expect(online.save()).toBe(before);
    for (const importance of [-1, Number.NaN, Infinity, '3', null])
      refuses(online, 'option-invalid', () => online.learn({ a: 1 }, 'yes', { importance: importance as number }));
    refuses(online, 'option-invalid', () => online.learn({ a: 1 }, 'yes', 3 as never));
  });

  it('hears of lists that do not fit together', () => {
    const rows = [{ a: 1 }, { a: 2 }];
    expect(() => learned().learnMany(rows, ['yes'])).toThrow(/row 2: expected one label for each row; got 1/);
    expect(() => learned().learnMany(rows, ['yes', 'no', 'yes'])).toThrow(/one label for each row; got more than 2/);
    expect(() => learned().learnMany(rows, ['yes', 'no'], { importance: [1] })).toThrow(
      /row 2: expected one importance for each row; got 1/,
    );
    expect(() => learned().learnMany([{ a: 1 }, { a: Number.NaN }], ['yes', 'no'])).toThrow(/row 2, column "a"/);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['text', 'a,b,c'],
    ['a number', 5],
    ['a map', new Map([['a', 1]])],
    ['a list where records came', [1, 2]],
    ['a field that is a list', { b: [1, 2] }],
    ['a field that is a function', { b: () => 1 }],
  ])('is told that a row is malformed: %s', (_, row) => {
    const online = learned();
    const before = online.save();
    expect(() => online.learn(row as never, 'yes')).toThrow(HalfspaceError);
    expect(() => online.predict(row as never)).toThrow(HalfspaceError);
    expect(online.save()).toBe(before);
  });

  it('has answers of some kind before any row came', () => {
    const online = new OnlineClassifier();
    expect(online.predict({ a: 1 })).toBeNull();
    expect(online.scores([1, 2])).toEqual(new Float64Array(0));
    expect(online.classes).toEqual([]);
    expect(online.metrics.rows).toBe(0);
    expect(() => online.model()).toThrow(HalfspaceError);
    expect(OnlineClassifier.load(online.save()).save()).toBe(online.save());
  });
});
