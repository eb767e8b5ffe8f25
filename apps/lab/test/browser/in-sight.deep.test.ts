import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installMs, LabBrowser } from '../support/lab-page.ts';

/** Windows of desks, of projectors, of a desk at 200 %, and of phones. */
const sizes = [
  [1280, 800],
  [1366, 768],
  [1440, 900],
  [1600, 900],
  [1920, 1080],
  [2560, 1440],
  [1024, 768],
  [720, 450],
  [844, 390],
  [320, 640],
] as const;

let lab: LabBrowser;
beforeAll(async () => {
  lab = await LabBrowser.open();
}, installMs);
afterAll(() => lab?.close());

describe('the plane and Play are wholly in sight', () => {
  it.each(sizes.flatMap(([width, height]) => [false, true].map((large) => [width, height, large] as const)))(
    'at %i × %i, large text: %s',
    async (width, height, large) => {
      const { page } = await lab.page({ viewport: { width, height } });
      if (large) await page.getByRole('button', { name: 'Large text' }).click();
      const { plane, time } = await page.evaluate(() => {
        const placeOf = (selector: string) => {
          const { top, bottom } = document.querySelector(selector)!.getBoundingClientRect();
          return { top, bottom };
        };
        return { plane: placeOf('.plane .figure'), time: placeOf('.transport') };
      });
      expect(plane.top).toBeGreaterThan(0);
      expect(plane.bottom).toBeLessThanOrEqual(time.top);
      expect(time.bottom).toBeLessThanOrEqual(height);
      expect(plane.bottom - plane.top).toBeGreaterThan(80);
      await page.context().close();
    },
  );
});
