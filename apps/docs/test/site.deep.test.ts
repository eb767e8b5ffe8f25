import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page, type Response } from 'playwright-core';
import { globSync } from 'tinyglobby';
import { preview } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fencedBlocks } from '../../../test/snippets/blocks.ts';
import { isShown, shownByComments, tidy } from '../../../test/snippets/steps.ts';
import { findOrInstallBrowser } from '../../lab/scripts/find-browser.mjs';
import { codeBefore } from '../.vitepress/markdown.ts';

const docs = fileURLToPath(new URL('..', import.meta.url));
const site = mkdtempSync(join(tmpdir(), 'halfspace-docs-'));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
// The reference is made from the declarations, before its pages are listed here.
execFileSync('node', ['scripts/reference.mjs'], { cwd: docs, stdio: 'pipe' });
const pages = globSync('**/*.md', { cwd: join(docs, '../../docs'), ignore: 'parts/**' })
  .map((file) => file.replace(/(^|\/)index\.md$|\.md$/, '$1'))
  .sort();
/** The pages that people wrote, those of the imports, and every n-th one of a name. */
const looked = pages.filter((path, i) => !/^reference\/.*[^/]$/.test(path) || i % 40 === 0);

/** All that the site needs. Blocks of code run without 'unsafe-eval'; VitePress has small scripts and styles in its pages. */
const policy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' blob: 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
].join('; ');

let server: Awaited<ReturnType<typeof preview>>;
let browser: Browser;
let address: string;

beforeAll(async () => {
  // Links that lead nowhere fail the build.
  execFileSync('npx', ['vitepress', 'build', '--outDir', site], { cwd: docs, stdio: 'pipe' });
  server = await preview({
    root: site,
    build: { outDir: '.' },
    preview: { host: '127.0.0.1', port: 0, headers: { 'content-security-policy': policy } },
    logLevel: 'error',
  });
  address = `http://127.0.0.1:${(server.httpServer.address() as AddressInfo).port}`;
  browser = await chromium.launch({ executablePath: findOrInstallBrowser(), args: ['--no-sandbox'] });
}, 900_000);

afterAll(async () => {
  await browser?.close();
  await server?.close();
  rmSync(site, { recursive: true });
});

/** Returns the file of a page, without the end of its name. */
const fileOf = (path: string) => path.replace(/(^|\/)$/, '$1index');

/** Returns the modules of a page that run in it: each block with those that it continues. */
function runnable(path: string): string[] {
  const markdown = readFileSync(join(docs, '../../docs', `${fileOf(path)}.md`), 'utf8');
  const fences = fencedBlocks(markdown).map(({ language, info, text }) => ({
    info: `${language} ${info}`,
    content: `${text}\n`,
  }));
  return fences.flatMap(({ content }, i) => {
    const before = codeBefore(fences.slice(0, i + 1));
    return before === null ? [] : [before + content];
  });
}

