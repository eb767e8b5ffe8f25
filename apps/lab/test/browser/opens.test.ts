import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hiddenParts } from '../support/boxes.ts';
import { installMs, LabBrowser, pictureOf, ready } from '../support/lab-page.ts';

let lab: LabBrowser;
beforeAll(async () => {
  lab = await LabBrowser.open();
}, installMs);
afterAll(() => lab?.close());

describe('the lab in a browser', () => {
  it('opens with a run, steps through it, draws the line that the run has, and hides nothing of it', async () => {
    const { page, errors } = await lab.page();
    await page.getByRole('button', { name: 'To the end', exact: true }).click();
    await ready(page);
    const { marks } = await pictureOf(page, '.plane .figure');
    expect(marks.filter(({ id }) => id?.startsWith('example '))).toHaveLength(
      await page.evaluate(() => window.halfspaceLab.examples!.rows),
    );
    expect(marks.filter(({ id }) => id === 'boundary')).toHaveLength(1);
    const shown = { '.plane .figure': 13, 'section[aria-label="First view"] .picture': 13, '.transport': 5 };
    expect(await hiddenParts(page, shown)).toEqual([]);
    expect(errors).toEqual([]);
  });
});
