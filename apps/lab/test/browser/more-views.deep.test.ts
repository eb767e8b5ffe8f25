import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Picture } from '../../src/picture/picture.ts';
import { LabBrowser, pictureOf, ready, showTab } from '../support/lab-page.ts';

let lab: LabBrowser;
beforeAll(async () => {
  lab = await LabBrowser.open();
});
afterAll(() => lab?.close());

const first = 'section[aria-label="First view"] .figure';

async function show(page: Page, tab: string): Promise<Picture> {
  await showTab(page, tab);
  await page.locator(first).waitFor({ timeout: 10_000 });
  return pictureOf(page, first);
}

const spot = ({ marks }: Picture, id: string) => {
  const mark = marks.find((each) => each.id === id);
  return mark !== undefined && 'at' in mark ? mark.at : null;
};

describe('in a browser', () => {
  it('the lift is turned by dragging and by arrow keys, and says how it is seen', async () => {
    const { page, errors } = await lab.page();
    await page.evaluate(() => window.halfspaceLab.seek(Infinity));
    const before = await show(page, 'Lift');
    const slider = page.getByRole('slider', { name: 'Turn the space' });
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    expect(await slider.getAttribute('aria-valuetext')).toBe('turned by 40°, seen from 25° above');
    await page.keyboard.press('Shift+ArrowDown');
    expect(await page.evaluate(() => window.halfspaceLab.look.turn)).toEqual({ yaw: 40, pitch: 45 });
    const box = (await slider.boundingBox())!;
    await page.mouse.move(box.x + 80, box.y + 80);
    await page.mouse.down();
    await page.mouse.move(box.x + 140, box.y + 60, { steps: 6 });
    await page.mouse.up();
    expect(await page.evaluate(() => window.halfspaceLab.look.turn)).toEqual({ yaw: 70, pitch: 35 });
    await page.mouse.move(box.x + 20, box.y + 20);
    expect(await page.evaluate(() => window.halfspaceLab.look.turn.yaw)).toBe(70);
    const after = await pictureOf(page, first);
    expect(spot(after, 'example 0')).not.toEqual(spot(before, 'example 0'));
    expect(errors).toEqual([]);
  });

  it('the learning curve offers to hold out a quarter, and then marks the best moment', async () => {
    const { page, errors } = await lab.page();
    const plain = await show(page, 'Learning curve');
    expect(plain.marks.some(({ id }) => id === 'held out')).toBe(false);
    await page.getByRole('button', { name: 'Hold out a quarter' }).click();
    await ready(page);
    expect(await page.evaluate(() => window.halfspaceLab.algorithm.holdout)).toBe(0.25);
    await page.waitForFunction(() => (window.halfspaceLab.curve?.length ?? 0) > 0);
    await page.waitForFunction(
      (at) =>
        (document.querySelector(at) as unknown as { picture: Picture }).picture.marks.some(({ id }) => id === 'best'),
      first,
    );
    const { curve, report } = await page.evaluate(() => ({
      curve: window.halfspaceLab.curve!,
      report: window.halfspaceLab.recording!.report,
    }));
    // The curve ends with what the run's report says of its model.
    expect(curve.at(-1)!.train).toBeCloseTo(report.train!.accuracy, 9);
    expect(curve.at(-1)!.holdout).toBeCloseTo(report.holdout!.accuracy, 9);
    expect(await page.getByRole('button', { name: 'Hold out a quarter' }).count()).toBe(0);
    expect(errors).toEqual([]);
  });

  it('a tree is grown beside the line while somebody looks, and its way follows the example shown', async () => {
    const { page, errors } = await lab.page();
    expect(await page.evaluate(() => window.halfspaceLab.tree)).toBeUndefined();
    await show(page, 'Tree');
    await page.waitForFunction(() => window.halfspaceLab.tree !== undefined);
    await page.evaluate(() => window.halfspaceLab.seek(1));
    await page.waitForFunction(
      (at) =>
        (document.querySelector(at) as unknown as { picture: Picture }).picture.marks.some(
          ({ id, stroke }) => id === 'node 0' && stroke === 'selection',
        ),
      first,
    );
    await page.getByRole('combobox', { name: 'What is drawn' }).first().selectOption('plane');
    const { marks } = await pictureOf(page, first);
    const leaves = await page.evaluate(
      () => window.halfspaceLab.tree!.tree.nodes.filter(({ split }) => split === null).length,
    );
    expect(marks.filter(({ id }) => id?.startsWith('region '))).toHaveLength(leaves);
    expect(errors).toEqual([]);
  });

  it('the loss of a run is seen along its last update and over two weights', async () => {
    const { page, errors } = await lab.page();
    await page.evaluate(() => window.halfspaceLab.seek(window.halfspaceLab.recording!.updates.at(-1)!));
    await show(page, 'Loss');
    const choice = page.getByRole('combobox', { name: 'What is drawn' }).first();
    for (const [option, id] of [
      ['slice', 'slice perceptron'],
      ['surface-hinge', 'path'],
    ] as const) {
      await choice.selectOption(option);
      await page.waitForFunction(
        ([at, wanted]) =>
          (document.querySelector(at) as unknown as { picture: Picture }).picture.marks.some(
            (mark) => mark.id === wanted,
          ),
        [first, id] as const,
      );
    }
    expect(errors).toEqual([]);
  });
});
