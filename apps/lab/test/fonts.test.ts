import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../test/support/properties.ts';
import { rangesOf, split } from '../vite-fonts.ts';

describe('fonts in two files', () => {
  it('have every letter in exactly one range', () => {
    forAll(fc.uniqueArray(fc.integer({ min: 0x20, max: 0xffff }), { minLength: 1 }), (points) => {
      const found = rangesOf(points.map((point) => String.fromCodePoint(point)))
        .split(',')
        .flatMap((range) => {
          const [from, to = from] = range
            .replace('U+', '')
            .split('-')
            .map((hex) => Number.parseInt(hex, 16));
          return Array.from({ length: to! - from! + 1 }, (_, k) => from! + k);
        });
      expect(found).toEqual([...points].sort((a, b) => a - b));
    });
  });

  it('are two rules in the place of one; other fonts keep theirs', () => {
    const css = '@font-face{font-family:A;src:url(./a.woff2)}@font-face{font-family:B;src:url(./b.woff2)}p{top:0}';
    expect(split(css, { own: 'a.woff2', later: ['c'], other: 'f.woff2', first: ['x', 'y'] })).toBe(
      '@font-face{font-family:A;src:url(./a.woff2);unicode-range:U+63}' +
        '@font-face{font-family:A;src:url(./f.woff2);unicode-range:U+78-79}' +
        '@font-face{font-family:B;src:url(./b.woff2)}p{top:0}',
    );
  });
});
