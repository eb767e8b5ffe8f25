import { describe, expect, it } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../../test/support/properties.ts';
import { decimalKey, findClass } from '../../src/features/class-names.ts';
import {
  arrays,
  bags,
  csv,
  decodeModel,
  encodeModel,
  evaluate,
  libsvm,
  type Model,
  ndjson,
  OnlineClassifier,
  rows,
  type Source,
  train,
  vw,
} from '../../src/index.ts';

/** Texts that other programs take for numbers, truth values, dates or missing values, and that are not all different. */
const label = fc.oneof(
  fc.constantFrom('01', '1', '1.0', '1.00', '+1', '1e0', '10', '1_0', '00', '-0', '0', '.5', '0.50', '3.1', '3.10'),
  fc.constantFrom('02134', '2134', '453201511283036611', '453201511283036612', '9007199254740993', '1e400', '0x1'),
  fc.constantFrom('Yes', 'yes', 'YES', 'true', 'TRUE', 'True', 'None', 'NaN', 'a', 'a.', '10%', '2024-01-01', '€'),
  fc.integer({ min: -20, max: 20 }).map(String),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 60n }).map(String),
);
const labels = fc.uniqueArray(label, { minLength: 2, maxLength: 6 });

/** Rows whose column x tells the class. */
const rowsOf = (names: readonly string[]) => names.flatMap((y, k) => [0, 1, 2].map((i) => ({ x: 10 * k + i, y })));

const modelOf = async (source: Source): Promise<Model> =>
  (await train(source, { rule: 'perceptron', passes: 2 })).model;

const sources: Readonly<Record<string, (given: readonly { readonly x: number; readonly y: string }[]) => Source>> = {
  csv: (given) => csv(`x,y\n${given.map(({ x, y }) => `${x},${y}\n`).join('')}`, { label: 'y' }),
  'quoted csv': (given) => csv(`x,y\n${given.map(({ x, y }) => `${x},"${y}"\n`).join('')}`, { label: 'y' }),
  'strings of ndjson': (given) => ndjson(given.map((row) => `${JSON.stringify(row)}\n`).join(''), { label: 'y' }),
  rows: (given) => rows(given, { label: 'y' }),
  arrays: (given) =>
    arrays(
      given.map(({ x }) => [x]),
      given.map(({ y }) => y),
    ),
};

