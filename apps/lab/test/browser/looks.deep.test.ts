import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installMs, LabBrowser } from '../support/lab-page.ts';
import { difference, keptLook, lookOf } from '../support/look.ts';

/** The share of cells that may differ: letters of other fonts, edges. A missing view is more. */
const tolerance = 0.03;

const desk = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const states = [
  { name: 'first-visit-light', viewport: desk, colorScheme: 'light', first: true, hash: '' },
  { name: 'tour-light', viewport: desk, colorScheme: 'light', hash: '#tour=foda/4' },
  { name: 'tour-dark', viewport: desk, colorScheme: 'dark', hash: '#tour=foda/4' },
  {
    name: 'slide-light',
    viewport: { width: 1920, height: 1080 },
    colorScheme: 'light',
    hash: '#tour=lecture-9/6',
    keys: 'f',
  },
  {
    name: 'slide-dark',
    viewport: { width: 3840, height: 2160 },
    colorScheme: 'dark',
    hash: '#tour=lecture-9/6',
    keys: 'f',
  },
  { name: 'phone-tour-light', viewport: phone, colorScheme: 'light', hash: '#tour=five-minutes/2', hasTouch: true },
  {
    name: 'phone-slide-dark',
    viewport: phone,
    colorScheme: 'dark',
    hash: '#tour=lecture-9/6',
    keys: 'f',
    hasTouch: true,
  },
] as const;

let lab: LabBrowser;
beforeAll(async () => {
  lab = await LabBrowser.open();
}, installMs);
afterAll(() => lab?.close());

describe('the page looks as it did', () => {
  it.each(states)('$name', async ({ name, hash, ...options }) => {
    const { page, errors } = await lab.page({ ...options, reducedMotion: 'reduce' }, hash);
    if (hash !== '') await page.locator('.scene.staged').first().waitFor();
    if ('keys' in options) {
      await page.keyboard.press(options.keys);
      await page.locator('.presenter').waitFor();
    }
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(300);
    const present = await lookOf(page);
    const kept = keptLook(join(import.meta.dirname, `../looks/${name}.txt`), present);
    expect(kept, 'the look is kept by LOOKS=write').not.toBeNull();
    expect(difference(present, kept!)).toBeLessThanOrEqual(tolerance);
    // The measure sees when a picture is gone, and when colours are exchanged.
    await page.addStyleTag({ content: 'canvas { visibility: hidden }' });
    expect(difference(await lookOf(page), kept!)).toBeGreaterThan(2 * tolerance);
    expect(errors).toEqual([]);
    await page.context().close();
  });
});
