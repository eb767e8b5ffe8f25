import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faults } from '../support/faults.ts';
import { installMs, LabBrowser, ready } from '../support/lab-page.ts';

let lab: LabBrowser;
beforeAll(async () => {
  lab = await LabBrowser.open();
}, installMs);
afterAll(() => lab?.close());

const open = (page: Page, text: string) =>
  page
    .locator('.data input[type=file]')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text, 'latin1') });

const rows = Array.from({ length: 40 }, (_, i) => [
  ...[i + 1, i % 5 === 0 ? '-999' : i % 7, i % 2 === 0 ? 'B1' : '', `Z\xFCrich ${i % 3}`, i % 2 === 0 ? 'yes' : 'no'],
]);
const text = [['id', 'visits', 'boat', 'town', 'alive'], ...rows].map((row) => `${row.join('~~')}\n`).join('');

const read = (page: Page) =>
  page.evaluate(() => {
    const { examples, dataset } = window.halfspaceLab;
    const { columns, leftOut } = examples!.encoding;
    return {
      columns: columns.map(({ name, kind, missing }) => [name, kind, missing.count]),
      leftOut: leftOut.map(({ name }) => name),
      reading: (dataset as { reading?: object }).reading,
    };
  });

describe('a table that is opened', () => {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1280])
      it(`shows its columns and takes another reading, ${colorScheme}, ${width} pixels wide`, async () => {
        const { page, errors } = await lab.page({ colorScheme, viewport: { width, height: 900 } });
        if (width === 390) await page.getByText('Data', { exact: true }).click();
        await open(page, text);
        const encoding = page.getByRole('region', { name: 'How to read people.csv' }).getByLabel('Encoding');
        await encoding.fill('latin1');
        await encoding.press('Enter');
        const panel = page.locator('.data .table');
        await panel.getByText('likely leak, it').waitFor();
        await ready(page);
        expect(await read(page)).toEqual({
          columns: [
            ['visits', 'number', 0],
            ['boat', 'category', 20],
            ['town', 'category', 0],
          ],
          leftOut: ['id'],
          reading: { encoding: 'latin1' },
        });
        expect(await panel.locator('.column').nth(2).innerText()).toMatch(
          /boat.*B1.*likely leak, it alone tells the class; 1 different word; 20 missing/s,
        );
        await panel.getByText('How the text is read').click();
        expect(await panel.getByLabel('Delimiter').getAttribute('placeholder')).toBe('~~');
        expect(await faults(page)).toEqual([]);

        await panel.getByRole('button', { name: '-999' }).click();
        await panel.getByLabel('Kind of town').selectOption('text');
        await ready(page);
        expect(await read(page)).toEqual({
          columns: [
            ['visits', 'number', 8],
            ['boat', 'category', 20],
            ['town', 'text', 0],
          ],
          leftOut: ['id'],
          reading: { encoding: 'latin1', missing: ['-999'], kinds: { town: 'text' } },
        });
        expect(await page.getByRole('alert').count()).toBe(0);
        expect(errors).toEqual([]);
        await page.context().close();
      });
});
