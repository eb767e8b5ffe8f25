/**
 * Takes pictures of the built lab, each state at each size in light and dark colours, and puts them on sheets to be
 * looked at: `npm run sheets -w halfspace-lab [-- WORD …]`. With words, only pictures whose names contain one of them.
 */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { preview } from 'vite';
import { findBrowser } from './find-browser.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = fileURLToPath(new URL('../sheets/', import.meta.url));

/** Widths and heights of windows. `density` keeps a picture of a wall as small as its neighbours. */
const sizes = [
  { name: '390', width: 390, height: 844 },
  { name: '1440', width: 1440, height: 900 },
  { name: '1920-large', width: 1920, height: 1080, large: true },
  { name: '3840', width: 3840, height: 2160 },
];
const themes = ['light', 'dark'];

/** Which view shows what: a pair of views fills the page, each view fills the presenter's page. */
const pairs = [
  ['proof', 'weights'],
  ['mistakes', 'loss'],
  ['lift', 'learning'],
  ['neuron', 'tree'],
  ['compare', 'classes'],
  ['why', 'kernel'],
  ['digits', 'weights'],
];
const states = [
  ...pairs.map(([first, second]) => ({ name: `${first}-${second}`, hash: '', shown: [first, second] })),
  { name: 'first-visit', hash: '', first: true },
  { name: 'tour-five-minutes', hash: '#tour=five-minutes/2' },
  { name: 'tour-proof', hash: '#tour=foda/4' },
  { name: 'slide', hash: '#tour=lecture-9/6', keys: ['f'] },
  { name: 'slide-results', hash: '#tour=lecture-9/6', keys: ['f', 'r'] },
  { name: 'present-plane', hash: '', shown: ['proof', 'weights'], keys: ['f', '1'] },
  ...pairs.flat().map((view) => ({ name: `present-${view}`, hash: '', shown: [view, 'weights'], keys: ['f', '2'] })),
];

const words = process.argv.slice(2);
const server = await preview({ root, preview: { host: '127.0.0.1', port: 0 }, logLevel: 'error' });
const { port } = server.httpServer.address();
const browser = await chromium.launch({ executablePath: findBrowser() ?? undefined, args: ['--no-sandbox'] });
if (words.length === 0) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
try {
  for (const size of sizes)
    for (const theme of themes) {
      const taken = [];
      for (const state of states) {
        const name = `${size.name}-${theme}-${state.name}`;
        if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
        taken.push({ name, file: await picture(state, size, theme, name) });
      }
      if (taken.length > 0) await sheet(`${size.name}-${theme}`, taken, size);
    }
} finally {
  await browser.close();
  await server.close();
}

/** Opens a state in a window of its own, and takes its picture. */
async function picture(state, { width, height, large }, theme, name) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    hasTouch: width < 800,
  });
  const page = await context.newPage();
  if (state.first !== true) await page.addInitScript(() => localStorage.setItem('halfspace-lab-seen', '1'));
  await page.goto(`http://127.0.0.1:${port}/${state.hash}`);
  await ready(page);
  if (large) await page.getByRole('button', { name: 'Large text' }).click();
  if (state.shown !== undefined)
    await page.evaluate((shown) => {
      const lab = globalThis.halfspaceLab;
      lab.shown = shown;
      const { updates } = lab.recording;
      lab.seek(updates[Math.floor(updates.length / 2)]);
    }, state.shown);
  else if (state.hash !== '') await page.waitForSelector('.scene.staged');
  for (const key of state.keys ?? []) {
    await page.keyboard.press(key);
    await page.waitForSelector('.presenter');
  }
  // Fonts and chunks of views load late; then nothing moves, because motion is reduced.
  await page.waitForLoadState('networkidle');
  await ready(page);
  await page.waitForTimeout(150);
  const file = `${name}.png`;
  await page.screenshot({
    path: folder + file,
    fullPage: width < 800 && state.keys === undefined && state.hash === '',
  });
  await context.close();
  return file;
}

/** Waits until nothing is being computed. */
async function ready(page) {
  await page.waitForFunction(() => document.documentElement.dataset.state === 'ready');
}

/** Puts pictures side by side on one page, with their names, and takes a picture of it. */
async function sheet(name, taken, { width }) {
  const tile = width < 800 ? 390 : 960;
  const figures = taken.map(
    (each) => `<figure><img src="${each.file}" width="${tile}"><figcaption>${each.name}</figcaption></figure>`,
  );
  const html = `<!doctype html><meta charset="utf-8"><title>${name}</title><style>
    body { margin: 1rem; display: flex; flex-wrap: wrap; gap: 1rem; align-items: start; background: #888; width: ${width < 800 ? 6 * 410 : 1960}px }
    figure { margin: 0 } img { display: block } figcaption { font: 14px system-ui; padding: 0.2rem 0 }
  </style>${figures.join('')}`;
  writeFileSync(`${folder}${name}.html`, html);
  const page = await browser.newPage({ viewport: { width: 400, height: 400 } });
  await page.goto(`file://${folder}${name}.html`);
  await page.screenshot({ path: `${folder}sheet-${name}.png`, fullPage: true });
  await page.close();
  process.stdout.write(`${folder}sheet-${name}.png\n`);
}
