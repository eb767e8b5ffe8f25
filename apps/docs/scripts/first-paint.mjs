/**
 * Prints when the built site paints first: `npm run docs`, then `npm run first-paint -w halfspace-docs`. Each page is opened
 * nine times in a browser without a cache; the figures are the median and the worst, in milliseconds.
 */

import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { preview } from 'vite';
import { findBrowser } from '../../lab/scripts/find-browser.mjs';

const pages = ['', 'certificates', 'reference/halfspace', 'benchmarks', 'gallery'];
const times = 9;

const server = await preview({
  root: fileURLToPath(new URL('../dist', import.meta.url)),
  build: { outDir: '.' },
  preview: { host: '127.0.0.1', port: 0 },
  logLevel: 'error',
});
const { port } = server.httpServer.address();
const browser = await chromium.launch({ executablePath: findBrowser() ?? undefined, args: ['--no-sandbox'] });
try {
  for (const path of pages) {
    const paints = [];
    for (let i = 0; i < times; i++) paints.push(await firstPaint(`http://127.0.0.1:${port}/${path}`));
    paints.sort((a, b) => a - b);
    const [median, worst] = [paints[(times - 1) / 2], paints.at(-1)].map((each) => each.toFixed(0).padStart(5));
    console.log(`/${path.padEnd(22)} median ${median} ms   worst ${worst} ms`);
  }
} finally {
  await browser.close();
  await server.close();
}

/** Returns the milliseconds from the request of a page until it shows its first text or picture. */
async function firstPaint(address) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(address, { waitUntil: 'load' });
    return await page.evaluate(
      () =>
        new Promise((resolve) => {
          const observer = new PerformanceObserver((list) => {
            const [paint] = list.getEntriesByName('first-contentful-paint');
            if (paint !== undefined) resolve(paint.startTime);
          });
          observer.observe({ type: 'paint', buffered: true });
        }),
    );
  } finally {
    await context.close();
  }
}
