import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readNumber } from '../../src/tours/read-number.ts';

describe('a number that a reader types', () => {
  it('is the one that was written, in every usual way', () => {
    const way = fc.constantFrom(
      ['en', 'en'] as const,
      ['de', 'de-DE'] as const,
      ['de', 'de-CH'] as const,
      ['en', 'fr'] as const,
      ['de', 'fr'] as const,
    );
    const decimals = fc.nat(6);
    fc.assert(
      fc.property(way, fc.integer(), decimals, fc.boolean(), ([language, locale], digits, most, useGrouping) => {
        const value = Number((digits / 10 ** most).toFixed(most));
        // Groups and three decimals alone are what the languages read differently: see below.
        fc.pre(
          !/^-?[1-9]\d{0,2}[.,]\d{3}$/.test(value.toLocaleString(locale, { maximumFractionDigits: 6, useGrouping })),
        );
        const text = value.toLocaleString(locale, { maximumFractionDigits: 6, useGrouping });
        expect(readNumber(text, language), text).toBe(value);
        expect(readNumber(` ${text.replace('-', '−')} `, language)).toBe(value);
      }),
    );
  });

  it.each([
    ['1,234', 1234, 1.234],
    ['-1,234', -1234, -1.234],
    ['1.234', 1.234, 1.234],
    ['0,125', 0.125, 0.125],
    ['1,234,567', 1234567, 1234567],
    ['1.234.567', 1234567, 1234567],
    ['1/3', 1 / 3, 1 / 3],
    ['−2,5 / 5', -0.5, -0.5],
    ['1e-3', 0.001, 0.001],
    ['.5', 0.5, 0.5],
    ['7.', 7, 7],
    ['1’234', 1234, 1234],
    ['12,3456', 12.3456, 12.3456],
  ])('%s: %d in English, %d in German', (text, english, german) => {
    expect(readNumber(text, 'en')).toBe(english);
    expect(readNumber(text, 'de')).toBe(german);
  });

  it.each([
    '',
    ' ',
    '-',
    'four',
    '1,23,4',
    '1.2.3',
    '1,2345,678',
    '1.234,567,8',
    '1/2/3',
    '1/0',
    '/2',
    '0x10',
    'Infinity',
    '12 34',
    '1..5',
  ])('is none in “%s”', (text) => {
    for (const language of ['en', 'de'] as const) expect(readNumber(text, language)).toBeNaN();
  });
});
