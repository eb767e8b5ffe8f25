// Measures the lab's page in Chromium: first paint, size, frames per second while a run plays on many points, and how
// smoothly the page moves while it learns from a large table. Prints Markdown.
//
//   npm run build && node bench/src/lab/measure.mjs [--points 2000] [--rows 200000] [--rounds 5]
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { findOrInstallBrowser } from '../../../apps/lab/scripts/find-browser.mjs';
import { describeMachine } from '../machine.mjs';
import { framesIn, median } from './trace.mjs';

const command = fileURLToPath(new URL('../../../packages/cli/bin/halfspace.cjs', import.meta.url));
const { values } = parseArgs({
  options: {
    points: { type: 'string', default: '2000' },
    rows: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '5' },
  },
});
const [points, rows, rounds] = [Number(values.points), Number(values.rows), Number(values.rounds)];
const seconds = 5;

const folder = mkdtempSync(join(tmpdir(), 'halfspace-bench-lab-'));
const browser = await chromium.launch({ executablePath: findOrInstallBrowser(), args: ['--no-sandbox'] });
const served = await serve();
try {
  const lines = [];
  const first = await firstPaint(served.origin);
  lines.push(
    ['first contentful paint, cold, median', `${Math.round(first.paint)} ms`],
    ['ready with a run, cold, median', `${Math.round(first.ready)} ms`],
    ['loaded by then, as gzip', `${Math.round(first.bytes / 1000)} kB in ${first.files} files`],
  );
  for (const [what, drive] of [
    [`a run plays on ${points} points, two views beside the plane`, playing],
    [`a point is dragged among ${points}`, dragging],
  ]) {
    const { fps, longest } = await frames(served.origin, drive);
    lines.push(
      [`${what}: frames a second`, fps.toFixed(1)],
      ['longest task of the page meanwhile', `${longest.toFixed(0)} ms`],
    );
  }
  const file = join(folder, 'large.csv');
  writeFileSync(file, largeTable(rows));
  const large = await serve(file);
  const { ready, gap, longest } = await opening(large.address);
  large.stop();
  lines.push(
    [`a table of ${rows} × 28 is opened and learned from`, `${(ready / 1000).toFixed(1)} s`],
    ['longest wait between frames meanwhile', `${Math.round(gap)} ms`],
    ['longest task of the page meanwhile', `${Math.round(longest)} ms`],
  );
  const { cpu, cores, loadBefore } = describeMachine();
  console.log(
    `${cpu}, ${cores} cores, load before ${loadBefore.toFixed(1)}; Chromium ${browser.version()}, drawn without a graphics card\n`,
  );
  console.log('| | |\n|---|---|');
  for (const line of lines) console.log(`| ${line.join(' | ')} |`);
} finally {
  served.stop();
  await browser.close();
  rmSync(folder, { recursive: true });
}

/** Starts the command on a free port. */
async function serve(...data) {
  const child = spawn(process.execPath, [command, 'lab', '--no-open', '--port', '0', ...data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  const address = await new Promise((resolve, reject) => {
    child.stdout.on('data', (piece) => {
      out += piece;
      const found = /The lab is at (\S+)\n/.exec(out);
      if (found !== null) resolve(found[1]);
    });
    child.once('close', (code) => reject(new Error(`halfspace lab ended with ${code}`)));
  });
  return { address, origin: new URL(address).origin, stop: () => child.kill() };
}

async function newPage() {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  return context.newPage();
}

function isReady() {
  return document.documentElement.dataset.state === 'ready';
}

async function firstPaint(origin) {
  const all = [];
  for (let round = 0; round < rounds; round++) {
    const page = await newPage();
    const bodies = [];
    page.on('response', (response) => bodies.push(response.body().catch(() => Buffer.alloc(0))));
    await page.goto(origin);
    await page.waitForFunction(isReady);
    const ready = await page.evaluate(() => performance.now());
    const paint = await page.evaluate(
      () => performance.getEntriesByType('paint').find(({ name }) => name === 'first-contentful-paint').startTime,
    );
    const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body, { level: 9 }).length);
    all.push({ paint, ready, bytes: sizes.reduce((sum, size) => sum + size, 0), files: sizes.length });
    await page.context().close();
  }
  const of = (name) => median(all.map((each) => each[name]));
  return { paint: of('paint'), ready: of('ready'), bytes: of('bytes'), files: of('files') };
}

