import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hiddenParts } from '../support/boxes.ts';
import { englishOn } from '../support/english-on.ts';
import { faults } from '../support/faults.ts';
import { installMs, LabBrowser, ready } from '../support/lab-page.ts';

let lab: LabBrowser;
beforeAll(async () => {
  lab = await LabBrowser.open();
}, installMs);
afterAll(() => lab?.close());

const open = (width: number, height: number, hash = '#lang=de', first = false) =>
  lab.page({ first, reducedMotion: 'reduce', viewport: { width, height } }, hash);

describe('the lab in German', () => {
  it('says nothing in English: in any view, choice, dialog or panel', async () => {
    const { page, errors } = await open(1440, 900);
    expect(await page.evaluate(() => [document.documentElement.lang, location.hash])).toEqual(['de', '']);
    await page.getByRole('button', { name: 'Zum Ende', exact: true }).click();
    expect(await englishOn(page)).toEqual([]);
    for (const preset of ['xor', 'penguins']) {
      await page.getByRole('combobox', { name: 'Daten' }).selectOption(preset);
      await ready(page);
      for (const tab of await page.getByRole('tablist').first().getByRole('tab').all()) {
        await tab.click();
        await ready(page);
        const choices = page.getByRole('tabpanel').first().getByRole('combobox');
        const ids = (await choices.count()) === 0 ? [null] : await choices.locator('option').evaluateAll(valuesOf);
        for (const id of ids) {
          if (id !== null) await choices.selectOption(id);
          await page.evaluate(() => new Promise(requestAnimationFrame));
          expect(await englishOn(page), `${preset}, ${await tab.textContent()}, ${id}`).toEqual([]);
        }
      }
    }
    for (const algorithm of await page
      .getByRole('combobox', { name: 'Algorithmus' })
      .locator('option')
      .evaluateAll(valuesOf)) {
      await page.getByRole('combobox', { name: 'Algorithmus' }).selectOption(algorithm);
      await ready(page);
      expect(await englishOn(page), algorithm).toEqual([]);
    }
    for (const [button, close] of [
      ['Teilen', 'Schließen'],
      ['Tasten', 'Schließen'],
    ] as const) {
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.getByRole('dialog').waitFor();
      expect(await englishOn(page), button).toEqual([]);
      expect(await faults(page), button).toEqual([]);
      await page.getByRole('dialog').getByRole('button', { name: close }).click();
    }
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('keeps the language that was chosen, and the data, and goes back to English', async () => {
    const { page } = await open(1440, 900, '');
    await page.getByRole('combobox', { name: 'Data' }).selectOption('xor');
    await ready(page);
    await page.waitForTimeout(600);
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Deutsch' }).click()]);
    await ready(page);
    await page.getByRole('heading', { name: 'Algorithmus' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Daten' }).inputValue()).toBe('xor');
    await page.reload();
    await ready(page);
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'English' }).click()]);
    await page.getByRole('heading', { name: 'Algorithm', exact: true }).waitFor();
    await page.context().close();
  });

  it('proves the theorem in German', async () => {
    const context = await lab.browser.newContext({ locale: 'de-DE' });
    const page = await context.newPage();
    await page.goto(`${lab.url}theorem.html`);
    await page.getByRole('heading', { name: '7. Der Satz' }).waitFor();
    expect(await englishOn(page)).toEqual([]);
    expect(await page.title()).toBe('Warum das Perzeptron anhalten muss');
    await context.close();
  });

  for (const [width, height] of [
    [360, 640],
    [390, 844],
    [1440, 900],
    [1920, 1080],
  ] as const)
    it(`has room for the longer words, ${width} pixels wide`, async () => {
      const { page } = await open(width, height);
      for (const tab of await page.getByRole('tablist').first().getByRole('tab').all()) {
        await tab.click();
        await ready(page);
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(sideways, `${await tab.textContent()}`).toBeLessThanOrEqual(0);
      }
      const shown = { '.plane .figure': 13, '.transport': 5 };
      if (width >= 1440) expect(await hiddenParts(page, shown)).toEqual([]);
      await page.context().close();
    });
});

const valuesOf = (options: (HTMLElement | SVGElement)[]) =>
  options.map((option) => (option as HTMLOptionElement).value);
