import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LabBrowser, pictureOf, ready } from '../support/lab-page.ts';

let lab: LabBrowser;
beforeAll(async () => {
  lab = await LabBrowser.open();
});
afterAll(() => lab?.close());

const stepOf = (page: Page) => page.evaluate(() => window.halfspaceLab.step);
const run = (page: Page) =>
  page.evaluate(() => {
    const { steps, updates, passes } = window.halfspaceLab.recording!;
    return { steps, updates: [...updates], passes: [...passes] };
  });

describe('time', () => {
  it('goes by example, update and pass with the keys that the help names', async () => {
    const { page, errors } = await lab.page();
    const { steps, updates, passes } = await run(page);
    const { keyboard } = page;
    await page.evaluate(() => window.halfspaceLab.seek(0));
    await keyboard.press('ArrowRight');
    expect(await stepOf(page)).toBe(1);
    await keyboard.press('Shift+ArrowRight');
    expect(await stepOf(page)).toBe(updates.find((at) => at > 1));
    await keyboard.press('Home');
    await keyboard.press('PageDown');
    expect(await stepOf(page)).toBe(passes[1]);
    await keyboard.press('End');
    expect(await stepOf(page)).toBe(steps);
    await keyboard.press('Shift+ArrowLeft');
    expect(await stepOf(page)).toBe(updates.filter((at) => at < steps).at(-1));
    await keyboard.press('Shift+?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await keyboard.press('Escape');
    expect(errors).toEqual([]);
  });

  it('leaves keys to fields: what is typed moves nothing', async () => {
    const { page } = await lab.page();
    await page.evaluate(() => window.halfspaceLab.seek(3));
    await page.getByLabel('Passes at most').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    expect(await stepOf(page)).toBe(3);
  });

  it('is dragged on the timeline, which says where it is', async () => {
    const { page } = await lab.page();
    const { steps } = await run(page);
    const slider = page.getByRole('slider', { name: 'The run: examples shown' });
    const box = (await slider.boundingBox())!;
    await page.mouse.move(box.x + 2, box.y + box.height / 2);
    await page.mouse.down();
    expect(await stepOf(page)).toBe(0);
    await page.mouse.move(box.x + box.width + 40, box.y);
    await page.mouse.up();
    expect(await stepOf(page)).toBe(steps);
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/^pass \d+, example \d+ of \d+, update \d+$/);
    await slider.press('ArrowDown');
    expect(await stepOf(page)).toBeLessThan(steps);
    const { marks } = await pictureOf(page, '.timeline');
    expect(marks.filter(({ id }) => id === 'now')).toHaveLength(1);
  });

  it('plays to the end and stops there', async () => {
    const { page } = await lab.page();
    const { steps } = await run(page);
    await page.evaluate(() => {
      window.halfspaceLab.seek(0);
      window.halfspaceLab.speed = 1e9;
    });
    await page.keyboard.press('Space');
    await page.waitForFunction((end) => window.halfspaceLab.step === end && !window.halfspaceLab.playing, steps);
    await page.getByRole('button', { name: 'Play' }).waitFor();
  });
});

describe('the step', () => {
  it('lights the line that was executed, with its numbers, and shows which points an update turned', async () => {
    const { page, errors } = await lab.page();
    const { updates } = await run(page);
    const step = page.getByRole('region', { name: 'This step' });
    await page.evaluate((at) => window.halfspaceLab.seek(at), updates[1]!);
    await step.getByText('≤ 0: an update').waitFor();
    expect(await step.locator('li[aria-current="step"]').count()).toBe(1);
    expect(await step.locator('.katex').count()).toBeGreaterThan(4);
    const fixed = step.getByRole('button', { name: /^Now right: [1-9]/ });
    await fixed.click();
    expect(await page.evaluate(() => window.halfspaceLab.selected)).not.toBeNull();
    await page.evaluate((at) => window.halfspaceLab.seek(at + 1), updates[1]!);
    await step.getByText('not ≤ 0: nothing changes').waitFor();
    expect(await step.locator('li[aria-current="step"]').count()).toBe(1);
    expect(errors).toEqual([]);
  });
});

