import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hiddenParts } from '../support/boxes.ts';
import { installMs, LabBrowser } from '../support/lab-page.ts';
import { eachSection, tours } from '../support/walk-tour.ts';

/** Least heights in lines of text: a figure must be readable from the last row. */
const plane = { '.plane .figure': 13 };
const firstView = { 'section[aria-label="First view"] .picture': 13 };
const time = { '.transport': 5 };

let lab: LabBrowser;
beforeAll(async () => {
  lab = await LabBrowser.open();
}, installMs);
afterAll(() => lab?.close());

describe('on a projector', () => {
  for (const { width, height, large } of [
    { width: 1440, height: 900, large: false },
    { width: 1920, height: 1080, large: false },
    { width: 1920, height: 1080, large: true },
  ])
    it(`plane, view and time are wholly visible in all 49 sections at ${width} × ${height}${large ? ', text large' : ''}`, async () => {
      let sections = 0;
      for (const tour of tours) {
        const { page, errors } = await lab.page({ viewport: { width, height } }, `#tour=${tour}/1`);
        if (large) await page.getByRole('button', { name: 'Large text' }).click();
        sections += await eachSection(page, async (heading) => {
          expect(await hiddenParts(page, { ...plane, ...firstView, ...time }), `${tour}: ${heading}`).toEqual([]);
        });
        expect(errors).toEqual([]);
        await page.context().close();
      }
      expect(sections).toBe(49);
    });
});
