import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findOrInstallBrowser } from '../apps/lab/scripts/find-browser.mjs';
import { findRuntimes, notInstalled } from '../runtimes/find.ts';
import { installInto, manifestOf, root } from './support/packed.ts';

const examples = join(root, 'examples');
const names = Array.from(
  readFileSync(join(examples, 'README.md'), 'utf8').matchAll(/^\| \[([\w-]+)\]\(\1\)/gm),
  ([, name]) => name!,
);
const folder = mkdtempSync(join(tmpdir(), 'halfspace-examples-'));
const isDeep = process.env.TEST_DEEP === '1';
const children: ChildProcess[] = [];
let browser: Browser | undefined;

beforeAll(() => {
  installInto(folder);
  const modules = join(folder, 'node_modules');
  for (const name of names) {
    cpSync(join(examples, name), join(folder, name), { recursive: true });
    symlinkSync(modules, join(folder, name, 'node_modules'));
    for (const tool of Object.keys(manifestOf(join(examples, name)).devDependencies ?? {})) link(tool, modules);
  }
});

afterAll(async () => {
  await browser?.close();
  // A negative number names a process with all that it started.
  for (const { pid, exitCode } of children) if (pid !== undefined && exitCode === null) process.kill(-pid);
  rmSync(folder, { recursive: true, force: true });
});

/** Makes a tool of this project, and its programs, visible in another folder of modules. */
function link(name: string, modules: string): void {
  const place = join(root, 'node_modules', name);
  if (!existsSync(place) || existsSync(join(modules, name))) return;
  execFileSync('mkdir', ['-p', join(modules, name, '..')]);
  symlinkSync(place, join(modules, name));
  const { bin } = manifestOf(place) as { bin?: string | Record<string, string> };
  for (const [program, file] of Object.entries(typeof bin === 'string' ? { [name]: bin } : (bin ?? {})))
    symlinkSync(join(place, file), join(modules, '.bin', program));
}

const npm = (name: string, ...args: string[]): string =>
  execFileSync('npm', args, { cwd: join(folder, name), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Starts a program that does not end by itself. Resolves to the first match in its output. */
function start(name: string, pattern: RegExp, command: string, args: string[], env: object = {}): Promise<string> {
  const child = spawn(command, args, {
    cwd: join(folder, name),
    // Where CI is set, tools write colours between the words that we look for.
    env: { ...process.env, FORCE_COLOR: undefined, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  children.push(child);
  return new Promise((resolve, reject) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece: Buffer) => {
        output += piece;
        const [, found] = pattern.exec(output) ?? [];
        if (found !== undefined) resolve(found);
      });
    child.once('error', reject);
    child.once('close', (status) => reject(new Error(`expected ${command} to go on; got status ${status}: ${output}`)));
  });
}

/** Returns the indented block of an example's README below a line that ends with these words. */
function shown(name: string, words: string): string {
  const readme = readFileSync(join(examples, name, 'README.md'), 'utf8');
  const [, block] = new RegExp(`${words}:\n\n((?: {4}.*\n|\n)+)`).exec(readme) ?? [];
  if (block === undefined) throw new Error(`expected "${words}:" and a block in the README of ${name}; found none`);
  return block.replaceAll(/^ {4}/gm, '').trim();
}

/** Opens a page and gathers what goes wrong in it. */
async function open(url: string): Promise<{ page: Page; errors: string[] }> {
  browser ??= await chromium.launch({ executablePath: findOrInstallBrowser(), args: ['--no-sandbox'] });
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.location().url.endsWith('favicon.ico')) errors.push(message.text());
  });
  await page.goto(url);
  return { page, errors };
}

