import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installMs, LabBrowser, pictureOf, ready } from '../support/lab-page.ts';

let lab: LabBrowser;
beforeAll(async () => {
  lab = await LabBrowser.open();
}, installMs);
afterAll(() => lab?.close());

describe('the lab in a browser', () => {
  it('opens with a run, steps through it, and draws the line that the run has', async () => {
    const { page, errors } = await lab.page();
    await page.getByRole('button', { name: 'To the end', exact: true }).click();
    await ready(page);
    const { marks } = await pictureOf(page, '.plane .figure');
    expect(marks.filter(({ id }) => id?.startsWith('example '))).toHaveLength(
      await page.evaluate(() => window.halfspaceLab.examples!.rows),
    );
    expect(marks.filter(({ id }) => id === 'boundary')).toHaveLength(1);
    expect(errors).toEqual([]);
  });
});
