import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTour } from '../../scripts/compile-tour.ts';
import { hiddenParts } from '../support/boxes.ts';
import { englishOn, englishWords, namesOfSources } from '../support/english-on.ts';
import { faults } from '../support/faults.ts';
import { installMs, LabBrowser, ready } from '../support/lab-page.ts';
import { eachSection, tours } from '../support/walk-tour.ts';

/** Least heights in lines of text, as in `stage.deep.test.ts`. */
const figures = { '.plane .figure': 13, 'section[aria-label="Erste Ansicht"] .picture': 13, '.transport': 5 };

let lab: LabBrowser;
beforeAll(async () => {
  lab = await LabBrowser.open();
}, installMs);
afterAll(() => lab?.close());

const germanTour = (id: string) => readTour(fileURLToPath(new URL(`../../src/tours/german/${id}.md`, import.meta.url)));

/** Opens a place in German. */
const open = (hash: string, width = 1440, height = 900) =>
  lab.page({ reducedMotion: 'reduce', viewport: { width, height } }, `${hash}&lang=de`);

/** The words of the open section without formulas. */
const wordsOf = (page: Page): Promise<string> =>
  page.locator('#tour').evaluate((tour) => {
    const copy = tour.cloneNode(true) as Element;
    for (const formula of copy.querySelectorAll('.katex')) formula.replaceWith(' x ');
    return copy.textContent!;
  });

const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

describe('the tours in German', () => {
  it.each(tours)('%s: no section has English words; claims hold, and figures are in sight', async (id) => {
    const { page, errors } = await open(`#tour=${id}/1`);
    const { sections } = germanTour(id);
    const seen: string[] = [];
    await eachSection(
      page,
      async (heading) => {
        seen.push(heading);
        expect(await page.evaluate(() => location.hash)).toBe(`#tour=${id}/${seen.length}`);
        expect(await englishOn(page), heading).toEqual([]);
        expect(await hiddenParts(page, figures), heading).toEqual([]);
        expect((await wordsOf(page)).replace(namesOfSources, ''), heading).not.toMatch(englishWords);
        await page.waitForFunction(() =>
          [...document.querySelectorAll('.scene.staged .mark')].every((mark) => mark.textContent === '✓'),
        );
      },
      'Weiter',
    );
    expect(seen).toEqual(sections.map(({ heading }) => heading));
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it.each(tours)('%s: no section is wider than a phone', async (id) => {
    const { page } = await open(`#tour=${id}/1`, 360, 640);
    await eachSection(page, async (heading) => expect(await sideways(page), heading).toBeLessThanOrEqual(0), 'Weiter');
    await page.context().close();
  });

  it('are listed in German, and axe finds nothing in them', async () => {
    const { page } = await lab.page({}, '#lang=de');
    await ready(page);
    await page.getByRole('button', { name: 'Touren', exact: true }).click();
    const listed = page.locator('#tour li strong');
    await listed.first().waitFor();
    expect(await listed.allTextContents()).toEqual(tours.map((id) => germanTour(id).title));
    expect(await faults(page, '#tour')).toEqual([]);
    await listed.nth(3).click();
    await page.waitForSelector('.scene.staged');
    expect(await faults(page, '#tour')).toEqual([]);
    // A formula that is wider than the page scrolls, and keys must reach it.
    await page.setViewportSize({ width: 360, height: 640 });
    await page.waitForSelector('.katex-display[tabindex="0"]');
    expect(await faults(page, '#tour')).toEqual([]);
    await page.context().close();
  });

  it('keep the place when the language changes', async () => {
    const { page } = await open('#tour=foda/6');
    const heading = page.locator('#tour h2');
    await page.waitForSelector('.scene.staged');
    expect(await heading.textContent()).toBe(germanTour('foda').sections[5]!.heading);
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'English' }).click()]);
    await page.waitForSelector('.scene.staged');
    expect(await heading.textContent()).toBe('The margin');
    await page.locator('#tour').getByRole('button', { name: 'Tours' }).click();
    await page.getByRole('button', { name: /FODA.*go on at section 6/ }).waitFor();
    await page.context().close();
  });

  it('give their questions in German', async () => {
    const { sections } = germanTour('foda');
    const { page } = await open(`#tour=foda/${sections.length}`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Zum Drucken' }).click(),
    ]);
    const sheet = readFileSync(await download.path(), 'utf8');
    expect(sheet).toContain('<html lang="de">');
    expect(sheet).toContain('<h2>Antworten</h2>');
    expect(sheet.replace(/<math[\s\S]*?<\/math>|<style[\s\S]*?<\/style>|<[^>]*>/g, ' ')).not.toMatch(englishWords);
    await page.context().close();
  });
});