/** Opens a page of the site. `responses` are those of all servers. */
async function open(path: string, options: Parameters<Browser['newContext']>[0] = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const errors: string[] = [];
  const responses: Response[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('response', (response) => responses.push(response));
  await page.goto(`${address}/${fileOf(path)}.html`.replace('/index.html', '/'), { waitUntil: 'networkidle' });
  return { page, errors, responses, close: () => context.close() };
}

async function faults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const run = '(async () => (await axe.run()).violations)()';
  const violations = await page.evaluate<{ id: string; nodes: { html: string; failureSummary: string }[] }[]>(run);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

describe('the site', () => {
  it.each(looked)(
    'shows /%s without an error and without a fault that axe finds, from its own host alone',
    async (path) => {
      const { page, errors, responses, close } = await open(path, { reducedMotion: 'reduce' });
      expect(errors).toEqual([]);
      expect(responses.map((response) => response.url()).filter((url) => !url.startsWith(address))).toEqual([]);
      expect(await page.locator('h1').count()).toBe(1);
      if (path === 'rules') {
        expect(await page.locator('.rule-picture svg[role=img] .line').count()).toBe(9);
        expect(await page.locator('.formula math').count()).toBeGreaterThan(0);
      }
      expect(await faults(page), 'light, wide').toEqual([]);
      // On a phone nothing is wider than the page.
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await faults(page), 'dark, on a phone').toEqual([]);
      await close();
    },
  );

  it.each(['', 'start', 'certificates', 'library', 'reference/halfspace/', 'reference/halfspace/functions/train'])(
    '/%s loads at most 150 kB, compressed',
    async (path) => {
      const { responses, close } = await open(path);
      const size = async (response: Response) =>
        [gzipSync(await response.body()).length, new URL(response.url()).pathname] as const;
      const sizes = await Promise.all(responses.map(size));
      expect(sizes.length).toBeGreaterThan(3);
      const total = sizes.reduce((sum, [bytes]) => sum + bytes, 0);
      expect(total, JSON.stringify(sizes)).toBeLessThan(150_000);
      await close();
    },
  );

  it('finds a page by a word, without a server', async () => {
    const { page, close } = await open('');
    await page.keyboard.press('Control+k');
    // The box and the index load when they are first asked for.
    await page.locator('.VPLocalSearchBox input').fill('probabilities');
    const results = () => page.locator('.VPLocalSearchBox .result').count();
    await expect.poll(results, { timeout: 30_000 }).toBeGreaterThan(3);
    await close();
  });

  /** Ten tasks as a stranger asks for them: the page that answers, and the links that lead to it from the start page. */
  const tasks = [
    ['how do I get probabilities', '/guides/probabilities', ['Probabilities']],
    ['my classes are 1:100', '/guides/classes', ['Several or rare classes']],
    ['run the model in Postgres', '/predict', ['Predict and deploy']],
    ['concept drift', '/online', ['Streams and drift']],
    ['forget a row', '/ledger', ['Reproduce, record, forget']],
    ['learn while serving', '/service', ['Serve a model']],
    ['bigger than memory', '/data', ['Other and large data']],
    ['prove that my classes cannot be separated', '/certificates', ['Prove separability']],
    ['why this decision', '/guides/explain', ['Explain a decision']],
    ['same result on every machine', '/ledger', ['Reproduce, record, forget']],
  ] as const;
  /** Searches by a term, a code and a public name. */
  const words = [
    ['imbalanced classes', '/guides/classes'],
    ['spam filter', '/guides/text'],
    ['label-missing', '/errors'],
    ['weightIntervals', '/reference/halfspace/functions/weightIntervals'],
    ['class weight', '/guides/classes'],
    ['predict_proba', '/guides/probabilities'],
    ['xor', '/browser-lab'],
    ['latex', '/browser-lab'],
    ['quiz', '/browser-lab'],
  ] as const;

  it.each([
    ['desktop', 1280, 720],
    ['phone', 390, 844],
  ] as const)('leads to ten tasks in at most three clicks, %s', async (_name, width, height) => {
    for (const [question, answer, path] of tasks) {
      const { page, close } = await open('', { viewport: { width, height } });
      const menu = page.getByRole('button', { name: 'Menu', exact: true });
      let clicks = 0;
      for (const name of path) {
        // On a phone the sidebar opens first.
        if (await menu.isVisible()) {
          await menu.click();
          clicks++;
        }
        await page.getByRole('link', { name, exact: true }).first().click();
        clicks++;
      }
      await expect.poll(() => new URL(page.url()).pathname, { message: question }).toBe(answer);
      expect(clicks, question).toBeLessThanOrEqual(3);
      await close();
    }
  });

  it('has every page within three clicks of the start page', () => {
    const linked = (path: string) =>
      [...readFileSync(join(site, `${fileOf(path)}.html`), 'utf8').matchAll(/<a\b[^>]*?href="([^"]*)/g)]
        .map(([, link]) => new URL(link!, `${address}/${path}`).pathname.slice(1).replace(/\.html$/, ''))
        .filter((name) => pages.includes(name));
    const clicks = new Map([['', 0]]);
    // A Map yields what is added meanwhile, so pages come in the order of their clicks.
    for (const [path, count] of clicks)
      for (const next of linked(path)) if (!clicks.has(next)) clicks.set(next, count + 1);
    expect(pages.filter((path) => !((clicks.get(path) ?? 9) <= 3))).toEqual([]);
  });

  it('answers each task with one search', async () => {
    const { page, close } = await open('');
    await page.keyboard.press('Control+k');
    const hrefs = () =>
      page
        .locator('.VPLocalSearchBox .result')
        .evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''));
    const missed: string[] = [];
    for (const [question, answer] of [...tasks, ...words]) {
      await page.locator('.VPLocalSearchBox input').fill(question);
      const isFound = async () => (await hrefs()).slice(0, 5).some((href) => href.split('#')[0] === answer);
      await expect
        .poll(isFound, { timeout: 10_000 })
        .toBe(true)
        .catch(async () => {
          missed.push(`${question}: ${(await hrefs()).slice(0, 5).join(' ')}`);
        });
    }
    expect(missed).toEqual([]);
    await close();
  });

  it.each(pages.filter((path) => runnable(path).length > 0))(
    'runs the blocks of /%s with the shown output',
    async (path) => {
      const { page, close } = await open(path);
      const blocks = page.locator('.runnable');
      expect(await blocks.count()).toBe(runnable(path).length);
      for (const [i, code] of runnable(path).entries()) {
        const block = blocks.nth(i);
        await block.getByRole('button', { name: 'Run' }).click();
        await block.locator('.output[data-done]').waitFor({ timeout: 60_000 });
        expect(await block.locator('.fault').allTextContents()).toEqual([]);
        const output = await block.locator('.output pre').innerText();
        const shown = shownByComments(code) || '(no output)';
        if (!isShown(shown, output)) expect(tidy(output)).toBe(tidy(shown));
      }
      await close();
    },
  );

  it('shows in the gallery what its scripts print, each run in the page', async () => {
    const { page, close } = await open('gallery');
    const blocks = page.locator('.runnable');
    expect(await blocks.count()).toBeGreaterThan(1);
    expect(await page.locator('.printed-picture').count()).toBe(await blocks.count());
    for (const [i, block] of (await blocks.all()).entries()) {
      await block.getByRole('button', { name: 'Run' }).click();
      await block.locator('.output[data-done] img.drawn').waitFor({ timeout: 60_000 });
      // Both as the browser writes them, without the white space between elements.
      const [shown, printed] = await block.evaluate((element) => {
        const written = (html: string) => {
          const place = document.createElement('div');
          place.innerHTML = html;
          return place.innerHTML.replace(/>\s+</g, '><').trim();
        };
        const picture = element.parentElement!.querySelectorAll('.printed-picture');
        const all = [...element.parentElement!.querySelectorAll('.runnable')];
        return [
          written(picture[all.indexOf(element)]!.innerHTML),
          written(element.querySelector('.output pre')!.textContent!),
        ];
      });
      expect(printed.length, String(i)).toBeGreaterThan(500);
      expect(shown, String(i)).toBe(printed);
    }
    await close();
  });

  it('has no page beside a folder that answers at the same address', () => {
    // Some hosts open X.html for X/, and what stands in the address after it is lost.
    const twins = globSync('**/*.html', { cwd: site }).filter((file) =>
      existsSync(join(site, file.replace(/\.html$/, ''), 'index.html')),
    );
    expect(twins).toEqual([]);
  });

  it('opens the data of a block in the lab, with its rule', async () => {
    const { page, close } = await open('gallery');
    const block = page.locator('.runnable').nth(1);
    expect(await block.getByRole('link').count()).toBe(0);
    await block.getByRole('button', { name: 'Run' }).click();
    const link = block.getByRole('link', { name: 'Open the data in the lab' });
    await link.waitFor({ timeout: 60_000 });
    expect(await faults(page)).toEqual([]);
    const [lab] = await Promise.all([page.waitForEvent('popup'), link.click()]);
    const errors: string[] = [];
    lab.on('pageerror', ({ message }) => errors.push(message));
    await lab.getByText('90 rows, 3 columns').waitFor({ timeout: 30_000 });
    expect(new URL(lab.url()).pathname).toBe('/lab/');
    const text = await lab.locator('body').innerText();
    for (const part of ['gallery.csv', 'Kernel perceptron', 'inside 30', 'outside 60'])
      expect(text.replace(/\s+/g, ' ')).toContain(part);
    expect(errors).toEqual([]);
    await close();
  });

  it.each(['', 'rules'])('plays the first figure of /%s in its place', async (path) => {
    const { page, errors, close } = await open(path);
    const figure = page.locator('.live-figure').first();
    await figure.getByRole('button', { name: 'Play a run' }).click();
    const lab = figure.frameLocator('iframe');
    await lab.getByRole('heading', { name: 'halfspace lab' }).waitFor({ state: 'attached', timeout: 30_000 });
    await lab.getByRole('button', { name: /^Play/ }).waitFor();
    await figure.getByRole('link', { name: 'Open in the lab' }).waitFor();
    expect(await faults(page)).toEqual([]);
    if (path === '') {
      await figure.getByRole('link', { name: 'Why it must stop' }).click();
      await page.getByRole('heading', { name: 'Why the perceptron must stop' }).waitFor();
    }
    expect(errors).toEqual([]);
    await close();
  });

  it('lets a block be edited, stopped and reset, and tells a fault', async () => {
    const { page, close } = await open('errors');
    const block = page.locator('.runnable').first();
    const button = (name: string) => block.getByRole('button', { name });
    await button('Edit').click();
    const text = block.getByRole('textbox', { name: 'Code' });
    await text.fill("import { csv } from 'halfspace';\nconsole.log([typeof csv]);\nmissing();");
    await text.press('Control+Enter');
    await block.locator('.fault').waitFor();
    expect(await block.locator('.output pre').innerText()).toBe("[ 'function' ]\n");
    expect(await block.locator('.fault').innerText()).toContain('ReferenceError: missing');
    expect(await faults(page)).toEqual([]);
    await text.fill('for (;;);');
    await button('Run').click();
    await button('Stop').click();
    await button('Reset').click();
    expect(await block.locator('code').first().innerText()).toContain('row-malformed');
    expect(await block.locator('.output').count()).toBe(0);
    await close();
  });

  it.each([390, 1280])('cuts no code, and shows its place in the navigation, %i pixels wide', async (width) => {
    const { page, close } = await open('architecture', { viewport: { width, height: 900 } });
    const cut = (all: Element[]) => all.filter((each) => each.scrollWidth > each.clientWidth + 1).length;
    expect(await page.locator('.vp-doc pre').evaluateAll(cut)).toBe(0);
    const place = page.locator('.VPSidebar .is-active').first();
    const isSeen = (active: Element) => active.getBoundingClientRect().bottom <= innerHeight;
    await expect.poll(() => place.evaluate(isSeen)).toBe(true);
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe('/lab/icon.svg');
    await close();
  });

  it('comes as Markdown too, whose links lead to Markdown or to the repository', () => {
    const list = readFileSync(join(site, 'llms.txt'), 'utf8');
    const lost: string[] = [];
    for (const path of pages.filter((each) => each !== '')) {
      const file = `${path.replace(/\/$/, '')}.md`;
      if (!list.includes(`](/${file})`)) lost.push(`llms.txt: ${file}`);
      // Code may have brackets before a parenthesis, too.
      const text = readFileSync(join(site, file), 'utf8').replace(/^(```+)[\s\S]*?^\1|`[^`\n]*`/gm, '');
      expect(text, path).toContain('# ');
      for (const [, link] of text.matchAll(/\]\(([^()\s#]+)(?:#[^()\s]*)?\)/g)) {
        if (/^https?:/.test(link!)) continue;
        const target = link!.startsWith('/') ? link! : posix.join(posix.dirname(file), link!);
        if (!target.endsWith('.md') || !existsSync(join(site, target))) lost.push(`${file}: ${link}`);
      }
    }
    expect(lost).toEqual([]);
  });
});