describe('the algorithm', () => {
  it('is chosen by name, and every choice runs', async () => {
    const { page, errors } = await lab.page();
    const select = page.getByRole('combobox', { name: 'Algorithm' });
    const ids = await select
      .locator('option')
      .evaluateAll((options) => options.map((each) => (each as HTMLOptionElement).value));
    for (const id of ids) {
      await select.selectOption(id);
      await ready(page);
      expect(await page.evaluate(() => window.halfspaceLab.failure), id).toBeNull();
      expect(await page.evaluate(() => window.halfspaceLab.recording!.report.rule), id).toBe(
        await page.evaluate(() => window.halfspaceLab.algorithm.rule),
      );
    }
    expect(errors).toEqual([]);
  });

  it('takes no number out of range, says so, and keeps what was set', async () => {
    const { page } = await lab.page();
    await page.getByRole('combobox', { name: 'Algorithm' }).selectOption('rule margin');
    const margin = page.getByLabel('Margin τ');
    await margin.fill('2,5');
    await margin.press('Enter');
    await ready(page);
    expect(await page.evaluate(() => window.halfspaceLab.algorithm.options)).toEqual({ margin: 2.5 });
    await margin.fill('−1');
    await margin.press('Tab');
    await page.getByRole('alert').getByText('Type a number in [0, ∞); “−1” is not one.').waitFor();
    expect(await page.evaluate(() => window.halfspaceLab.algorithm.options)).toEqual({ margin: 2.5 });
  });
});

describe('the page', () => {
  for (const [width, height] of [
    [360, 740],
    [1024, 768],
    [1440, 900],
    [3840, 2160],
  ] as const)
    it(`stays inside a window of ${width} × ${height}, and nothing jumps while it plays`, async () => {
      const { page } = await lab.page({ viewport: { width, height } });
      const shifted = await page.evaluate(async () => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
            if (!entry.hadRecentInput) sum += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });
        window.halfspaceLab.speed = 30;
        window.halfspaceLab.seek(0);
        window.halfspaceLab.playing = true;
        await new Promise((resolve) => setTimeout(resolve, 1500));
        return sum;
      });
      expect(shifted).toBeLessThan(0.02);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
        0,
      );
    });

  it('follows the system’s colours until others are chosen, which stay', async () => {
    const { page } = await lab.page({ colorScheme: 'dark' });
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    expect(await theme()).toBe('dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.waitForFunction(() => document.documentElement.dataset.theme === 'light');
    await page.getByRole('button', { name: 'Dark' }).click();
    await page.reload();
    await ready(page);
    expect(await theme()).toBe('dark');
  });
});

describe('the line', () => {
  /** Returns the distinct boundaries that the plane draws after a key, until nothing moves any more. */
  const boundariesAfter = (page: Page, key: string) =>
    page.evaluate(async (pressed) => {
      type Drawn = { picture?: { marks: readonly { id?: string; from?: unknown; to?: unknown }[] } };
      const figure = document.querySelector('.plane .figure') as unknown as Drawn;
      const now = () => {
        const mark = figure.picture!.marks.find(({ id }) => id === 'boundary');
        return JSON.stringify([mark?.from, mark?.to]);
      };
      const seen = [now()];
      window.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, bubbles: true }));
      for (let still = 0; still < 30; ) {
        await new Promise(requestAnimationFrame);
        if (now() === seen.at(-1)) still++;
        else {
          still = 0;
          seen.push(now());
        }
      }
      return seen;
    }, key);

  it('turns between updates, ends where the run has it, and jumps where motion is unwanted', async () => {
    const ends: string[] = [];
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      const { page, errors } = await lab.page({ reducedMotion });
      const { updates } = await run(page);
      await page.evaluate((at) => window.halfspaceLab.seek(at), updates[2]! - 1);
      await page.waitForTimeout(300);
      const seen = await boundariesAfter(page, 'ArrowRight');
      if (reducedMotion === 'reduce') expect(seen).toHaveLength(2);
      else expect(seen.length).toBeGreaterThan(2);
      ends.push(seen.at(-1)!);
      expect(errors).toEqual([]);
    }
    expect(ends[0]).toBe(ends[1]);
  });
});
