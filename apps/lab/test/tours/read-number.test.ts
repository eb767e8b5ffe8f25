import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { readNumber } from '../../src/tours/read-number.ts';

describe('a number that a reader types', () => {
  it('is the one that was written, in every usual way', () => {
    const locales = fc.constantFrom('en', 'de-DE', 'de-CH', 'fr');
    const decimals = fc.nat(6);
    forAll(locales, fc.integer(), decimals, fc.boolean(), (locale, digits, most, useGrouping) => {
      const value = Number((digits / 10 ** most).toFixed(most));
      // `1,234` has groups, whoever wrote it, and `1.234` decimals: see below.
      fc.pre(
        !/^-?[1-9]\d{0,2}[.,]\d{3}$/.test(value.toLocaleString(locale, { maximumFractionDigits: 6, useGrouping })),
      );
      const text = value.toLocaleString(locale, { maximumFractionDigits: 6, useGrouping });
      expect(readNumber(text), text).toBe(value);
      expect(readNumber(` ${text.replace('-', '−')} `)).toBe(value);
    });
  });

  it.each([
    ['1,234', 1234],
    ['-1,234', -1234],
    ['1.234', 1.234],
    ['0,125', 0.125],
    ['1,234,567', 1234567],
    ['1.234.567', 1234567],
    ['1/3', 1 / 3],
    ['−2,5 / 5', -0.5],
    ['1e-3', 0.001],
    ['.5', 0.5],
    ['7.', 7],
    ['1’234', 1234],
    ['12,3456', 12.3456],
  ])('%s: %d', (text, value) => {
    expect(readNumber(text)).toBe(value);
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
    expect(readNumber(text)).toBeNaN();
  });
});
