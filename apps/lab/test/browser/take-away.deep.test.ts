import { readFileSync } from 'node:fs';
import type { Download, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installMs, LabBrowser, pictureOf, ready } from '../support/lab-page.ts';

let lab: LabBrowser;
beforeAll(async () => {
  lab = await LabBrowser.open();
}, installMs);
afterAll(() => lab?.close());

async function saved(page: Page, button: string): Promise<{ name: string; bytes: Buffer }> {
  const [file] = await Promise.all([
    page.waitForEvent('download') as Promise<Download>,
    page.getByRole('button', { name: button }).click(),
  ]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

/** What the page has kept for the next visit, which it does some time after it was left alone. */
function keptText(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const request = indexedDB.open('keyval-store');
    const store = await new Promise<IDBDatabase>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const got = store.transaction('keyval').objectStore('keyval').get('halfspace-lab');
    return new Promise<string>((resolve) => {
      got.onsuccess = () => {
        store.close();
        resolve(JSON.stringify(got.result) ?? '');
      };
    });
  });
}

describe('what is taken away', () => {
  it('is a link that brings back data, algorithm, seed and step in another browser', async () => {
    const { page, errors } = await lab.page({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.evaluate(async () => {
      const { halfspaceLab: store } = window;
      const { dataset } = store;
      if (dataset.kind !== 'points') throw new Error('expected points');
      store.change({
        dataset: {
          ...dataset,
          name: 'moved',
          points: dataset.points.map(({ x, y, label }) => ({ x: x + 0.1, y: y / 3, label })),
        },
        algorithm: { ...store.algorithm, as: 'lecture-9', rule: 'perceptron', seed: 12 },
      });
      await store.refresh();
      store.seek(7);
    });
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    // The test's lab is at 127.0.0.1.
    await page.getByText('Only this machine can open the link').waitFor();
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Link copied.').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const there = await lab.page({}, new URL(link).hash);
    const state = (of: Page) =>
      of.evaluate(() => JSON.stringify([window.halfspaceLab.savedState(), window.halfspaceLab.recording!.modelText]));
    expect(await state(there.page)).toBe(await state(page));
    expect(await there.page.evaluate(() => window.halfspaceLab.step)).toBe(7);
    // What is done there next is not what the link said.
    expect(new URL(there.page.url()).hash).toBe('');
    expect([...errors, ...there.errors]).toEqual([]);
  });

  it('is told of when a link was cut, and what was there stays', async () => {
    const { page } = await lab.page();
    await page.evaluate(() => window.halfspaceLab.seek(5));
    await page.evaluate(() => {
      location.hash = '#lab=1.abc.def';
    });
    await page.getByRole('alert').getByText('This link was cut or changed on its way').waitFor();
    expect(await page.evaluate(() => window.halfspaceLab.step)).toBe(5);
    const other = await lab.page({}, '#lab=1.abc.def');
    await other.page.getByRole('alert').getByText('This link was cut or changed on its way').waitFor();
    expect(await other.page.evaluate(() => window.halfspaceLab.recording !== null)).toBe(true);
  });

  it('comes back after a reload', async () => {
    const { page } = await lab.page();
    await page.evaluate(() => {
      window.halfspaceLab.change({ algorithm: { ...window.halfspaceLab.algorithm, as: 'foda' } });
      return window.halfspaceLab.refresh();
    });
    await page.evaluate(() => window.halfspaceLab.seek(3));
    await expect.poll(() => keptText(page), { timeout: 60_000 }).toMatch(/"as":"foda".*"step":3,/);
    await page.reload();
    await ready(page);
    expect(await page.evaluate(() => [window.halfspaceLab.algorithm.as, window.halfspaceLab.step])).toEqual([
      'foda',
      3,
    ]);
  });

  it('is files: pictures of what is drawn, a film, the run, the data, the model', async () => {
    const { page, errors } = await lab.page({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('button', { name: 'To the end', exact: true }).click();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const png = await saved(page, 'PNG');
    const { step, steps } = await page.evaluate(() => {
      const { halfspaceLab: shown } = window;
      return { step: shown.step, steps: shown.recording!.steps };
    });
    expect(step).toBe(steps);
    expect(png.name).toBe(`two-clouds-perceptron-plane-step-${step}.png`);
    // Width and height stand in the first chunk of a PNG.
    expect([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)]).toEqual([1920, 1280]);
    const svg = (await saved(page, 'SVG')).bytes.toString();
    const examples = await page.evaluate(() => window.halfspaceLab.examples!.rows);
    const { marks } = await pictureOf(page, '.plane .figure');
    expect(marks.filter(({ id }) => id?.startsWith('example '))).toHaveLength(examples);
    expect(svg.match(/<circle/g)!.length + svg.match(/Z" fill="#b85c00"/g)!.length).toBeGreaterThan(examples);
    expect(svg).toContain('>The plane · two clouds · Perceptron</text>');
    expect(svg).toMatch(/<text [^>]*>margin<\/text>/);
    await page.getByLabel('Size').selectOption('One column');
    await page.getByLabel('Transparent').check();
    const tikz = (await saved(page, 'TikZ')).bytes.toString();
    expect(tikz).toContain('(0,0) rectangle (336,280);');
    expect(tikz).not.toContain('\\fill[hspaper] (0,0)');
    await page.getByRole('button', { name: 'Copy picture' }).click();
    await page.getByText('Picture copied.').waitFor();
    expect(await page.evaluate(async () => (await navigator.clipboard.read())[0]!.types)).toEqual(['image/png']);
    const gif = await saved(page, 'Film, GIF');
    expect(gif.name).toBe('two-clouds-perceptron-plane.gif');
    expect(gif.bytes.subarray(0, 6).toString()).toBe('GIF89a');
    expect([gif.bytes.readUInt16LE(6), gif.bytes.readUInt16LE(8)]).toEqual([720, 480]);
    const run = (await saved(page, 'Run, CSV')).bytes.toString().trim().split('\n');
    expect(run).toHaveLength(1 + (await page.evaluate(() => window.halfspaceLab.recording!.steps)));
    expect((await saved(page, 'Model, JSON')).bytes.toString()).toBe(
      await page.evaluate(() => window.halfspaceLab.recording!.modelText),
    );
    expect((await saved(page, 'Data, CSV')).bytes.toString().split('\n')[0]).toBe('x1,x2,class');
    expect((await saved(page, 'Function, JavaScript')).bytes.toString()).toContain('export function predict(row)');
    expect(errors).toEqual([]);
  });

  it('opens without a network after the first visit', async () => {
    const { page } = await lab.page();
    await page.evaluate(() => navigator.serviceWorker.ready);
    // (A function that `waitForFunction` is given is not waited for itself.)
    const isKept = () =>
      page.evaluate(async () => (await caches.keys()).length > 0 && navigator.serviceWorker.controller !== null);
    await expect.poll(isKept, { timeout: 60_000 }).toBe(true);
    await page.context().setOffline(true);
    await page.reload();
    await ready(page);
    expect(await page.evaluate(() => window.halfspaceLab.recording!.steps)).toBeGreaterThan(0);
  });
});
