import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { isDeep } from '../../../../test/support/quick.ts';
import type { Label } from '../../src/data/label.ts';
import { HalfspaceError } from '../../src/errors.ts';
import { digestOf } from '../../src/model/digest.ts';
import type { RawRow } from '../../src/model/raw-features.ts';
import { OnlineClassifier } from '../../src/online/classifier.ts';
import { type OnlineOptions, onlineRules } from '../../src/online/options.ts';

const good = [
  [{ age: 3, colour: 'red', open: true, day: new Date(0), note: 'four words of text' }, 'a'],
  [{ age: 5, colour: 'blue', open: null, note: 'a fifth word' }, 'b'],
  [{ age: null, colour: 'red', shape: 'round' }, 'c'],
] as const;

function learned(options: OnlineOptions = {}): OnlineClassifier {
  const online = new OnlineClassifier(options);
  for (const [row, label] of good) online.learn(row, label);
  return online;
}

/** Kinds that are decided from the start, so that other values are refused. */
const decided = { columns: { age: 'number', open: 'boolean', day: 'date' } } as const;

const codeOf = (call: () => unknown): string => {
  try {
    call();
  } catch (error) {
    if (error instanceof HalfspaceError) return error.code;
    throw error;
  }
  return 'none';
};

describe('a refused row', () => {
  const bad: [row: unknown, label: unknown, options: object, code: string][] = [
    [{ age: 'old', colour: 'green', width: 3 }, 'a', {}, 'number-invalid'],
    [{ age: Number.NaN }, 'a', {}, 'number-invalid'],
    [{ colour: 'green', age: Infinity }, 'a', {}, 'number-invalid'],
    [{ colour: 'green', age: 1e200 }, 'a', {}, 'number-invalid'],
    [{ colour: ['deep'] }, 'a', {}, 'row-malformed'],
    [{ width: 2, tag: [['x']] }, 'd', {}, 'row-malformed'],
    [{ colour: Number.NaN }, 'a', {}, 'number-invalid'],
    [{ open: 'maybe', tag: 'new' }, 'a', {}, 'number-invalid'],
    [{ day: 'tomorrow', tag: 'new' }, 'a', {}, 'number-invalid'],
    [{}, 'a', {}, 'row-malformed'],
    [null, 'a', {}, 'row-malformed'],
    [[1, 2], 'a', {}, 'row-malformed'],
    [{ age: 1 }, null, {}, 'label-missing'],
    [{ age: 1 }, ' ', {}, 'label-missing'],
    [{ age: 1 }, Number.NaN, {}, 'label-missing'],
    [{ age: 1 }, {}, {}, 'label-classes'],
    [{ age: 1 }, Infinity, {}, 'label-classes'],
    [{ age: 1 }, 'a', { importance: -1 }, 'option-invalid'],
    [{ age: 1 }, 'a', { importance: Number.NaN }, 'option-invalid'],
    [{ age: 1 }, 'a', { weight: 2 }, 'option-invalid'],
  ];

  it.each(bad)('changes nothing: %j with label %j and %j', (row, label, options, code) => {
    const online = learned(decided);
    const before = online.save();
    expect(codeOf(() => online.learn(row as RawRow, label as Label, options))).toBe(code);
    expect(online.save()).toBe(before);
    // What the refused row would have brought joins later as if it had never been.
    const fresh = OnlineClassifier.load(before);
    const next = { age: 7, colour: 'green', width: 1, tag: 'other' };
    expect(online.learn(next, 'd')).toEqual(fresh.learn(next, 'd'));
    expect(online.save()).toBe(fresh.save());
  });

  it('of numbers changes nothing', () => {
    const online = new OnlineClassifier({ maxFeatures: 4 });
    online.learn([1, 2, 3], 1);
    online.learn(Float64Array.of(1, 0, 2), 0);
    const before = online.save();
    for (const row of [
      [1, Number.NaN],
      Float64Array.of(1, Infinity),
      [1, 2, 3, 4, 5],
      { indices: [4], values: [1] },
      { age: 1 },
    ])
      expect(codeOf(() => online.learn(row as RawRow, 1))).not.toBe('none');
    expect(online.save()).toBe(before);
  });

  it('that makes the weights diverge changes nothing, and neither do rows after it', () => {
    const rule = { name: 'sgd', loss: 'squared-hinge', schedule: 'constant', rate: 1, penalty: 'none' } as const;
    for (const classes of [['a', 'b'], undefined]) {
      const online = new OnlineClassifier({ rule, classes });
      let code = 'none';
      for (let i = 0; i < 500 && code === 'none'; i++) {
        const before = online.save();
        code = codeOf(() => online.learn([9, i % 7], i % 2 === 0 ? 'a' : 'b'));
        if (code !== 'none') expect(online.save()).toBe(before);
      }
      expect(code).toBe('weights-overflow');
      expect(codeOf(() => OnlineClassifier.load(online.save()).model())).toBe('none');
    }
  });

  it('has its number in a batch, and the rows before it are learned from', () => {
    const online = learned(decided);
    const one = learned(decided);
    one.learn({ age: 1 }, 'a');
    const batch = () => online.learnMany([{ age: 1 }, { age: 'x' }, { age: 2 }], ['a', 'b', 'a']);
    expect(batch).toThrow('row 2, column "age": expected a number; got "x"');
    expect(online.save()).toBe(one.save());
    expect(() => online.learnMany([{ age: 1 }, { age: 2 }], ['a'])).toThrow('expected one label for each row; got 1');
  });

  it('that is no list, or has text as its labels, changes nothing', () => {
    const online = learned();
    const before = online.save();
    const message = (rows: unknown, labels: unknown) => () => online.learnMany(rows as RawRow[], labels as Label[]);
    expect(message([{ age: 1 }], 'a')).toThrow('labels must be a list with one member for each row; got "a"');
    expect(message(undefined, ['a'])).toThrow('rows must be a list with one member for each row; got nothing');
    expect(message({ age: 1 }, ['a'])).toThrow('rows must be a list with one member for each row; got {"age":1}');
    expect(online.save()).toBe(before);
  });

  it('is refused by closed classes, and by too many open ones', () => {
    const closed = new OnlineClassifier<string>({ classes: ['no', 'yes'] });
    expect(codeOf(() => closed.learn({ x: 1 }, 'maybe'))).toBe('label-classes');
    const open = new OnlineClassifier({ rule: 'perceptron' });
    for (let k = 0; k < 1000; k++) open.learn({ x: k }, k);
    expect(codeOf(() => open.learn({ x: 1 }, 'one more'))).toBe('label-classes');
  });
});

