import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faults } from '../support/faults.ts';
import { installMs, LabBrowser, ready, showTab, viewTitles } from '../support/lab-page.ts';

let lab: LabBrowser;
beforeAll(async () => {
  lab = await LabBrowser.open();
}, installMs);
afterAll(() => lab?.close());

describe('the page as a whole', () => {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1440])
      it(`is found without fault by axe, ${colorScheme}, ${width} pixels wide, with a dialog open and with a tour`, async () => {
        const { page, errors } = await lab.page({
          colorScheme,
          viewport: { width, height: 900 },
          reducedMotion: 'reduce',
        });
        expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe(colorScheme);
        await page.getByRole('button', { name: 'To the end', exact: true }).click();
        expect(await faults(page)).toEqual([]);
        const titles = await viewTitles(page);
        expect(titles).toHaveLength(13);
        for (const title of titles) await showTab(page, title);
        await page.locator('.choose').last().click();
        await page.locator('.gallery canvas').first().waitFor();
        expect(await faults(page)).toEqual([]);
        expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-current'))).toBe('true');
        await page.keyboard.press('Escape');
        expect(await faults(page)).toEqual([]);
        await page.getByRole('button', { name: 'Share', exact: true }).click();
        await page.getByRole('dialog').waitFor();
        expect(await faults(page)).toEqual([]);
        await page.getByRole('button', { name: 'Close' }).click();
        await page.getByRole('button', { name: 'Tours' }).click();
        await page.waitForTimeout(500);
        expect(await faults(page)).toEqual([]);
        expect(errors).toEqual([]);
        await page.context().close();
      });

  it('never scrolls sideways and never moves by itself, from a phone to a wall', async () => {
    for (const [width, height] of [
      [360, 640],
      [390, 844],
      [768, 1024],
      [1024, 768],
      [1440, 900],
      [1920, 1080],
      [3840, 2160],
    ] as const) {
      const { page } = await lab.page({ viewport: { width, height } });
      const state = await page.evaluate(async () => {
        const shifts: number[] = [];
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[])
            if (!entry.hadRecentInput) shifts.push(entry.value);
        }).observe({ type: 'layout-shift', buffered: true });
        const { halfspaceLab: store } = window;
        for (let step = 0; step < store.recording!.steps; step += 7) {
          store.seek(step);
          await new Promise(requestAnimationFrame);
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
        const { scrollWidth, clientWidth } = document.documentElement;
        return { sideways: scrollWidth - clientWidth, shift: shifts.reduce((sum, value) => sum + value, 0) };
      });
      expect(state.sideways, `${width}`).toBe(0);
      expect(state.shift, `${width}`).toBeLessThan(0.02);
      await page.context().close();
    }
  });

  it('loads less than 197 kB, compressed, before it is ready', async () => {
    const context = await lab.browser.newContext({ serviceWorkers: 'block' });
    const page = await context.newPage();
    const bodies: Promise<[string, Buffer]>[] = [];
    page.on('response', (response) =>
      bodies.push(response.body().then((body) => [new URL(response.url()).pathname, body])),
    );
    await page.goto(lab.url);
    await ready(page);
    await page.waitForTimeout(500);
    const sizes = (await Promise.all(bodies)).map(
      ([path, body]) => [path, gzipSync(body, { level: 9 }).length] as const,
    );
    expect(sizes.length).toBeGreaterThan(3);
    const total = sizes.reduce((sum, [, size]) => sum + size, 0);
    expect(total, JSON.stringify(sizes)).toBeLessThan(197_000);
    await context.close();
  });

  it('asks nobody else for anything', async () => {
    const context = await lab.browser.newContext();
    const page = await context.newPage();
    const others: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(lab.url) && !/^(data|blob):/.test(request.url())) others.push(request.url());
    });
    await page.goto(lab.url);
    await ready(page);
    await page.getByRole('button', { name: 'Tours' }).click();
    await page.waitForTimeout(300);
    expect(others).toEqual([]);
    await context.close();
  });
});
