import { expect, test } from 'vitest';
import { readmePicture, title } from '../scripts/readme-picture.ts';
import { pictureToSvg } from '../src/export/svg.ts';

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