describe('a class is the text of its labels', () => {
  for (const [name, sourceOf] of Object.entries(sources))
    it(`in ${name}, in any order of the rows`, async () => {
      await forAllAsync(40, labels, fc.nat(), async (names, at) => {
        const all = rowsOf(names);
        const cut = at % all.length;
        const model = await modelOf(sourceOf(all));
        expect([...model.classes].sort()).toEqual([...names].sort());
        expect((await modelOf(sourceOf([...all.slice(cut), ...all.slice(0, cut)]))).classes).toEqual(model.classes);
        const again = decodeModel(encodeModel(model));
        expect((await evaluate(again, sourceOf(all))).examples).toBe(all.length);
      });
    });

  it('online, in any order of the rows', () => {
    forAll(40, labels, fc.nat(), (names, at) => {
      const learned = (given: readonly { x: number; y: string }[]) => {
        const online = new OnlineClassifier();
        for (const { y, ...row } of given) online.learn(row, y);
        return OnlineClassifier.load(online.save());
      };
      const all = rowsOf(names);
      const online = learned(all);
      expect([...online.classes].sort()).toEqual([...names].sort());
      expect(online.model().classes).toEqual(online.classes);
      const cut = at % all.length;
      expect(learned([...all.slice(cut), ...all.slice(0, cut)]).classes).toEqual(online.classes);
    });
  });

  it('so numbers only decide the order, exactly', async () => {
    const { classes } = await modelOf(
      sources.csv!(rowsOf(['453201511283036612', '10', '453201511283036611', '9', '09'])),
    );
    expect(classes).toEqual(['9', '09', '10', '453201511283036611', '453201511283036612']);
  });

  it('and says which labels look alike, from any source and online', async () => {
    const note = async (...names: string[]) =>
      ((await train(sources.csv!(rowsOf(names)), { rule: 'perceptron', passes: 1 })).notes ?? []).join('\n');
    expect(await note('Yes', 'no', 'yes')).toContain('"Yes" (3), "yes" (3); the option joinLabels');
    expect(await note('01', '1', '2')).toContain('"1" (3), "01" (3)');
    // Two blanks, a no-break space, another form of é.
    expect(await note('a b', 'a  b', 'a\u00a0b', 'é', 'e\u0301')).toMatch(
      /"a {2}b" \(3\), "a b".*; "e\S+" \(3\), "é" \(3\)/,
    );
    expect(await note('a', 'b', 'a b', 'ab')).toBe('');
    const alike = '"Yes" (2), "yes" (2); write them alike if they are one class';
    for (const source of [
      arrays([[1], [2], [3], [4], [9]], ['Yes', 'yes', 'yes', 'Yes', 'no']),
      vw('Yes | a\nyes | b\nyes | b\nYes | a\nno | c\n'),
      bags(
        [
          { a: 1, y: 'Yes' },
          { b: 1, y: 'yes' },
          { b: 2, y: 'yes' },
          { a: 2, y: 'Yes' },
          { c: 1, y: 'no' },
        ],
        {
          label: 'y',
        },
      ),
    ])
      expect((await train(source, { rule: 'perceptron', passes: 1 })).notes.join()).toContain(alike);
    const online = new OnlineClassifier();
    for (const label of ['01', 'a', '1', '1']) online.learn([1], label);
    expect(online.notes.join()).toContain('are different classes: "01", "1"; write them alike');
    const blanks = csv('x,y\n1,a\n2,"a "\n3,b\n', { label: 'y' });
    expect((await train(blanks, { rule: 'perceptron', passes: 1 })).notes?.join()).toContain('"a", "a "');
  });
});

describe('joinLabels', () => {
  it('makes one class of labels that differ only in how they are written, with the most frequent name', async () => {
    const given = [...rowsOf(['yes', 'no']), { x: 1, y: 'YES' }, { x: 2, y: 'Yes' }, { x: 12, y: 'No.' }];
    for (const source of [
      rows(given, { label: 'y', joinLabels: true }),
      csv(`x,y\n${given.map(({ x, y }) => `${x},${y}\n`).join('')}`, { label: 'y', joinLabels: true }),
    ]) {
      const model = decodeModel(encodeModel(await modelOf(source)));
      expect(model.classes).toEqual(['no', 'yes']);
      expect((await evaluate(model, rows([{ x: 1, y: 'yEs' }], { label: 'y' }))).examples).toBe(1);
    }
    const numbers = rows(rowsOf(['1', '1.0', '0', '0.0']), { label: 'y', joinLabels: true, positive: '1e0' });
    expect((await modelOf(numbers)).classes).toEqual(['0', '1']);
  });
});

