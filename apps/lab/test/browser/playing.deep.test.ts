import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataPresets } from '../../src/data/presets.ts';
import { installMs, LabBrowser, ready } from '../support/lab-page.ts';

let lab: LabBrowser;
beforeAll(async () => {
  lab = await LabBrowser.open();
}, installMs);
afterAll(() => lab?.close());

describe('a run that plays', () => {
  it.each(dataPresets.map(({ id }) => id))('is painted while it plays, at every speed: %s', async (id) => {
    const { page, errors } = await lab.page();
    await page.getByRole('combobox', { name: 'Data' }).selectOption(id);
    await ready(page);
    // Each frame has one example or more, so each sample of another step must be another picture of the timeline.
    for (const share of [0.3, 0.6, 0.9, 1]) {
      const { steps, pictures } = await page.evaluate(async (position) => {
        const { halfspaceLab: store } = window;
        const end = store.timeline!.steps;
        store.seek(0);
        store.speed = Math.max(20, Math.max(60, end) ** position);
        store.playing = true;
        const canvas = document.querySelector<HTMLCanvasElement>('.timeline canvas')!;
        const seen = { steps: new Set<number>(), pictures: new Set<string>() };
        for (let k = 0; k < 13 && store.playing; k++) {
          await new Promise((resolve) => setTimeout(resolve, 60));
          seen.steps.add(store.step);
          seen.pictures.add(canvas.toDataURL());
        }
        store.playing = false;
        return { steps: seen.steps.size, pictures: seen.pictures.size };
      }, share);
      expect(pictures, `${id} at ${share}: ${steps} steps`).toBeGreaterThanOrEqual(Math.min(3, steps));
    }
    expect(errors).toEqual([]);
    await page.context().close();
  });
});
