import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faults } from '../support/faults.ts';
import { installMs, LabBrowser, ready } from '../support/lab-page.ts';

let lab: LabBrowser;
beforeAll(async () => {
  lab = await LabBrowser.open();
}, installMs);
afterAll(() => lab?.close());

describe('the page of the theorem', () => {
  it('tells the numbers of the reader’s points, which follow them, and goes back to the lab with them', async () => {
    const { page, errors } = await lab.page({}, 'theorem.html');
    const main = page.locator('main');
    await expect.poll(() => main.innerText()).toContain('at most 185 updates');
    expect(await main.innerText()).toContain('24 examples');
    for (const name of ['2. A mistake and its correction', '6. The squeeze', '8. What it does not say'])
      await page.getByRole('heading', { name }).waitFor();
    const slider = page.getByRole('slider', { name: 'Update' }).first();
    await slider.focus();
    await page.keyboard.press('End');
    await expect.poll(() => main.innerText()).toContain('Update 8 is at example');
    expect(await faults(page)).toEqual([]);
    await page.evaluate(() => {
      const { halfspaceLab } = window;
      const { dataset } = halfspaceLab;
      if (dataset.kind === 'points')
        halfspaceLab.change({ dataset: { ...dataset, points: [...dataset.points, { x: 2.5, y: 3.5, label: -1 }] } });
    });
    await ready(page);
    await expect.poll(() => main.innerText()).toContain('No line separates these points');
    expect(await faults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Two clouds that a line separates' }).click();
    await expect.poll(() => main.innerText()).toContain('at most 185 updates');
    await page.getByRole('link', { name: 'Open these points in the lab' }).click();
    await ready(page);
    expect(await page.evaluate(() => window.halfspaceLab.dataset.name)).toBe('two clouds');
    expect(errors).toEqual([]);
  });

  it('keeps its figures beside the text of a broad page, and reading moves the run', async () => {
    const { page, errors } = await lab.page({}, 'theorem.html');
    await expect.poll(() => page.locator('main').innerText()).toContain('at most 185 updates');
    expect(await page.locator('main figure').count()).toBe(0);
    const shown = page.locator('aside output');
    const readTo = (id: string) =>
      page.evaluate((name) => {
        const { top } = document.querySelector(`section[aria-labelledby="${name}"]`)!.getBoundingClientRect();
        scrollTo(0, scrollY + top - innerHeight * 0.3);
      }, id);
    for (const [id, k, caption] of [
      ['update', '1 of 8', 'The blades'],
      ['progress', /^[3-6] of 8/, 'The cosine'],
      ['theorem-end', '8 of 8', 'Updates that are still possible'],
      ['update', '1 of 8', 'The blades'],
    ] as const) {
      await readTo(id);
      await expect.poll(() => shown.innerText()).toMatch(k);
      await expect.poll(() => page.locator('aside figcaption').innerText()).toContain(caption);
      expect(await page.locator('aside').evaluate((each) => each.getBoundingClientRect().top)).toBe(0);
    }
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await readTo('theorem-end');
    await expect.poll(() => page.locator('aside figcaption').innerText()).toContain('Updates that are still possible');
    expect(await shown.innerText()).toBe('1 of 8');
    await page.setViewportSize({ width: 1000, height: 800 });
    expect(await page.locator('aside').count()).toBe(0);
    expect(await page.locator('main figure').count()).toBe(6);
    expect(errors).toEqual([]);
  });

  it('shows the points of the last visit to the lab, also on a phone, and prints', async () => {
    const { page, errors } = await lab.page({ viewport: { width: 390, height: 844 }, hasTouch: true });
    await page.evaluate(() => {
      const { halfspaceLab } = window;
      const point = (x: number, y: number, label: -1 | 1) => ({ x, y, label });
      const points = [point(2, 1, 1), point(-1, 0, -1), point(3, 3, 1)];
      halfspaceLab.change({ dataset: { kind: 'points', name: 'mine', dimension: 2, points } });
    });
    await ready(page);
    await page.waitForTimeout(700);
    await page.goto(`${lab.url}theorem.html`);
    await expect.poll(() => page.locator('main').innerText()).toContain('3 examples');
    const sideways = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(sideways).toBe(0);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.toolbar').first().isVisible()).toBe(false);
    expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
    expect(errors).toEqual([]);
  });
});
