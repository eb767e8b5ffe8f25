import { join } from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { findOrInstallBrowser } from '../../apps/lab/scripts/find-browser.mjs';
import { answers } from '../programs/answers.mjs';
import { root } from '../run-in.ts';

/** A page that trains and asks, with a policy that lets it run its own file only: no eval, no WebAssembly. */
const pages = {
  free: '',
  strict: '<meta http-equiv="Content-Security-Policy" content="default-src \'self\'">',
};

test.each(Object.entries(pages))('a page gives the answers of Node, with a %s policy', async (_, policy) => {
  const program = join(root, 'runtimes/programs/answers.mjs');
  const { outputFiles } = await build({
    stdin: {
      contents: `import { answers } from ${JSON.stringify(program)};
        document.title = 'busy';
        answers().then((lines) => { document.body.innerText = lines.join('\\n'); document.title = 'done'; });`,
      resolveDir: root,
    },
    bundle: true,
    format: 'esm',
    minify: true,
    write: false,
  });
  const browser = await chromium.launch({ executablePath: findOrInstallBrowser(), args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.route('http://page.test/**', (route) =>
      route.request().url().endsWith('.js')
        ? route.fulfill({ contentType: 'text/javascript; charset=utf-8', body: outputFiles[0]!.text })
        : route.fulfill({
            contentType: 'text/html; charset=utf-8',
            body: `<!doctype html>${policy}<body></body><script type="module" src="/page.js"></script>`,
          }),
    );
    await page.goto('http://page.test/');
    await page.waitForFunction(() => document.title === 'done', null, { timeout: 120_000 });
    expect(errors).toEqual([]);
    expect((await page.evaluate(() => document.body.innerText)).split('\n')).toEqual(
      // A page drops blanks at the ends of lines.
      (await answers()).map((line) => line.trimEnd()),
    );
  } finally {
    await browser.close();
  }
});
