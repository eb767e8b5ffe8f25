import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hiddenParts } from '../support/boxes.ts';
import { faults } from '../support/faults.ts';
import { installMs, LabBrowser, pictureOf, ready } from '../support/lab-page.ts';

const plane = '.plane .figure';
const view = '.view .picture';

let lab: LabBrowser;
beforeAll(async () => {
  lab = await LabBrowser.open();
}, installMs);
afterAll(() => lab?.close());

const state = (page: Page) =>
  page.evaluate(() => {
    const { presented, concealed, step, playing } = window.halfspaceLab;
    return { presented, concealed, step, playing };
  });
const heading = (page: Page) => page.locator('.presenter h1').innerText();

describe('the presenter', () => {
  for (const [width, height] of [
    [1440, 900],
    [1920, 1080],
    [3840, 2160],
    [390, 844],
  ] as const)
    it(`fills ${width} × ${height} with the plane, a view or both, and nothing is cut off`, async () => {
      const { page, errors } = await lab.page({ viewport: { width, height } });
      const text = () => page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize));
      const before = await text();
      await page.keyboard.press('f');
      await page.waitForSelector('.presenter');
      const time = { '.transport': 3 };
      expect(await hiddenParts(page, { [plane]: 13, [view]: 13, ...time })).toEqual([]);
      await page.keyboard.press('1');
      expect(await hiddenParts(page, { [plane]: 20, ...time })).toEqual([]);
      for (const id of ['proof', 'weights', 'mistakes', 'loss', 'lift', 'learning', 'neuron', 'tree']) {
        await page.evaluate((shown) => {
          window.halfspaceLab.shown = [shown, 'weights'];
        }, id);
        await page.keyboard.press('2');
        await page.waitForFunction(
          (shown) => document.querySelector('.panel')?.getAttribute('data-view') === shown,
          id,
        );
        expect(await hiddenParts(page, { [view]: 20, ...time }), id).toEqual([]);
      }
      expect(await text()).toBeGreaterThan(before * (width > 800 ? 1.3 : 0.99));
      await page.keyboard.press('Escape');
      await page.waitForSelector('.presenter', { state: 'detached' });
      expect(await text()).toBe(before);
      expect(errors).toEqual([]);
      await page.context().close();
    });

  it('turns the scenes of a tour by a clicker, with results hidden until asked', async () => {
    const { page, errors } = await lab.page({}, '#tour=lecture-9/1');
    await page.waitForSelector('.scene.staged');
    const scenes = await page.locator('.scene').count();
    const first = (await page.locator('#tour h2').innerText())!;
    await page.keyboard.press('f');
    await page.waitForSelector('.presenter');
    expect(await heading(page)).toBe(first);
    const updates = async () =>
      (await pictureOf(page, '.timeline')).marks.filter(({ id }) => id?.startsWith('update')).length;
    await page.evaluate(() => window.halfspaceLab.seek(0));
    await page.waitForFunction(() => window.halfspaceLab.step === 0);
    expect(await updates()).toBe(0);
    expect(await page.locator('.presenter li').count()).toBe(0);
    await page.keyboard.press('PageDown');
    expect((await state(page)).concealed).toBe(false);
    expect(await page.locator('.presenter li').count()).toBeGreaterThan(0);
    expect(await heading(page)).toBe(first);
    for (let k = 0; k < 2 * scenes - 1; k++) await page.keyboard.press(k % 2 === 0 ? 'ArrowRight' : ' ');
    await page.waitForFunction((was) => document.querySelector('.presenter h1')?.textContent?.trim() !== was, first);
    await ready(page);
    expect((await state(page)).concealed).toBe(true);
    await page.keyboard.press('PageUp');
    await page.waitForFunction((was) => document.querySelector('.presenter h1')?.textContent?.trim() === was, first);
    expect((await state(page)).concealed).toBe(false);
    await page.keyboard.press('b');
    await page.waitForSelector('.blank');
    await page.keyboard.press('PageDown');
    await page.waitForSelector('.blank', { state: 'detached' });
    expect(await heading(page)).toBe(first);
    await page.keyboard.press('p');
    expect((await state(page)).playing).toBe(true);
    await page.keyboard.press('f');
    await page.waitForSelector('.presenter', { state: 'detached' });
    expect(await state(page)).toMatchObject({ presented: null, concealed: false });
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('is a lecture by one link: it asks, plays, answers, tells the proof line by line, and leads a phone to it', async () => {
    const { page, errors } = await lab.page({ reducedMotion: 'reduce' }, '#/present/xor');
    await page.locator('.presenter .quiz').getByText('Will it stop?').waitFor();
    await ready(page);
    const told = page.locator('.presenter ul li');
    expect([(await state(page)).step, await told.count(), await page.locator('.presenter .wrong').count()]).toEqual([
      0, 0, 0,
    ]);
    await page.keyboard.press('PageDown');
    expect((await state(page)).step).toBeGreaterThan(0);
    await page.keyboard.press('PageDown');
    await expect.poll(() => page.locator('.presenter .wrong').count()).toBe(2);
    for (const count of [1, 2]) {
      await page.keyboard.press('PageDown');
      await expect.poll(() => told.count()).toBe(count);
    }
    expect(await faults(page)).toEqual([]);
    await page.keyboard.press('q');
    const code = page.getByRole('img', { name: /QR code of http.*#tour=xor\/1$/ });
    await code.waitFor();
    expect(await code.locator('svg').count()).toBe(1);
    expect(await faults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.keyboard.press('PageDown');
    await expect.poll(() => new URL(page.url()).hash).toBe('#/present/xor/2');
    await page.keyboard.press('f');
    await expect.poll(() => new URL(page.url()).hash).toBe('#tour=xor/2');
    expect(errors).toEqual([]);
    await page.context().close();
  });

  it('has the keys of the page where there is no tour, and leaves those of the plane to the plane', async () => {
    const { page } = await lab.page();
    await page.evaluate(() => window.halfspaceLab.seek(0));
    await page.getByRole('button', { name: 'Fill the screen' }).first().click();
    await page.waitForSelector('.presenter');
    expect((await state(page)).presented).toBe('plane');
    await page.keyboard.press('ArrowRight');
    expect((await state(page)).step).toBe(1);
    await page.locator('.plane .area').focus();
    const points = () =>
      page.evaluate(() => {
        const { dataset } = window.halfspaceLab;
        return dataset.kind === 'points' ? dataset.points.length : 0;
      });
    const before = await points();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('1');
    expect(await points()).toBe(before + 1);
    await page.keyboard.press('Escape');
    await page.waitForSelector('.presenter', { state: 'detached' });
    await page.context().close();
  });

  for (const colorScheme of ['light', 'dark'] as const)
    it(`is found without fault by axe, ${colorScheme}, with results and with a dark screen`, async () => {
      for (const width of [390, 1440]) {
        const { page } = await lab.page({ colorScheme, viewport: { width, height: 844 } }, '#tour=cs4780/5');
        await page.waitForSelector('.scene.staged');
        await page.keyboard.press('f');
        await page.waitForSelector('.presenter');
        expect(await faults(page)).toEqual([]);
        await page.keyboard.press('r');
        await page.waitForSelector('.presenter li');
        expect(await faults(page)).toEqual([]);
        await page.keyboard.press('b');
        await page.waitForSelector('.blank');
        expect(await faults(page)).toEqual([]);
        await page.context().close();
      }
    });
});
