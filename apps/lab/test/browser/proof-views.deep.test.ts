import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Mark, Picture } from '../../src/picture/picture.ts';
import { LabBrowser, pictureOf, ready, showTab } from '../support/lab-page.ts';

let lab: LabBrowser;
beforeAll(async () => {
  lab = await LabBrowser.open();
});
afterAll(() => lab?.close());

/** What the first of the views shows, some picture chosen. */
async function shown(page: Page, title: string, choice?: string): Promise<Picture> {
  await showTab(page, title);
  const panel = page.locator('.views').first();
  if (choice !== undefined) await panel.getByLabel('What is drawn').selectOption(choice);
  // Drawn before the next frame.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  return pictureOf(page, '.panel .figure');
}

const numbersOf = (marks: readonly Mark[]): Record<string, number> =>
  Object.fromEntries(
    marks.flatMap((mark) =>
      mark.kind === 'text' && mark.id?.startsWith('value ')
        ? [[mark.id.slice(6), Number(mark.text.replace('−', '-').replaceAll(',', ''))]]
        : [],
    ),
  );

describe('the views of the proof', () => {
  it('show at every step what the run has: the scissors, weight space, mistakes and the neuron', async () => {
    const { page, errors } = await lab.page();
    await page.evaluate(async () => {
      const { halfspaceLab } = window;
      const point = (x: number, y: number, label: -1 | 1) => ({ x, y, label });
      halfspaceLab.change({
        dataset: {
          kind: 'points',
          name: 'near',
          dimension: 2,
          points: [point(1, 3, 1), point(2, 2.5, 1), point(1.5, 2, -1), point(3, 1, -1), point(-1, -2, -1)],
        },
      });
      await halfspaceLab.refresh();
    });
    await ready(page);
    await page.waitForFunction(() => window.halfspaceLab.verdict?.kind === 'separable');
    const steps = await page.evaluate(() => window.halfspaceLab.recording!.steps);
    for (const step of [1, Math.floor(steps / 2), steps]) {
      const { weights, bias, updates, w, row } = await page.evaluate((at) => {
        const { halfspaceLab } = window;
        halfspaceLab.seek(at);
        const moment = halfspaceLab.moment!;
        const lifted = (halfspaceLab.verdict as Extract<typeof halfspaceLab.verdict, { kind: 'separable' }>).lifted;
        return {
          weights: Array.from(moment.present!.weights),
          bias: moment.present!.bias,
          updates: moment.updates,
          w: [...lifted.weights, lifted.bias],
          row: moment.row,
        };
      }, step);
      const length = Math.hypot(...w);
      const numbers = numbersOf((await shown(page, 'The proof', 'scissors')).marks);
      expect(numbers.k).toBe(updates);
      expect(numbers['‖w‖']).toBeCloseTo(Math.hypot(...weights, bias), 1);
      expect(numbers['⟨w, w*⟩']).toBeCloseTo((weights[0]! * w[0]! + weights[1]! * w[1]! + bias * w[2]!) / length, 1);
      expect(numbers.kγ).toBeLessThanOrEqual(numbers['⟨w, w*⟩']!);
      expect(numbers['‖w‖']).toBeLessThanOrEqual(numbers['√k·R']!);
      for (const choice of ['far', 'cosine', 'countdown', 'bracket'])
        expect((await shown(page, 'The proof', choice)).marks.length).toBeGreaterThan(10);
      const space = await shown(page, 'Weight space', 'w1w2');
      expect(numbersOf(space.marks)).toMatchObject({ 'w₁': weights[0], 'w₂': weights[1], b: bias });
      expect(space.marks.filter(({ id }) => id?.startsWith('half-space ')).length).toBeGreaterThan(0);
      const sum = numbersOf((await shown(page, 'Mistakes', 'sum')).marks);
      expect(sum['w₁']).toBeCloseTo(weights[0]!, 1);
      expect(sum['Σ nᵢ']).toBe(updates);
      const neuron = await shown(page, 'The neuron');
      const strokes = neuron.marks.filter(({ id }) => id?.startsWith('stroke '));
      expect(strokes).toHaveLength(2);
      const example = neuron.marks.find(({ id }) => id === 'value example');
      expect(example?.kind === 'text' && example.text).toBe(`x${String.fromCharCode(0x2081 + row)}`);
    }
    expect(errors).toEqual([]);
  });

  it('say what to choose where a rule has nothing to show', async () => {
    const { page, errors } = await lab.page();
    await page.evaluate(async () => {
      window.halfspaceLab.change({ algorithm: { ...window.halfspaceLab.algorithm, as: null, rule: 'kernel' } });
      await window.halfspaceLab.refresh();
    });
    await ready(page);
    for (const title of ['The proof', 'Weight space', 'The neuron']) {
      await showTab(page, title);
      expect(await page.locator('.panel').first().innerText()).toMatch(/choose a /);
    }
    expect(errors).toEqual([]);
  });
});
