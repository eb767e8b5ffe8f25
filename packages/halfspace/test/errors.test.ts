import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../test/support/properties.ts';
import { type ErrorCode, errorCodes, formatPlace, HalfspaceError, quote } from '../src/errors.ts';
import { evaluate } from '../src/model/judge.ts';
import { treeSvg } from '../src/model/tree/draw-svg.ts';
import { drawTree } from '../src/model/tree/draw-text.ts';
import { growTree } from '../src/model/tree/grow.ts';
import { printable, printableLines } from '../src/printable.ts';
import { MulticlassPerceptron } from '../src/rules/multiclass-perceptron.ts';
import {
  completeRuleOptions,
  createLearner,
  createMulticlassLearner,
  type RuleName,
  rules,
} from '../src/rules/registry.ts';
import { compareRules } from '../src/select/compare-rules.ts';
import { learningCurve, validationCurve } from '../src/select/curves.ts';
import { train } from '../src/select/train.ts';
import { rows as rowsOf } from '../src/table/rows.ts';
import { findMaximumMargin } from '../src/train/find-margin.ts';
import { trainOnce } from '../src/train/train-once.ts';
import { reference } from './support/kernels.ts';
import { rawSigns } from './support/nasty-words.ts';
import { learnedByExample } from './support/several.ts';

describe('an error', () => {
  it('has a code, a place, and a message of one line that starts with the place', () => {
    const error = new HalfspaceError('number-invalid', 'expected a number; got "x"', {
      source: 'data.svm',
      line: 17,
      column: 5,
      byte: 130,
    });
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe('HalfspaceError');
    expect(error.code).toBe('number-invalid');
    expect(error.where).toEqual({ source: 'data.svm', line: 17, column: 5, byte: 130 });
    expect(error.message).toBe('data.svm:17:5, byte 130: expected a number; got "x"');
  });

  it('without a place is its message alone', () => {
    expect(new HalfspaceError('option-invalid', 'seed must be a whole number from 0; got -1').message).toBe(
      'seed must be a whole number from 0; got -1',
    );
  });

  it('has an exit status and an HTTP status', () => {
    const exits = new Set(Object.values(errorCodes).map(({ exit }) => exit));
    // 0 is success and 1 a "no": neither is an error.
    expect([...exits].sort()).toEqual([2, 3, 4]);
    for (const [code, { http }] of Object.entries(errorCodes)) {
      expect(http >= 400 && http < 600, code).toBe(true);
      expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
    }
    const usage: ErrorCode[] = ['option-invalid', 'column-unknown'];
    for (const code of usage) expect(errorCodes[code]).toEqual({ exit: 2, http: 400 });
  });
});

describe('a place', () => {
  it.each([
    [{}, ''],
    [{ source: 'a.csv' }, 'a.csv'],
    [{ source: 'a.svm', line: 3 }, 'a.svm:3'],
    [{ source: 'a.svm', line: 3, column: 9 }, 'a.svm:3:9'],
    [{ line: 3 }, 'line 3'],
    [{ line: 3, column: 9 }, 'line 3:9'],
    [{ source: '-', byte: 0 }, '-, byte 0'],
    [{ source: 'a.csv', row: 17, field: 'age' }, 'a.csv, row 17, column "age"'],
    [{ row: 2 }, 'row 2'],
    [{ field: 'a "b"\n' }, 'column "a \\"b\\"\\n"'],
    [{ column: 4 }, 'position 4'],
    [{ source: 'a', column: 4, byte: 7 }, 'a, position 4, byte 7'],
  ])('%j is written %j', (where, text) => {
    expect(formatPlace(where)).toBe(text);
  });
});

