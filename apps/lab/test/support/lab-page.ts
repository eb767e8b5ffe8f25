import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findOrInstallBrowser } from '../../scripts/find-browser.mjs';
import type { Picture } from '../../src/picture/picture.ts';
import type { Lab } from '../../src/state/lab.svelte.ts';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
};

declare global {
  interface Window {
    halfspaceLab: Lab;
  }
}

/** How long a busy machine may take for one thing, in milliseconds: less than a test may, so that what was waited for is told. */
const patienceMs = 90_000;

/** How long {@link LabBrowser.open} may take, in milliseconds, where it must install a browser first. */
export const installMs = 900_000;

/** A real browser with the built lab, served from loopback. Close it. */
export class LabBrowser {
  readonly #server: Server;
  readonly browser: Browser;
  readonly url: string;

  private constructor(server: Server, browser: Browser, url: string) {
    this.#server = server;
    this.browser = browser;
    this.url = url;
  }

  static async open(args: readonly string[] = []): Promise<LabBrowser> {
    if (!existsSync(path.join(dist, 'index.html'))) throw new Error('expected the lab to be built: npm run build');
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url!, 'http://localhost');
      const file = path.join(dist, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
      if (!file.startsWith(dist) || !existsSync(file) || !statSync(file).isFile()) {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream' });
      createReadStream(file).pipe(response);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as { port: number };
    // A sandbox of its own is not to be had in containers; the page is ours.
    const browser = await chromium.launch({
      executablePath: findOrInstallBrowser(),
      args: ['--no-sandbox', ...args],
      timeout: patienceMs,
    });
    return new LabBrowser(server, browser, `http://127.0.0.1:${port}/`);
  }

  /**
   * A page of its own, which fails the test that reads `errors` if anything in it went wrong.
   * @param first true: this browser has never shown the lab, which then plays a run by itself.
   */
  async page(
    { first = false, ...options }: BrowserContextOptions & { readonly first?: boolean } = {},
    hash = '',
  ): Promise<{ page: Page; errors: string[] }> {
    const context = await this.browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    if (!first) await context.addInitScript(() => localStorage.setItem('halfspace-lab-seen', '1'));
    context.setDefaultTimeout(patienceMs);
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.goto(this.url + hash);
    await ready(page);
    return { page, errors };
  }

  async close(): Promise<void> {
    await this.browser.close();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }
}

/** Waits until nothing is being computed, and the code of each shown view has come. */
export async function ready(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.documentElement.dataset.state === 'ready' &&
      document.querySelector('.views .panel:not([data-view])') === null,
    null,
    { timeout: patienceMs },
  );
}

/** What a figure shows, as data: that of the plane, or of the first or second view. */
export async function pictureOf(page: Page, selector: string): Promise<Picture> {
  await page.waitForFunction(
    (at) => (document.querySelector(at) as unknown as { picture?: Picture } | null)?.picture,
    selector,
  );
  return page.evaluate((at) => (document.querySelector(at) as unknown as { picture: Picture }).picture, selector);
}

/** Chooses the first view in the gallery, and waits until it has been loaded. */
export async function showTab(page: Page, title: string): Promise<void> {
  await page.locator('.choose').first().click();
  const card = page.locator('.gallery li button').filter({ has: page.getByText(title, { exact: true }) });
  const id = (await card.getAttribute('value'))!;
  await card.click();
  const loaded = (wanted: string) => document.querySelector<HTMLElement>('.panel')?.dataset.view === wanted;
  await page.waitForFunction(loaded, id);
}

/** Titles of all views in the gallery. */
export async function viewTitles(page: Page): Promise<string[]> {
  await page.locator('.choose').first().click();
  const titles = page.locator('.gallery li button > span:last-child');
  await titles.first().waitFor();
  const texts = await titles.allTextContents();
  await page.keyboard.press('Escape');
  return texts;
}