describe('options', () => {
  const wrong: object[] = [
    { rule: 'pocket' },
    { rule: 'tree' },
    { rule: 'kernel' },
    { rule: 'nearest' },
    { rule: 7 },
    { rule: { name: 'arow', margin: 1 } },
    { rule: { name: 'arow', r: 0 } },
    { rule: { name: 'sgd', loss: 'multinomial' } },
    { classes: ['one'] },
    { classes: ['a', 'a'] },
    { classes: ['a', null] },
    { classes: ['a', 'b'], positive: 'c' },
    { positive: {} },
    { scale: 'some' },
    { columns: { x: 'colour' } },
    { maxFeatures: 0 },
    { maxFields: 1.5 },
    { window: 0 },
    { drift: 'none' },
    { onDrift: 1 },
    { label: 3 },
    { lable: 'x' },
  ];
  it.each(wrong)('are refused: %j', (options) => {
    expect(codeOf(() => new OnlineClassifier(options))).toBe('option-invalid');
  });
});

describe('a saved state', () => {
  const samples = [
    ...onlineRules().map((rule) => learned({ rule, drift: 'adwin' })),
    learned({ positive: 'b', columns: { colour: 'category' }, calibrate: true }),
    learned({ classes: ['c', 'a', 'b'], scale: 'none', drift: { name: 'page-hinkley', delta: 0.01 } }),
    new OnlineClassifier(),
  ];
  const numbers = new OnlineClassifier();
  numbers.learnMany(
    [
      [1, 2],
      [0, 1],
      [3, 1],
    ],
    [1, 2, 1],
  );
  samples.push(numbers);

  /** Returns a state as a tree of JSON whose digest is not yet made. */
  const bodyOf = (online: OnlineClassifier) => {
    const { digest: _, ...body } = JSON.parse(online.save());
    return body as object;
  };
  const written = (body: object) => JSON.stringify({ ...body, digest: digestOf(body) });

  const harm = fc.oneof(
    fc.constantFrom<unknown>(0, -1, 0.5, 3, 17, 2 ** 28, 2 ** 32, 2 ** 53, 1e300, null, '', 'arow', [], {}, true, [{}]),
    fc.constantFrom<unknown>(
      { float64: '' },
      { uint32: 'AAAAAA==' },
      { members: {} },
      { number: 'NaN' },
      'AAAAAAAAAAA=',
    ),
    fc.integer(),
  );

  /** Changes, removes or adds one place of a tree. */
  function mutate(tree: object, path: readonly number[], value: unknown): void {
    let place = tree as Record<string, unknown>;
    for (const [depth, step] of path.entries()) {
      const keys = Object.keys(place);
      if (keys.length === 0) return;
      const key = keys[step % keys.length]!;
      const next = place[key];
      if (depth === path.length - 1 || typeof next !== 'object' || next === null) {
        if (value === undefined) delete place[key];
        else place[key] = value;
        return;
      }
      place = next as Record<string, unknown>;
    }
  }

  it('with any place changed is refused, or works', () => {
    forAll(
      isDeep ? 3000 : 800,
      fc.nat(samples.length - 1),
      fc.array(fc.nat(40), { minLength: 1, maxLength: 10 }),
      fc.option(harm, { nil: undefined }),
      (sample, path, value) => {
        const body = bodyOf(samples[sample]!);
        mutate(body, path, value);
        let online: OnlineClassifier;
        try {
          online = OnlineClassifier.load(written(body));
        } catch (error) {
          expect(error).toBeInstanceOf(HalfspaceError);
          expect((error as HalfspaceError).code).toBe('model-invalid');
          return;
        }
        const row = sample === samples.length - 1 ? [1, 2] : { age: 3, colour: 'red', note: 'more words' };
        for (const label of online.classes.length < 2 ? ['a', 'b'] : online.classes)
          try {
            online.learn(row, label.replace(/^not /, ''));
          } catch (error) {
            expect(error).toBeInstanceOf(HalfspaceError);
          }
        expect(() => OnlineClassifier.load(online.save())).not.toThrow();
      },
    );
  });

  it('is refused if it is cut short, edited, or another file', () => {
    const text = samples[0]!.save();
    for (const broken of ['', '{}', text.slice(0, -9), text.replace('"age"', '"ago"'), '{"format":"halfspace-model"}'])
      expect(codeOf(() => OnlineClassifier.load(broken))).toBe('model-invalid');
    expect(codeOf(() => OnlineClassifier.load(text, { drift: 'adwin' } as object))).toBe('option-invalid');
  });
});
