import type { Page } from 'playwright-core';
import { ready } from './lab-page.ts';

/** Ids of all tours. */
export const tours = ['five-minutes', 'lecture-9', 'cs4780', 'foda', 'blog', 'slides'];

/**
 * Walks from the open section to the end of its tour. Calls back in every section after its first scene has been
 * shown, and returns their number.
 *
 * @param nextName name of the button that leads on.
 */
export async function eachSection(
  page: Page,
  visit: (heading: string) => Promise<void>,
  nextName = 'Next',
): Promise<number> {
  for (let count = 1; ; count++) {
    await page.waitForSelector('.scene.staged');
    await ready(page);
    const heading = (await page.locator('#tour h2').textContent())!;
    await visit(heading);
    const next = page.getByRole('button', { name: nextName, exact: true });
    if ((await next.count()) === 0) return count;
    await next.click();
    await page.waitForFunction((was) => document.querySelector('#tour h2')?.textContent !== was, heading);
  }
}
