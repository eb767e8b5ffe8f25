import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PointSet } from '../../src/data/dataset.ts';
import type { Picture, SymbolMark } from '../../src/picture/picture.ts';
import { installMs, LabBrowser, pictureOf, ready } from '../support/lab-page.ts';

let lab: LabBrowser;
beforeAll(async () => {
  lab = await LabBrowser.open();
}, installMs);
afterAll(() => lab?.close());

const figure = '.plane .figure';
const points = (page: Page) => page.evaluate(() => (window.halfspaceLab.dataset as PointSet).points);
const examples = ({ marks }: Picture) =>
  marks.filter((mark): mark is SymbolMark => mark.kind === 'symbol' && mark.id?.startsWith('example ') === true);

/** Where something in the picture is on the page. */
async function onPage(page: Page, [x, y]: readonly [number, number]): Promise<[number, number]> {
  const box = (await page.locator(`${figure} canvas`).boundingBox())!;
  return [box.x + x, box.y + y];
}

async function exampleAt(page: Page, row: number): Promise<[number, number]> {
  await ready(page);
  const mark = examples(await pictureOf(page, figure)).find(({ id }) => id === `example ${row}`)!;
  return onPage(page, mark.at);
}

/** A place in the plane without points. */
const empty = (page: Page) => onPage(page, [120, 60]);

