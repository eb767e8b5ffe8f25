import { Predictor } from 'halfspace';
import { toJavaScript } from 'halfspace/export';
import { Random } from 'halfspace/internal';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { findOrInstallBrowser } from '../../apps/lab/scripts/find-browser.mjs';
import { goodRows, tableModels } from '../../packages/halfspace/test/export/models.ts';

const page = `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'self'">
<body></body><script type="module" src="/page.js"></script>`;

/** Asks the program about rows, and shows the scores with all digits. */
const asking = (rows: object[], isTwo: boolean) => `import { ${isTwo ? 'score' : 'scores'} as ask } from './model.mjs';
document.body.innerText = JSON.stringify(${JSON.stringify(rows)}.map((row) => [ask(row)].flat()));
document.title = 'done';`;

test('an exported program has the bits of Predictor in a page whose policy forbids eval', async () => {
  const browser = await chromium.launch({ executablePath: findOrInstallBrowser(), args: ['--no-sandbox'] });
  try {
    for (const [name, model] of await tableModels()) {
      const rows = goodRows(200, new Random(8).below(1e6), ['a', 'b']);
      const tab = await browser.newPage();
      const errors: string[] = [];
      tab.on('pageerror', (error) => errors.push(error.message));
      const scripts: Readonly<Record<string, string>> = {
        '/page.js': asking(rows, model.classes.length === 2),
        '/model.mjs': toJavaScript(model),
      };
      await tab.route('http://page.test/**', (route) => {
        const body = scripts[new URL(route.request().url()).pathname];
        return route.fulfill(
          body === undefined
            ? { contentType: 'text/html; charset=utf-8', body: page }
            : { contentType: 'text/javascript; charset=utf-8', body },
        );
      });
      await tab.goto('http://page.test/');
      await tab.waitForFunction(() => document.title === 'done', null, { timeout: 60_000 });
      const predictor = new Predictor(model);
      const shown = JSON.parse(await tab.evaluate(() => document.body.innerText)) as number[][];
      expect({ name, errors, shown }).toEqual({
        name,
        errors: [],
        shown: rows.map((row) => [...predictor.scores(row)]),
      });
      await tab.close();
    }
  } finally {
    await browser.close();
  }
});
