import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hiddenParts } from '../support/boxes.ts';
import { faults } from '../support/faults.ts';
import { installMs, LabBrowser, ready, showTab, viewTitles } from '../support/lab-page.ts';
import { eachSection, tours } from '../support/walk-tour.ts';

const phones = [
  { width: 390, height: 844 },
  { width: 360, height: 640 },
] as const;

let lab: LabBrowser;
beforeAll(async () => {
  lab = await LabBrowser.open();
}, installMs);
afterAll(() => lab?.close());

/** Returns the controls that are smaller than 44 × 44 pixels, with their sizes. */
async function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>('button, select, summary, input, textarea, [role=slider]')];
    return all.flatMap((each) => {
      const { closest } = each;
      // The label of a small box is its target; what is read only by screen readers has none.
      const label = each.matches('[type=checkbox], [type=radio]') ? closest.call(each, 'label') : null;
      const { width, height } = (label ?? each).getBoundingClientRect();
      const isSeen = each.checkVisibility() && closest.call(each, '.visually-hidden') === null;
      if (!isSeen || (width >= 43.9 && height >= 43.9)) return [];
      const name = each.getAttribute('aria-label') ?? each.textContent?.trim() ?? '';
      return [`${each.tagName} “${name.slice(0, 40)}”: ${width.toFixed(1)} × ${height.toFixed(1)}`];
    });
  });
}

describe('on a phone', () => {
  for (const viewport of phones)
    it(`a tour has its figure, time and text in sight together, ${viewport.width} × ${viewport.height}`, async () => {
      for (const tour of tours) {
        const { page, errors } = await lab.page({ viewport, hasTouch: true, isMobile: true }, `#tour=${tour}/1`);
        await eachSection(page, async (heading) => {
          const sight = await page.evaluate(() => document.documentElement.dataset.sight);
          const figure = sight === 'plane' ? '.plane .figure' : 'section[aria-label="First view"] .picture';
          const parts = { [figure]: 10, '.timeline': 2, '#tour h2': 1, '#tour .turn': 2 };
          expect(await hiddenParts(page, parts), `${tour}: ${heading}`).toEqual([]);
          const sheet = (await page.locator('#tour').boundingBox())!;
          expect(sheet.height).toBeLessThanOrEqual(viewport.height * 0.5 + 1);
          const words = await page.locator('#tour .body').innerText();
          expect(words).not.toMatch(/\bclick|arrow keys|\bmouse\b/i);
        });
        expect(errors).toEqual([]);
        await page.context().close();
      }
    });

  it('leads to the other figures of a scene, and says tap where a mouse clicks', async () => {
    const { page } = await lab.page({ viewport: phones[1], hasTouch: true, isMobile: true }, '#tour=five-minutes/2');
    await page.waitForSelector('.scene.staged');
    const words = (at: Page) => at.locator('#tour .text').first().innerText();
    expect(await words(page)).toMatch(/^Tap in the plane/);
    const area = (await page.locator('.plane .area').boundingBox())!;
    const points = () =>
      page.evaluate(() => {
        const { dataset } = window.halfspaceLab;
        return dataset.kind === 'points' ? dataset.points.length : 0;
      });
    const before = await points();
    await page.touchscreen.tap(area.x + area.width * 0.8, area.y + area.height * 0.2);
    expect(await points()).toBe(before + 1);
    const figures = page.getByRole('group', { name: 'Figure above the text' });
    await figures.getByRole('button').nth(1).tap();
    await ready(page);
    expect(await hiddenParts(page, { 'section[aria-label="First view"] .picture': 8, '.timeline': 2 })).toEqual([]);
    expect(await page.locator('.plane .area').isVisible()).toBe(false);
    expect(await faults(page)).toEqual([]);
    await page.context().close();
    const desk = await lab.page({}, '#tour=five-minutes/2');
    await desk.page.waitForSelector('.scene.staged');
    expect(await words(desk.page)).toMatch(/^Click in the plane/);
    await desk.page.context().close();
  });

  for (const viewport of phones)
    it(`every control is at least 44 pixels wide and high, ${viewport.width} × ${viewport.height}`, async () => {
      const { page } = await lab.page({ viewport, hasTouch: true, isMobile: true });
      for (const fold of await page.locator('details.fold > summary').all()) await fold.tap();
      expect(await smallTargets(page)).toEqual([]);
      for (const title of await viewTitles(page)) {
        await showTab(page, title);
        expect(await smallTargets(page), title).toEqual([]);
      }
      await page.locator('.choose').first().tap();
      await page.waitForSelector('.gallery canvas');
      expect(await smallTargets(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Fill the screen' }).first().tap();
      await page.waitForSelector('.presenter');
      expect(await smallTargets(page)).toEqual([]);
      await page.getByRole('button', { name: 'Leave' }).tap();
      await page.getByRole('button', { name: 'Tours', exact: true }).tap();
      await page.waitForSelector('#tour h2');
      expect(await smallTargets(page)).toEqual([]);
      await page.evaluate(() => {
        location.hash = '#tour=cs4780/5';
      });
      await page.waitForSelector('.scene.staged');
      expect(await smallTargets(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
      await page.context().close();
    });
});
