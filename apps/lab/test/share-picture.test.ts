import { inflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { themes } from '../src/picture/theme.ts';
import { drawSharePicture } from '../vite-share-picture.ts';

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
