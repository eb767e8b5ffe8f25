import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findOrInstallBrowser } from '../../../apps/lab/scripts/find-browser.mjs';
import { halfspace, temporaryFolder } from './run.ts';
import { writeCurves } from './support/bent-tables.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const folder = temporaryFolder();
let browser: Browser;
let page: Page;

beforeAll(async () => {
  writeCurves(folder);
  const reports = [
    ['train', 'two.csv', '--rule', 'logistic', '--bend', '12', '--calibrate', 'platt', '--means'],
    ['train', 'three.csv', '--rule', 'logistic', '--bend', '12'],
    ['train', 'crossed.csv'],
    ['train', 'two.csv', '--rule', 'averaged', '--passes', '1'],
    ['train', 'two.csv', '--rule', 'tree'],
  ].map((args, k) => [...args, '--model', `${k}.json`]);
  for (const k of [0, 2, 4]) reports.push(['inspect', `${k}.json`]);
  reports.forEach((args, k) => {
    expect(halfspace(folder, [...args, '--report', `${k}.html`]).status).toBe(0);
  });
  const curvesOf = (k: number) => readFileSync(join(folder, `${k}.html`), 'utf8').match(/<svg.*?<\/svg>/gs)!;
  expect(curvesOf(0)).toEqual(expect.arrayContaining(curvesOf(5)));
  browser = await chromium.launch({ executablePath: findOrInstallBrowser(), args: ['--no-sandbox'] });
  page = await browser.newPage();
}, 900_000);

afterAll(async () => {
  await browser.close();
});

describe.each([0, 1, 2, 3, 4, 5, 6, 7])('report %i', (k) => {
  beforeAll(async () => {
    await page.goto(`file://${join(folder, `${k}.html`)}`);
    await page.evaluate(axe);
    await page.evaluate(() => {
      for (const each of document.querySelectorAll('details')) each.open = true;
    });
  });

  test.each(['light', 'dark'] as const)('has no fault that axe finds, %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const violations = await page.evaluate('(async () => (await axe.run()).violations)()');
      const faults = (violations as { id: string; nodes: { html: string }[] }[]).map(({ id, nodes }) => [
        id,
        ...nodes.map(({ html }) => html.slice(0, 150)),
      ]);
      expect(faults).toEqual([]);
    }
  });

  test.each([320, 480, 768, 1024, 1440, 1920])('fills a window of %i px, and its charts their cards', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    const [wide, narrow] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      Array.from(document.querySelectorAll('.card > svg'), (svg) => {
        const share = svg.getBoundingClientRect().width / svg.parentElement!.getBoundingClientRect().width;
        return share < 0.75 ? `${svg.id} ${share}` : '';
      }).filter((fault) => fault !== ''),
    ]);
    expect(wide).toBeLessThanOrEqual(width);
    expect(narrow).toEqual([]);
  });
});