describe('drawing points', () => {
  it('adds one where it is clicked, of either class, and undo takes it back', async () => {
    const { page, errors } = await lab.page();
    const before = await points(page);
    await page.mouse.click(...(await empty(page)));
    await ready(page);
    const after = await points(page);
    expect(after).toHaveLength(before.length + 1);
    expect(after.at(-1)!.label).toBe(1);
    const [x, y] = await exampleAt(page, before.length);
    const [clickedX, clickedY] = await empty(page);
    expect(Math.hypot(x - clickedX, y - clickedY)).toBeLessThan(1.5);
    await page.keyboard.down('Shift');
    await page.mouse.click(...(await onPage(page, [200, 40])));
    await page.keyboard.up('Shift');
    expect((await points(page)).at(-1)!.label).toBe(-1);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    expect(await points(page)).toEqual(before);
    await page.keyboard.press('Control+Shift+z');
    expect(await points(page)).toEqual(after);
    expect(errors).toEqual([]);
  });

  it('moves one with its pointer, learns meanwhile, keeps what is seen, and is one undo', async () => {
    const { page, errors } = await lab.page();
    const before = await points(page);
    const seen = () => page.evaluate(() => window.halfspaceLab.look.window);
    const from = await exampleAt(page, 3);
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(from[0] + 10, from[1] + 5);
    const frozen = await seen();
    await page.mouse.move(from[0] + 40, from[1] + 90, { steps: 5 });
    await page.mouse.up();
    await ready(page);
    expect(await seen()).toEqual(frozen);
    const moved = await exampleAt(page, 3);
    expect(Math.hypot(moved[0] - from[0] - 40, moved[1] - from[1] - 90)).toBeLessThan(2);
    const learned = await page.evaluate(() => Array.from(window.halfspaceLab.examples!.vectors.subarray(6, 8)));
    const { x, y } = (await points(page))[3]!;
    expect(learned).toEqual([x, y]);
    await page.keyboard.press('Control+z');
    expect(await points(page)).toEqual(before);
    expect(errors).toEqual([]);
  });

  it('removes one that is pressed twice, or chosen by keys', async () => {
    const { page } = await lab.page();
    const before = await points(page);
    await page.mouse.dblclick(...(await exampleAt(page, 2)));
    expect(await points(page)).toEqual(before.filter((_, row) => row !== 2));
    await page.keyboard.press('.');
    await page.keyboard.press('.');
    await page.keyboard.press('Delete');
    expect(await points(page)).toHaveLength(before.length - 2);
  });

  it('is done by keys alone', async () => {
    const { page } = await lab.page();
    const before = await points(page);
    await page.locator('.area').focus();
    for (let k = 0; k < 3; k++) await page.keyboard.press('Shift+ArrowUp');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('2');
    const after = await points(page);
    expect(after).toHaveLength(before.length + 1);
    expect(after.at(-1)!.label).toBe(-1);
    expect(after.at(-1)!.y).toBeGreaterThan(0);
    await page.keyboard.press('Alt+ArrowRight');
    expect((await points(page)).at(-1)!.x).toBeGreaterThan(after.at(-1)!.x);
    expect(await page.locator('.editor [aria-live]').textContent()).toContain('Moved');
  });

  it('paints clouds, chooses with a loop, and erases', async () => {
    const { page } = await lab.page();
    const before = (await points(page)).length;
    await page.getByRole('button', { name: 'Paint a cloud' }).click();
    await page.mouse.move(...(await onPage(page, [100, 60])));
    await page.mouse.down();
    await page.mouse.move(...(await onPage(page, [200, 60])), { steps: 10 });
    await page.mouse.up();
    const painted = (await points(page)).length;
    expect(painted).toBeGreaterThan(before + 5);
    await page.getByRole('button', { name: 'Choose with a loop' }).click();
    await page.mouse.move(...(await onPage(page, [60, 20])));
    await page.mouse.down();
    for (const place of [
      [240, 20],
      [240, 110],
      [60, 110],
    ] as const)
      await page.mouse.move(...(await onPage(page, place)), { steps: 4 });
    await page.mouse.up();
    await page.keyboard.press('Delete');
    const left = (await points(page)).length;
    expect(left).toBeLessThan(painted - 5);
    await page.getByRole('button', { name: 'Erase' }).click();
    await page.mouse.click(...(await exampleAt(page, 0)));
    expect((await points(page)).length).toBeLessThan(left);
  });

  it('starts from nothing: a point of one class is no error', async () => {
    const { page, errors } = await lab.page();
    await page.getByRole('button', { name: 'Remove all points' }).click();
    await ready(page);
    await page.mouse.click(...(await empty(page)));
    await ready(page);
    expect(await page.evaluate(() => window.halfspaceLab.failure)).toBeNull();
    expect(examples(await pictureOf(page, figure))).toHaveLength(1);
    await page.getByRole('button', { name: 'negative' }).click();
    await page.mouse.click(...(await onPage(page, [300, 200])));
    await ready(page);
    expect(await page.evaluate(() => window.halfspaceLab.recording!.updates.length)).toBeGreaterThan(0);
    expect(errors).toEqual([]);
  });

  it('works with fingers: one draws, two move what is seen', async () => {
    const { page } = await lab.page({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
    const before = (await points(page)).length;
    await page.touchscreen.tap(...(await onPage(page, [80, 30])));
    expect(await points(page)).toHaveLength(before + 1);
    const client = await page.context().newCDPSession(page);
    const [x, y] = await onPage(page, [150, 120]);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', spots: [number, number][]) =>
      client.send('Input.dispatchTouchEvent', { type, touchPoints: spots.map(([a, b], id) => ({ x: a, y: b, id })) });
    const width = () =>
      page.evaluate(() => {
        const { from, to } = window.halfspaceLab.look.window!;
        return to[0] - from[0];
      });
    const wide = await width();
    await touch('touchStart', [[x, y]]);
    await touch('touchStart', [
      [x, y],
      [x + 40, y],
    ]);
    await touch('touchMove', [
      [x - 20, y],
      [x + 60, y],
    ]);
    await touch('touchEnd', []);
    expect(await points(page)).toHaveLength(before + 1);
    expect(await width()).toBeLessThan(0.7 * wide);
  });
});

describe('the data panel', () => {
  it('opens presets, moves their sliders as one undo, and puts the points in another order', async () => {
    const { page, errors } = await lab.page();
    const data = page.getByRole('region', { name: 'Data', exact: true });
    await data.getByRole('combobox', { name: 'Data' }).selectOption('positives-first');
    await ready(page);
    const first = await points(page);
    await data.getByRole('slider', { name: 'Seed' }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await points(page)).not.toEqual(first);
    await page.evaluate(() => window.halfspaceLab.undo());
    expect(await points(page)).toEqual(first);
    await data.getByText('Order of the 40 points').click();
    await data.getByRole('listbox', { name: 'Points' }).getByRole('option').first().focus();
    await page.keyboard.press('Alt+ArrowDown');
    expect((await points(page)).slice(0, 2)).toEqual([first[1], first[0]]);
    await data.getByRole('button', { name: 'In turn' }).click();
    expect((await points(page)).map(({ label }) => label).slice(0, 4)).toEqual([1, -1, 1, -1]);
    expect(errors).toEqual([]);
  });

  it('opens a table that is pasted, and says what is wrong with one that is none', async () => {
    const { page, errors } = await lab.page();
    const paste = async (text: string) => {
      await page.getByRole('button', { name: 'Paste…' }).click();
      await page.getByRole('textbox', { name: 'CSV' }).fill(text);
      await page.getByRole('button', { name: 'Open', exact: true }).click();
    };
    await paste('a,b,c,kind\n1,2,3,yes\n2,1,5,yes\n-1,-2,0,no\n-2,1,-3,no\n');
    await page.waitForFunction(() => window.halfspaceLab.dataset.kind === 'table');
    await ready(page);
    const table = await page.evaluate(() => window.halfspaceLab.dataset);
    expect(table).toMatchObject({ kind: 'table', label: 'kind' });
    await page.getByRole('combobox', { name: 'Plane' }).selectOption('features');
    await page.getByRole('combobox', { name: 'To the right' }).selectOption('c');
    const { marks } = await pictureOf(page, figure);
    expect(marks.some((mark) => mark.kind === 'text' && mark.text === 'c')).toBe(true);
    await page.mouse.click(...(await exampleAt(page, 2)));
    await page.getByRole('heading', { name: 'Row 3' }).waitFor();
    expect(await page.getByRole('region', { name: 'The chosen example' }).textContent()).toContain('-2');
    await paste('only one line');
    expect(await page.getByRole('alert').textContent()).toContain('one');
    expect(await page.evaluate(() => window.halfspaceLab.dataset)).toEqual(table);
    expect(errors).toEqual([]);
  });

  it.each(['separable', 'penguins'])('has nothing that axe would find, with %s', async (id) => {
    const { page } = await lab.page();
    await page.getByRole('combobox', { name: 'Data', exact: true }).selectOption(id);
    await page.waitForTimeout(300);
    await ready(page);
    await page.addScriptTag({ path: createRequire(import.meta.url).resolve('axe-core') });
    const found = await page.evaluate(async () => {
      const { axe } = window as unknown as { axe: { run: (on: unknown) => Promise<{ violations: { id: string }[] }> } };
      return (await axe.run({ include: [['.editor'], ['.data']] })).violations;
    });
    expect(found).toEqual([]);
  });
});
