import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hiddenParts } from '../support/boxes.ts';
import { faults } from '../support/faults.ts';
import { installMs, LabBrowser, ready } from '../support/lab-page.ts';

let lab: LabBrowser;
beforeAll(async () => {
  lab = await LabBrowser.open();
}, installMs);
afterAll(() => lab?.close());

describe('a frame in another page', () => {
  it('shows figures and time alone, with the state of its link, and leaves what the browser keeps', async () => {
    const { page } = await lab.page();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(() => {
      const { halfspaceLab } = window;
      const point = (x: number, label: -1 | 1) => ({ x, y: x / 2, label });
      halfspaceLab.change({
        dataset: { kind: 'points', name: 'mine', dimension: 2, points: [point(1, 1), point(-1, -1), point(2, 1)] },
      });
    });
    await ready(page);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('button', { name: 'Copy frame' }).click();
    await page.getByText('Frame copied.').waitFor();
    const html = await page.evaluate(() => navigator.clipboard.readText());
    const [, address] =
      /^<iframe src="([^"]+)" width="960" height="540" title="[^"]+" allowfullscreen><\/iframe>$/.exec(html)!;
    const other = await lab.page({ viewport: { width: 960, height: 540 } }, address!.slice(lab.url.length));
    await other.page.waitForSelector('html[data-present=both]');
    await other.page.waitForSelector('.view .figure');
    expect(await other.page.evaluate(() => window.halfspaceLab.dataset.name)).toBe('mine');
    expect(await hiddenParts(other.page, { '.plane .figure': 13, '.view .picture': 9, '.transport': 3 })).toEqual([]);
    for (const gone of ['#lab > header', '.setup', '.toolbar', '.choose'])
      expect(await other.page.locator(gone).first().isVisible(), gone).toBe(false);
    expect(await faults(other.page)).toEqual([]);
    expect(other.errors).toEqual([]);
    await other.page.evaluate(() => window.halfspaceLab.seek(1));
    await other.page.waitForTimeout(600);
    await other.page.goto('about:blank');
    await other.page.goto(lab.url);
    await ready(other.page);
    expect(await other.page.evaluate(() => window.halfspaceLab.dataset.name)).not.toBe('mine');
  });
});