/** Measures frames per second during an animation, from Chromium's trace. */
async function frames(origin, drive) {
  const page = await newPage();
  await page.goto(origin);
  await page.waitForFunction(isReady);
  await page.evaluate((count) => {
    let state = 1;
    const uniform = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
    const all = Array.from({ length: count }, (_, i) => {
      const label = i % 2 === 0 ? 1 : -1;
      return { x: label + 4 * uniform() - 2, y: label + 4 * uniform() - 2, label };
    });
    window.halfspaceLab.change({ dataset: { kind: 'points', name: 'many', dimension: 2, points: all } });
    return window.halfspaceLab.refresh();
  }, points);
  await page.waitForTimeout(1000);
  await browser.startTracing(page, {
    categories: [
      'devtools.timeline',
      'disabled-by-default-devtools.timeline',
      'disabled-by-default-devtools.timeline.frame',
      'cc',
      'viz',
      'toplevel',
      '__metadata',
    ],
  });
  await drive(page);
  const trace = JSON.parse((await browser.stopTracing()).toString());
  await page.context().close();
  return framesIn(trace.traceEvents, seconds);
}

function playing(page) {
  return page.evaluate(async (length) => {
    const lab = window.halfspaceLab;
    const end = performance.now() + length * 1000;
    while (performance.now() < end) {
      await new Promise(requestAnimationFrame);
      lab.seek(lab.step + 1);
    }
  }, seconds);
}

async function dragging(page) {
  const box = await page.locator('.plane .figure').first().boundingBox();
  const { at } = await page.evaluate(() => {
    const { marks } = document.querySelector('.plane .figure').picture;
    return marks.find(({ id }) => id?.startsWith('example '));
  });
  await page.mouse.move(box.x + at[0], box.y + at[1]);
  await page.mouse.down();
  await page.evaluate(() => {
    window.before = window.halfspaceLab.dataset;
  });
  // A real mouse sends an event per frame. A mouse driven by another process waits for each of its moves.
  await page.evaluate(
    async ([x, y, length]) => {
      const target = document.elementFromPoint(x, y);
      const end = performance.now() + length * 1000;
      for (let k = 0; performance.now() < end; k++) {
        await new Promise(requestAnimationFrame);
        const place = { clientX: x + 40 * Math.sin(k / 15), clientY: y + 40 * Math.cos(k / 15) };
        const mouse = { pointerId: 1, pointerType: 'mouse', isPrimary: true, buttons: 1, bubbles: true };
        target.dispatchEvent(new PointerEvent('pointermove', { ...mouse, ...place }));
      }
    },
    [box.x + at[0], box.y + at[1], seconds],
  );
  if (await page.evaluate(() => window.before === window.halfspaceLab.dataset))
    throw new Error('expected a point to be dragged');
  await page.mouse.up();
}

async function opening(address) {
  const page = await newPage();
  await page.addInitScript(() => {
    window.seen = { gap: 0, longest: 0 };
    let last = performance.now();
    const look = () => {
      const now = performance.now();
      // Nothing moves before the page is loaded.
      if (now > 1000) window.seen.gap = Math.max(window.seen.gap, now - last);
      last = now;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.seen.longest = Math.max(window.seen.longest, duration);
    }).observe({ type: 'longtask', buffered: true });
  });
  await page.goto(address);
  await page.waitForFunction(
    () => window.halfspaceLab?.recording !== null && document.documentElement.dataset.state === 'ready',
    null,
    {
      timeout: 300_000,
    },
  );
  const ready = await page.evaluate(() => performance.now());
  const seen = await page.evaluate(() => window.seen);
  await page.context().close();
  return { ready, ...seen };
}

/** Rows of 28 numbers with two classes. A line misclassifies a tenth of the rows. */
function largeTable(count) {
  let state = 7;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const lines = [`${Array.from({ length: 28 }, (_, j) => `x${j}`).join(',')},class`];
  for (let i = 0; i < count; i++) {
    const cells = Array.from({ length: 28 }, () => (2 * uniform() - 1).toFixed(4));
    const score = Number(cells[0]) + Number(cells[1]) - Number(cells[2]);
    lines.push(`${cells.join(',')},${score > 0 === uniform() > 0.1 ? 'a' : 'b'}`);
  }
  return `${lines.join('\n')}\n`;
}
