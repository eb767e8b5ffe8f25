import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, errorCodes, formatPlace, HalfspaceError, quote } from '../src/errors.ts';

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
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true, withTypedArray: true }), (value) => {
        const text = quote(value);
        expect(text.length).toBeLessThanOrEqual(60);
        expect(text).not.toMatch(/[\n\r]/);
      }),
      { numRuns: 1000 },
    );
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
