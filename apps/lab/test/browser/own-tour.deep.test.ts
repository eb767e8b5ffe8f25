import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faults } from '../support/faults.ts';
import { installMs, LabBrowser, ready } from '../support/lab-page.ts';

const text = `---
title: My lecture
source: me
minutes: 2
---

## Two points

The margin is $\\gamma$.

\`\`\`scene
{
  "data": {"points": [[2, 1, 1], [-1, 0, -1]]},
  "views": ["compare", "proof"],
  "claims": {"It makes an update": "updates > 0"}
}
\`\`\`

## XOR

\`\`\`scene
{"data": {"preset": "xor"}, "views": ["why", "kernel"]}
\`\`\`
`;

let lab: LabBrowser;
beforeAll(async () => {
  lab = await LabBrowser.open();
}, installMs);
afterAll(() => lab?.close());

describe('a lecturer’s own tour', () => {
  it('opens from a file, with its scenes and claims; a file with a mistake tells the line', async () => {
    const { page, errors } = await lab.page();
    await page.getByRole('button', { name: 'Tours', exact: true }).click();
    const picker = page.locator('input[accept=".md,text/markdown"]');
    const file = (content: string) => ({ name: 'mine.md', mimeType: 'text/markdown', buffer: Buffer.from(content) });
    await picker.setInputFiles(file(text.replace('"data"', '"dta"')));
    await page.getByText('mine.md, line 13, “Two points”: expected one of').waitFor();
    expect(await faults(page, '#tour')).toEqual([]);
    await picker.setInputFiles(file(text));
    await page.getByRole('heading', { name: 'Two points' }).waitFor();
    await ready(page);
    expect(await page.evaluate(() => window.halfspaceLab.shown)).toEqual(['compare', 'proof']);
    await expect.poll(() => page.locator('#tour').innerText()).toContain('✓');
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByRole('heading', { name: 'XOR' }).waitFor();
    await ready(page);
    expect(await faults(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('opens from an address beside the lab, and from no other', async () => {
    const context = await lab.browser.newContext();
    const page = await context.newPage();
    await page.route('**/talks/mine.md', (route) => route.fulfill({ body: text, contentType: 'text/markdown' }));
    await page.goto(`${lab.url}#tour-file=talks/mine.md&tour=own/2`);
    await page.getByRole('heading', { name: 'XOR' }).waitFor();
    await page.goto('about:blank');
    await page.goto(`${lab.url}#tour-file=https://example.com/mine.md`);
    await page.getByText('The lab opens tours only from its own address').waitFor();
    await context.close();
  });
});
