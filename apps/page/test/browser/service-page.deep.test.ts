import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeModel, rows, train } from 'halfspace';
import { type AppOptions, createApp, type Models, openModels } from 'halfspace-server';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findOrInstallBrowser } from '../../../lab/scripts/find-browser.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const installMs = 900_000;

let browser: Browser;
const closing: (() => Promise<unknown> | unknown)[] = [];
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: findOrInstallBrowser(), args: ['--no-sandbox'] });
}, installMs);
afterAll(async () => {
  await browser?.close();
  for (const close of closing.reverse()) await close();
});

/** A service with a page, on a port that is free. */
async function service(options: AppOptions = {}): Promise<{ models: Models; url: string }> {
  const dir = mkdtempSync(join(tmpdir(), 'halfspace-page-'));
  const models = await openModels({ dir });
  const app = await createApp(models, { tickMs: 100, ...options });
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/`;
  closing.push(
    () => rmSync(dir, { recursive: true, force: true }),
    () => models.close(),
    () => {
      const closed = app.close();
      app.server.closeAllConnections();
      return closed;
    },
  );
  return { models, url };
}

/** Opens the page. `errors` are what went wrong in it, and requests to others. */
async function open(url: string, options: BrowserContextOptions = {}, hash = '') {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) errors.push(request.url());
  });
  await page.goto(url + hash);
  return { page, errors };
}

/** Returns what axe finds wrong with a page, a line each. */
async function faults(page: Page): Promise<string[]> {
  // The content policy lets no script in; axe comes by the protocol of the browser's tools.
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await (
      window as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } }
    ).axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  });
}

const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Examples whose labels turn round in the middle. */
const turning = (count: number) =>
  Array.from({ length: count }, (_, k) => ({
    row: { 'a <b>long</b> name of a column of numbers': (k * 37) % 50, colour: ['red', 'blue'][k % 2]! },
    label: (k * 37) % 50 > 25 === k < count / 2 ? 'yes' : 'no',
  }));

async function frozen(): Promise<string> {
  const table = turning(60).map(({ row, label }, k) => ({ ...row, label: k % 3 === 0 ? 'maybe' : label }));
  return encodeModel((await train(rows(table, { label: 'label' }), { rule: 'averaged', passes: 2 })).model);
}

describe('the page of the service', () => {
  test('shows drift and weights of a model while it learns, and learns from the form', async () => {
    const { models, url } = await service();
    const model = await models.put('turning', { kind: 'learning', options: { rule: 'arow' } });
    const { page, errors } = await open(url);
    await page.getByText('The curve begins').waitFor();
    const examples = turning(1600);
    await model.learn(examples.slice(0, 400));
    await page.getByRole('img', { name: /over 400 examples/ }).waitFor();
    await model.learn(examples.slice(400));
    const chart = page.getByRole('img', { name: /over 1,600 examples.*Drift was found at/ });
    await chart.waitFor();
    const drifts = [...new Set(model.watch!.alarms.filter(({ of }) => of === 'error').map((each) => each.examples))];
    expect(drifts.length).toBeGreaterThan(0);
    const marks = await chart.evaluate((figure) =>
      (figure as unknown as { picture: { marks: { id?: string }[] } }).picture.marks.flatMap(({ id }) => id ?? []),
    );
    expect(marks.filter((id) => id.startsWith('drift')).sort()).toEqual(drifts.map((at) => `drift ${at}`).sort());
    await page.getByRole('slider', { name: 'Read off the curve' }).focus();
    await page.keyboard.press('Home');
    await page.getByText('At 400 examples: latest').waitFor();
    await page.keyboard.press('Tab');
    await chart.hover({ position: { x: 700, y: 60 } });
    await page.getByText('examples: latest').waitFor();
    await page.getByRole('region', { name: 'Strongest weights' }).getByText('colour=red').waitFor();

    await page.getByLabel('a <b>long</b> name of a column of numbers').fill('many');
    await page.getByRole('button', { name: 'Predict' }).click();
    await page.getByText('must be a number; got “many”').waitFor();
    await page.getByLabel('a <b>long</b> name of a column of numbers').fill('40');
    await page.getByLabel('colour').selectOption('blue');
    // By the keyboard.
    await page.getByLabel('colour').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const row = { 'a <b>long</b> name of a column of numbers': 40, colour: 'blue' };
    const answer = String(model.answer(row).class);
    await page.locator('p.class', { hasText: answer }).waitFor();
    await page.getByText(`Why: the score of ${model.explain(row).class}`).waitFor();
    await page.getByRole('button', { name: answer, exact: true }).click();
    await page.getByText(`Learned “${answer}” as example 1,601; the model was right.`).waitFor();
    expect(model.version.sequence).toBe(1601);
    await page.getByRole('img', { name: /over 1,601 examples/ }).waitFor();
    await models.retire('turning');
    await page.getByRole('heading', { name: 'No models yet' }).waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('shows the shadow of a model beside it, and which of both to keep', async () => {
    const { models, url } = await service();
    // The mean of all weights is right more often than the last weights, where labels are noisy.
    const noisy = Array.from({ length: 3000 }, (_, k) => ({
      row: { x: ((k * 37) % 101) - 50 },
      label: (k * 37) % 101 > 50 === (k % 5 !== 0) ? 'yes' : 'no',
    }));
    const model = await models.put('shadowed', { kind: 'learning', options: { rule: 'perceptron' } });
    await model.learn(noisy.slice(0, 200));
    const { page, errors } = await open(url, { viewport: { width: 390, height: 844 } });
    await page.getByRole('img', { name: /over 200 examples/ }).waitFor();
    expect(await page.getByRole('heading', { name: 'Shadow', exact: true }).count()).toBe(0);
    await model.changeShadow({ kind: 'start', options: { rule: 'averaged' } });
    await page.getByText('no example was answered by both').waitFor();
    await model.learn(noisy.slice(200));
    await page.getByText('The shadow is right more often.').waitFor();
    const chart = page.getByRole('img', { name: /of the shadow [0-9.]+ %/ });
    await chart.waitFor();
    const drawn = await chart.evaluate((figure) =>
      (figure as unknown as { picture: { marks: { id?: string }[] } }).picture.marks.some(({ id }) => id === 'shadow'),
    );
    expect(drawn).toBe(true);
    const { onlyShadow, onlyModel } = model.shadow!.compared;
    expect(onlyShadow).toBeGreaterThan(onlyModel);
    expect([await faults(page), await sideways(page)]).toEqual([[], 0]);
    // The command does what it says, once.
    const command = await page.locator('section', { hasText: 'McNemar' }).locator('pre').innerText();
    const [, address, key] = /^curl -X POST (\S+) -H 'Idempotency-Key: (\S+)'$/.exec(command)!;
    for (let k = 0; k < 2; k++)
      expect((await fetch(address!, { method: 'POST', headers: { 'idempotency-key': key! } })).status).toBe(200);
    expect(model.description.rule).toBe('averaged');
    await page.getByText('A second learner by the rule perceptron').waitFor();
    await model.changeShadow({ kind: 'drop' });
    await page.getByRole('heading', { name: 'Shadow', exact: true }).waitFor({ state: 'detached' });
    expect(errors).toEqual([]);
    await page.context().close();
  });

  test('draws from the list of models when the service has no room for another reader of events', async () => {
    const { models, url } = await service({ limits: { readers: 0 } });
    const model = await models.put('turning', { kind: 'learning', options: {} });
    await model.learn(turning(20));
    const { page, errors } = await open(url);
    const chart = page.getByRole('img', { name: /over 20 examples/ });
    await chart.waitFor();
    await model.learn(turning(40));
    await page.getByRole('img', { name: /over 60 examples/ }).waitFor();
    await model.changeShadow({ kind: 'start', options: {} });
    await page.getByRole('heading', { name: 'Shadow', exact: true }).waitFor();
    expect(await page.getByText('live').count()).toBe(0);
    expect(errors.filter((error) => !error.includes('503'))).toEqual([]);
    await page.context().close();
  });

  test('asks for a key, keeps it in the tab only, and sends it with events, too', async () => {
    const token = 'a-token-of-this-test-0123456789';
    const sha256 = createHash('sha256').update(token).digest('hex');
    const { models, url } = await service({
      keys: [{ name: 'reader', sha256, scopes: ['predict'], models: ['kept'] }],
    });
    const model = await models.put('kept', { kind: 'learning', options: {} });
    await models.put('hidden', { kind: 'learning', options: {} });
    const { page, errors } = await open(url, { viewport: { width: 390, height: 844 } });
    await page.getByLabel('Key').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The service does not know this key.').waitFor();
    expect(await faults(page)).toEqual([]);
    await page.getByLabel('Key').fill(token);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'kept' }).waitFor();
    expect(await page.getByText('hidden').count()).toBe(0);
    await model.learn(turning(20));
    await page.getByRole('img', { name: /over 20 examples/ }).waitFor();
    await page.getByText('live').waitFor();
    expect([await faults(page), await sideways(page)]).toEqual([[], 0]);
    expect(page.url()).not.toContain(token);
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }) + document.cookie)).not.toContain(token);
    await page.reload();
    await page.getByRole('heading', { name: 'kept' }).waitFor();
    await page.getByRole('button', { name: 'Forget key' }).click();
    await page.getByLabel('Key').waitFor();
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(token);
    expect(errors.filter((error) => !error.includes('401'))).toEqual([]);
    await page.context().close();
  });

  test('is found without fault by axe and never scrolls sideways, in every state', async () => {
    const { models, url } = await service();
    const empty = await service();
    const model = await models.put('learns', { kind: 'learning', options: { calibrate: true } });
    await model.learn(turning(600));
    await models.put('new', { kind: 'learning', options: {} });
    await models.put('frozen', { kind: 'frozen', file: await frozen() });
    for (const colorScheme of ['light', 'dark'] as const)
      for (const [width, height] of [
        [390, 844],
        [1440, 900],
        [2560, 1440],
      ] as const) {
        const options = { colorScheme, viewport: { width, height }, reducedMotion: 'reduce' } as const;
        const look = async (page: Page, state: string) =>
          expect({ state, width, faults: await faults(page), sideways: await sideways(page) }).toEqual({
            state,
            width,
            faults: [],
            sideways: 0,
          });
        const { page, errors } = await open(url, options, '#/learns');
        for (const name of ['learns', 'frozen']) {
          await page.getByRole('link', { name }).click();
          await page.getByRole('heading', { name }).waitFor();
          await page.getByRole('button', { name: 'Fill in usual values' }).click();
          await page.getByRole('button', { name: 'Predict' }).click();
          await page.getByText('Why:').waitFor();
          await look(page, name);
        }
        await page.getByRole('link', { name: 'new' }).click();
        await page.getByText('The curve begins').waitFor();
        await look(page, 'new');
        await page.goto(empty.url);
        await page.getByText('No models yet').waitFor();
        await look(page, 'empty');
        expect(errors.filter((error) => !error.startsWith(empty.url))).toEqual([]);
        await page.context().close();
      }
  });
});