describe('a quoted value', () => {
  it.each([
    ['', '""'],
    ['a "b"', '"a \\"b\\""'],
    ['one\ntwo', '"one\\ntwo"'],
    [-1.5, '-1.5'],
    [Number.NaN, 'NaN'],
    [undefined, 'nothing'],
    [null, 'null'],
    [true, 'true'],
    [10n, '10'],
    ['x'.repeat(100), `"${'x'.repeat(57)}…"`],
  ] as const)('is short (%#)', (value, text) => {
    expect(quote(value)).toBe(text);
  });

  it('is short, on one line, and never throws for any value', () => {
    forAll(1000, fc.anything({ withBigInt: true, withNullPrototype: true, withTypedArray: true }), (value) => {
      const text = quote(value);
      expect(text.length).toBeLessThanOrEqual(60);
      expect(text).not.toMatch(/[\n\r]/);
    });
  });

  it.each([
    [{}],
    [{ toString: 1, valueOf: 2 }],
    [[{ toString: null }]],
    [Object.create(null)],
    [Symbol('a')],
    [() => 1],
    [Array(1e6).fill(1)],
  ])('may be of any type (%#)', (value) => {
    expect(() => quote(value)).not.toThrow();
    expect(quote(value).length).toBeLessThanOrEqual(60);
  });
});

