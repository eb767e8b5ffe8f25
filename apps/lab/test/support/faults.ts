import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns the findings of axe on a page, or in an element of it, one line for each place. */
export async function faults(page: Page, within = 'html'): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async (selector) => {
    interface Violation {
      readonly id: string;
      readonly help: string;
      readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
    }
    const { axe } = window as unknown as { axe: { run(at: string): Promise<{ violations: Violation[] }> } };
    const { violations } = await axe.run(selector);
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 160)}: ${failureSummary.slice(0, 200)}`),
    );
  }, within);
}
