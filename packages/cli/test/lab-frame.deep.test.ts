import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import { expect, it } from 'vitest';
import { findOrInstallBrowser } from '../../../apps/lab/scripts/find-browser.mjs';
import { command } from './run.ts';

/** Starts a lab that an origin may frame, and returns its address. */
async function labFor(origin: string, started: ChildProcess[]): Promise<string> {
  const child = spawn(process.execPath, [command, 'lab', '--no-open', '--port', '0', '--frame', origin]);
  started.push(child);
  let out = '';
  for await (const piece of child.stdout) {
    out += piece;
    const [, address] = /The lab is at (\S+)\n/.exec(out) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error(`expected an address; got ${out}`);
}

it('a browser shows the lab in a page of an allowed origin, and in no other', async () => {
  const started: ChildProcess[] = [];
  let html = '';
  const page = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));
  await once(page.listen(0, '127.0.0.1'), 'listening');
  const { port } = page.address() as AddressInfo;
  const browser = await chromium.launch({ executablePath: findOrInstallBrowser(), args: ['--no-sandbox'] });
  try {
    const address = await labFor(`http://localhost:${port}`, started);
    html = `<!doctype html><title>A page</title><iframe src="${address}#embed=plane" width="960" height="540"></iframe>`;
    const allowed = await browser.newPage();
    await allowed.goto(`http://localhost:${port}/`);
    await allowed.frameLocator('iframe').locator('.plane .figure').waitFor();
    // The same page by another name is another origin.
    const other = await browser.newPage();
    const refusal = other.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    await other.goto(`http://127.0.0.1:${port}/`);
    await refusal;
    expect(await other.frameLocator('iframe').locator('.plane').count()).toBe(0);
  } finally {
    await browser.close();
    page.close();
    for (const child of started) child.kill();
  }
}, 900_000);