/** Any UTF-16 units, those that matter often. */
const words = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'abc\\ é中👨',
        '\u200d',
        '\u200c',
        '\ufe0f',
        '\u0633',
        ...'\n\r\t\u001b\u007f\u009b\u00ad\u061c\u200b\u200e\u202e\u2066\u2028\u2029\ufeff',
      ),
      fc.nat(0xffff).map((unit) => String.fromCharCode(unit)),
      fc
        .nat(0x10ffff)
        .filter((point) => point < 0xd800 || point > 0xdfff)
        .map((point) => String.fromCodePoint(point)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

describe('a printable word', () => {
  it('has nothing that a terminal obeys or that is invisible', () => {
    forAll(2000, words, (word) => {
      expect(rawSigns(printable(word))).toEqual([]);
      expect(rawSigns(printableLines(word).replace(/[\n\t]/g, ''))).toEqual([]);
      expect(printableLines(word).replaceAll('\n', '\\n').replaceAll('\t', '\\t')).toBe(printable(word));
    });
  });

  it('does not change when it is made printable again', () => {
    forAll(2000, words, (word) => {
      expect(printable(printable(word))).toBe(printable(word));
    });
  });

  it('can be read back as the inside of a JSON string, once its own backslashes are doubled', () => {
    forAll(2000, words, (word) => {
      const shown = printable(word.replaceAll('\\', '\\\\'));
      expect(JSON.parse(`"${shown.replaceAll('"', '\\"')}"`)).toBe(word);
    });
  });

  it.each([
    'plain',
    'C:\\data\\a b.csv',
    'naïve',
    '中文',
    'می\u200cخواهم',
    'क्\u200dष',
    '👨\u200d👩\u200d👧',
    '❤\ufe0f\u200d🔥',
    '👩🏽\u200d🚀',
    '\u0600\u0661',
    '\u00a0',
  ])('is the word itself if it is ordinary: %s', (word) => expect(printable(word)).toBe(word));

  it('shows what was there', () => {
    expect(printable('a\u001b[31m\nb\t\u202e\u{e0041}\ud800')).toBe('a\\u001b[31m\\nb\\t\\u202e\\udb40\\udc41\\ud800');
    expect(printable('a\u200db')).toBe('a\\u200db');
  });
});

describe('words of data in messages and drawings', () => {
  it('are printable in every message of an error, quoted or not, and in its place', () => {
    forAll(500, words, words, (word, other) => {
      const { message } = new HalfspaceError('row-malformed', `expected ${word}; got ${quote(other)}`, {
        source: other,
        field: word,
      });
      expect(rawSigns(message)).toEqual([]);
      expect(rawSigns(quote(word, 9))).toEqual([]);
      expect(rawSigns(quote([word, { [word]: other }], 30))).toEqual([]);
    });
  });

  it('are printable in both drawings of a tree', () => {
    forAll(200, words, words, words, words, (column, level, one, other) => {
      const tree = growTree({
        rows: 4,
        columns: [
          { kind: 'category', name: column, levels: [level, `${level}2`] },
          { kind: 'number', name: `${column}3` },
        ],
        values: [Int32Array.of(0, 0, 1, 1), Float64Array.of(1, 2, 1, 2)],
        classes: [one, `${other}4`],
        labels: Int32Array.of(0, 0, 1, 0),
        importance: null,
      });
      for (const line of drawTree(tree, { width: 40 })) expect(rawSigns(line)).toEqual([]);
      const svg = treeSvg(tree);
      expect(rawSigns(svg.replaceAll('\n', ''))).toEqual([]);
    });
  });
});

const kernels = reference();
const rows = [
  { x: 1, y: 'a' },
  { x: 2, y: 'b' },
  { x: 3, y: 'b' },
];
const source = () => rowsOf(rows, { label: 'y' });
const strange = { alhpa: 1 } as object;

/** Everything that takes options, with a name that none of them has. */
const takers: Readonly<Record<string, () => unknown>> = {
  train: () => train(source(), strange),
  'a rule of train': () => train(source(), { rule: { name: 'sgd', ...strange } }),
  trainOnce: () => trainOnce([] as never, strange),
  evaluate: async () => evaluate((await train(source())).model, source(), strange),
  compareRules: () => compareRules(source(), strange),
  'a candidate': () => compareRules(source(), { candidates: [{ name: 'sgd', ...strange }] }),
  learningCurve: () => learningCurve(source(), strange),
  validationCurve: () => validationCurve(source(), { rule: { name: 'sgd', ...strange } }),
  findMaximumMargin: () => findMaximumMargin(source(), strange),
  rows: () => rowsOf(rows, { label: 'y', ...strange }),
  MulticlassPerceptron: () => new MulticlassPerceptron('perceptron', strange),
  ...Object.fromEntries(
    (Object.keys(rules) as RuleName[]).map((rule) => [
      `the options of ${rule}`,
      () => completeRuleOptions(rule, strange),
    ]),
  ),
  ...Object.fromEntries(
    learnedByExample.flatMap((rule) => [
      [`a learner by ${rule}`, () => createLearner(kernels, rule, strange)],
      [`learners by ${rule}`, () => createMulticlassLearner(kernels, rule, 'one-vs-rest', { ...strange, classes: 3 })],
    ]),
  ),
};

describe('an unknown option', () => {
  it.each(Object.entries(takers))('is refused by %s', async (_, take) => {
    const taken = (async () => take())();
    await expect(taken).rejects.toBeInstanceOf(HalfspaceError);
    await expect(taken).rejects.toMatchObject({
      code: 'option-invalid',
      message: expect.stringContaining('got "alhpa"'),
    });
  });

  it('is refused with the name that was probably meant', () => {
    expect(() => createLearner(kernels, 'sgd', strange)).toThrow('got "alhpa"; did you mean "alpha"?');
    expect(() => createLearner(kernels, 'tre' as 'tree', {})).toThrow('; did you mean "tree"?');
  });

  it('is refused by the types if it is written out, as is an option of another rule', () => {
    // @ts-expect-error: sgd has `alpha`.
    expect(() => createLearner(kernels, 'sgd', { alhpa: 1 })).toThrow(HalfspaceError);
    // @ts-expect-error: `margin` is an option of another rule.
    expect(() => createLearner(kernels, 'averaged', { margin: 1 })).toThrow(HalfspaceError);
    // @ts-expect-error: a number.
    expect(() => createLearner(kernels, 'arow', { r: '1' })).toThrow(HalfspaceError);
    expect(() => createLearner(kernels, 'arow', { r: 2, tie: 1, biasConstant: 0 })).not.toThrow();
  });

  it('counts as absent where it is undefined', () => {
    expect(() => createLearner(kernels, 'sgd', { alhpa: undefined } as object)).not.toThrow();
  });
});