describe('a text may name the class of equal value', () => {
  it('if no other class has this value', () => {
    expect(findClass(['0', '1'], '1.0')).toBe(1);
    expect(findClass(['0.0', '1.0'], '1')).toBe(1);
    expect(findClass(['01', '1'], '01')).toBe(0);
    expect(findClass(['01', '1'], '1.0')).toBe(-1);
    expect(findClass(['453201511283036611'], '453201511283036612')).toBe(-1);
  });

  it('exactly: keys of decimals are equal if their values are', () => {
    const decimal = fc
      .tuple(
        fc.constantFrom('', '-', '+', '+-'),
        fc.stringMatching(/^\d{1,20}$/),
        fc.stringMatching(/^(\.\d{0,6})?$/),
        fc.integer({ min: -8, max: 8 }),
      )
      .map(([sign, whole, fraction, power]) => ({ sign, whole, fraction: fraction.slice(1), power }));
    type Decimal = ReturnType<typeof decimal.generate>['value'];
    /** The value times 10^14. */
    const scaled = ({ sign, whole, fraction, power }: Decimal) =>
      BigInt(`${whole}${fraction}`) * 10n ** BigInt(14 + power - fraction.length) * (sign.endsWith('-') ? -1n : 1n);
    const textOf = ({ sign, whole, fraction, power }: Decimal) =>
      `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}${power === 0 ? '' : `e${power}`}`;
    forAll(decimal, decimal, (a, b) => {
      expect(decimalKey(textOf(a)) === decimalKey(textOf(b))).toBe(scaled(a) === scaled(b));
      const moved = `${a.sign}${a.whole}${a.fraction}000e${a.power - a.fraction.length - 3}`;
      expect(decimalKey(moved)).toBe(decimalKey(textOf(a)));
    });
    expect(decimalKey('1_000')).toBe(decimalKey('1e3'));
    for (const text of ['', 'x', '0x1', '1e400', 'NaN', '1%']) expect(decimalKey(text)).toBeNull();
  });

  it('for the positive class, weights of classes and explanations', async () => {
    const given = rowsOf(['0.0', '1.0', '2.0']);
    const positive = (value: string | number) => csvOf(given, { positive: value });
    const { model } = await train(positive(1), { rule: 'averaged', holdout: 0.3 });
    expect(model.classes).toEqual(['not 1.0', '1.0']);
    // The same rows are held out as for the exact text.
    const exact = await train(positive('1.0'), { rule: 'averaged', holdout: 0.3 });
    expect(encodeModel(model)).toBe(encodeModel(exact.model));
    const inRows = await train(rows(given, { label: 'y', positive: 1 }), { rule: 'averaged', holdout: 0.3 });
    const exactRows = await train(rows(given, { label: 'y', positive: '1.0' }), { rule: 'averaged', holdout: 0.3 });
    expect(encodeModel(inRows.model)).toBe(encodeModel(exactRows.model));
    const weighed = (name: string) =>
      train(sources.csv!(rowsOf(['01', '1'])), { rule: 'perceptron', classWeights: { [name]: 9 } });
    const [a, b] = [await weighed('01'), await weighed('1')];
    expect(encodeModel(a.model)).not.toBe(encodeModel(b.model));
    await expect(weighed('1.0')).rejects.toThrow('classWeights must be of the classes 1, 01; got "1.0"');
  });
});

const csvOf = (given: readonly { x: number; y: string }[], options: { positive?: string | number }) =>
  csv(`x,y\n${given.map(({ x, y }) => `${x},${y}\n`).join('')}`, { label: 'y', ...options });

describe('the kind category', () => {
  it('may be asked for the label column, and no other', async () => {
    const of = (kind: 'category' | 'number') =>
      csv('x,y\n1,01\n2,1\n', { label: 'y', features: { columns: { y: { kind } } } });
    expect((await modelOf(of('category'))).classes).toEqual(['1', '01']);
    await expect(modelOf(of('number'))).rejects.toThrow('expected the kind category or none for the label column "y"');
  });
});

describe('whole numbers beyond 2^53', () => {
  it('keep their digits as numbers of JSON and as bigints, and are refused as numbers', async () => {
    const [a, b] = ['453201511283036611', '453201511283036612'];
    const text = [1, 2, 3].map((x) => `{"x":${x},"y":${a}}\n{"x":${x + 10},"y":${b}}\n`).join('');
    expect((await modelOf(ndjson(text, { label: 'y' }))).classes).toEqual([a, b]);
    const big = [1, 2].map((x) => ({ x, y: BigInt(x === 1 ? a : b) }));
    expect((await modelOf(rows(big, { label: 'y' }))).classes).toEqual([a, b]);
    const refused = /expected a label (whose digits a number keeps|up to 2\^53)/;
    await expect(modelOf(arrays([[1], [2]], [Number(a), 1]))).rejects.toThrow(refused);
    const rounded = big.map(({ x, y }) => ({ x, y: Number(y) + 256 * x }));
    await expect(modelOf(rows(rounded, { label: 'y' }))).rejects.toThrow(refused);
    await expect(
      modelOf(
        libsvm(`${a} 1:1
1 1:2
`),
      ),
    ).rejects.toThrow(refused);
    expect(() => new OnlineClassifier().learn({ x: 1 }, Number(a))).toThrow(refused);
  });
});
