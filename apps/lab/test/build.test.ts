import { inflateSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { fc, forAll } from '../../../test/support/properties.ts';
import { readmePicture, title } from '../scripts/readme-picture.ts';
import { pictureToSvg } from '../src/export/svg.ts';
import { themes } from '../src/picture/theme.ts';
import { rangesOf, split } from '../vite-fonts.ts';
import { drawSharePicture } from '../vite-share-picture.ts';

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

it('the picture of links is a PNG of two sides, with the line between them', () => {
  const png = Buffer.from(drawSharePicture());
  expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  expect([width, height]).toEqual([1200, 630]);
  const at = png.indexOf('IDAT');
  const rows = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  expect(rows.length).toBe(height * (1 + 3 * width));
  const colour = (x: number, y: number) =>
    `#${rows.subarray(y * (1 + 3 * width) + 1 + 3 * x, y * (1 + 3 * width) + 4 + 3 * x).toString('hex')}`;
  expect(colour(1195, 5)).toBe(themes.light['positive-region']);
  expect(colour(5, 625)).toBe(themes.light['negative-region']);
  expect(colour(600, 315)).toBe(themes.light.ink);
});

const picture = await readmePicture();

test.each(['light', 'dark'] as const)('npm run picture draws the %s picture of the README', async (theme) => {
  const file = `../../../docs/pictures/perceptron-${theme}.svg`;
  await expect(pictureToSvg(picture, theme, title)).toMatchFileSnapshot(file);
});

test('the picture shows what its title says: five lines, and 342 penguins, none of them inside the margin', () => {
  const { marks } = picture;
  const lines = marks.filter(({ kind, id }) => kind === 'line' && /^line \d$/.test(id ?? ''));
  expect(lines.map(({ id }) => id)).toEqual(['line 1', 'line 2', 'line 3', 'line 4', 'line 5']);
  const penguins = marks.flatMap((mark) => (mark.kind === 'symbol' && mark.fill !== undefined ? [mark] : []));
  expect(penguins).toHaveLength(342);

  const edges = marks.flatMap((mark) => (mark.kind === 'line' && mark.id === 'edge of the margin' ? [mark] : []));
  const below = ([x, y]: readonly [number, number], { from, to }: (typeof edges)[number]) =>
    y - from[1] - ((x - from[0]) * (to[1] - from[1])) / (to[0] - from[0]);
  const heights = penguins.map(({ at }) => edges.map((edge) => below(at, edge)).sort((a, b) => a - b));
  expect(heights.filter(([low, high]) => low! < -1e-6 && high! > 1e-6)).toEqual([]);
  // The margin ends at a penguin.
  expect(heights.filter((pair) => pair.some((height) => Math.abs(height) < 1e-6)).length).toBeGreaterThanOrEqual(1);
});