test('examples/README.md lists all examples', () => {
  const folders = readdirSync(examples, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect([...names].sort()).toEqual(folders.map(({ name }) => name).sort());
});

test.each(names)('%s has a README, and asks for the current version of our packages and for no other', (name) => {
  expect(readFileSync(join(examples, name, 'README.md'), 'utf8')).toMatch(/^# /);
  const { version } = manifestOf(join(root, 'packages/halfspace'));
  for (const [dependency, range] of Object.entries(manifestOf(join(examples, name)).dependencies!)) {
    expect(dependency).toMatch(/^halfspace/);
    expect(range, 'run node scripts/set-example-versions.mjs').toBe(`^${version}`);
  }
});

test.each(['node-script', 'message-stream', 'command-pipeline'])('%s prints what its README shows', (name) => {
  expect(npm(name, 'start', '--silent').trim()).toBe(shown(name, 'It prints'));
});

const others = isDeep ? findRuntimes() : [];
test.skipIf(others.length === 0)(`the scripts print and write the same in all runtimes (deep; ${notInstalled})`, () => {
  const files: Record<string, string> = { 'node-script': 'mails.model.json', 'message-stream': 'state.json' };
  for (const [name, file] of Object.entries(files)) {
    npm(name, 'start');
    const expected = readFileSync(join(folder, name, file), 'utf8');
    for (const { name: runtime, program, before } of others) {
      rmSync(join(folder, name, file));
      const printed = execFileSync(program, [...before, 'index.js'], { cwd: join(folder, name), encoding: 'utf8' });
      expect(shown(name, 'It prints'), runtime).toContain(printed.trim().split('\n').at(-1));
      expect(readFileSync(join(folder, name, file), 'utf8'), runtime).toBe(expected);
    }
  }
});

test('browser-page trains from a file, offers the model and predicts', async () => {
  const name = 'browser-page';
  const url = await start(name, /(http:\S+)/, 'npm', ['start'], { PORT: '0' });
  const { page, errors } = await open(url);
  await page.getByLabel('Table with a header').setInputFiles(join(folder, name, 'fruit.csv'));
  await page.getByRole('link', { name: 'Save the model' }).waitFor();
  expect(await page.locator('#result').textContent()).toBe('100 % of the rows are right');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('Save the model').click()]);
  // The page and Node make the same file, byte for byte.
  npm('edge-worker', 'run', 'train');
  expect(readFileSync((await download.path())!, 'utf8')).toBe(
    readFileSync(join(folder, 'edge-worker/fruit.model.json'), 'utf8'),
  );
  for (const [field, value] of Object.entries({ kind: 'pear', weight: '180', redness: '0.4', firmness: '3' }))
    await page.getByLabel(field).fill(value);
  await page.getByRole('button', { name: 'Predict' }).click();
  expect(await page.locator('#answer').textContent()).toBe('yes');
  expect(errors).toEqual([]);
});

describe('edge-worker answers what its README shows, and trains the same model as Node,', () => {
  const name = 'edge-worker';
  beforeAll(() => {
    npm(name, 'run', 'train');
    npm(name, 'run', 'build');
  });

  test('called as a function', async () => {
    const { default: worker } = await import(pathToFileURL(join(folder, name, 'dist/worker.js')).href);
    await isRight((request) => worker.fetch(request), 'http://localhost');
  });

  const workerd = join(root, 'runtimes/node_modules/@cloudflare/workerd-linux-64/bin/workerd');
  test.skipIf(!isDeep || !existsSync(workerd))(`in workerd (deep; ${notInstalled})`, async () => {
    const args = ['serve', 'worker.capnp', '--socket-addr=http=127.0.0.1:0', '--control-fd=1'];
    const port = await start(name, /"port":(\d+)/, workerd, args);
    await isRight(fetch, `http://127.0.0.1:${port}`);
  });

  async function isRight(ask: (request: Request) => Promise<Response>, address: string): Promise<void> {
    const [, row] = /--data '(.*)'/.exec(shown(name, 'Then ask'))!;
    const post = (path: string, body: string) => ask(new Request(address + path, { method: 'POST', body }));
    expect(await (await post('/predict', row!)).text()).toBe(shown(name, 'It answers'));
    const table = readFileSync(join(folder, name, 'fruit.csv'), 'utf8');
    const trained = await (await post('/train?label=ripe', table)).text();
    expect(trained).toBe(readFileSync(join(folder, name, 'fruit.model.json'), 'utf8'));
    const refused = await post('/train?label=rotten', table);
    expect({ status: refused.status, text: await refused.text() }).toEqual({
      status: 400,
      text: expect.stringMatching(/rotten/),
    });
  }
});

test('svelte-component guesses, learns from each click, and says how often it was right', async () => {
  const name = 'svelte-component';
  npm(name, 'run', 'build');
  const port = await start(name, /127\.0\.0\.1:(\d+)/, join(folder, 'node_modules/.bin/vite'), [
    ...['preview', '--host', '127.0.0.1', '--port', '0'],
  ]);
  const { page, errors } = await open(`http://127.0.0.1:${port}/`);
  const { texts } = await import(join(folder, name, 'src/texts.js'));
  for (const { text, class: chosen } of texts) {
    await page.getByText(text, { exact: true }).waitFor();
    await page.getByRole('button', { name: chosen, exact: true }).click();
  }
  expect(await page.getByRole('status').textContent()).toBe(shown(name, 'it says'));
  expect(errors).toEqual([]);
});
