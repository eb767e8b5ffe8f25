import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { findOrInstallBrowser } from '../../../../apps/lab/scripts/find-browser.mjs';
import { createApp } from '../../src/http/app.ts';
import { openModels } from '../../src/index.ts';
import { temporaryFolder } from '../support/examples.ts';

/** The program of a page. It learns, asks, and reads events that it missed. */
const program = `
  import { ServiceClient } from './index.ts';
  const service = new ServiceClient(globalThis.serviceUrl);
  const model = service.model('m');
  const run = async () => {
    await model.put({ kind: 'learning' }, { ifVersion: 'none' });
    const conflict = await model.put({ kind: 'learning' }, { ifVersion: 'none' }).catch((error) => error.code);
    const examples = [{ row: { x: 1 }, label: 'a' }, { row: { x: -1 }, label: 'b' }, { row: { x: 2 }, label: 'a' }];
    let learned = 0;
    for await (const outcome of model.learnStream(examples)) learned = outcome.sequence;
    const classes = [];
    for await (const { class: name } of model.predictStream([{ x: 3 }, { x: -3 }])) classes.push(name);
    const { version } = await model.modelFile();
    let event;
    for await (event of model.events({ after: 1 })) break;
    return { conflict, learned, classes, sequence: version.sequence, event: event.type };
  };
  run().then((found) => { globalThis.found = found; }, (error) => { globalThis.found = String(error); });
`;

test('a page of an origin that may ask uses the client, and one of another origin is refused', async () => {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: resolve(import.meta.dirname, '../../src/client') },
    bundle: true,
    format: 'esm',
    write: false,
  });
  let script = '';
  const pages = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><body></body><script type="module">${script}</script>`);
  });
  await new Promise<void>((listening) => pages.listen(0, '127.0.0.1', listening));
  const { port } = pages.address() as AddressInfo;
  const models = await openModels({ dir: temporaryFolder() });
  const app = await createApp(models, { origins: [`http://127.0.0.1:${port}`] });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  script = `globalThis.serviceUrl = '${url}';${outputFiles[0]!.text}`;
  const browser = await chromium.launch({ executablePath: findOrInstallBrowser(), args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    const found = async (host: string) => {
      await page.goto(`http://${host}:${port}/`);
      return (await page.waitForFunction(() => (globalThis as { found?: unknown }).found)).jsonValue();
    };
    expect(await found('127.0.0.1')).toEqual({
      conflict: 'version-differs',
      learned: 3,
      classes: ['a', 'b'],
      sequence: 3,
      event: 'state',
    });
    // A page cannot read the refusal of a preflight request.
    expect(await found('localhost')).toContain('expected an answer of the service; got none');
  } finally {
    await browser.close();
    pages.close();
    const closed = app.close();
    app.server.closeAllConnections();
    await closed;
    await models.close();
  }
});
