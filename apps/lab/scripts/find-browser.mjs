import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where distributions and vendors put Chromium and its kin. */
const known = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The path of a Chromium that is here: the one that CHROMIUM names, an installed one, or Playwright's own; null: there is none. */
export function findBrowser() {
  const { CHROMIUM } = process.env;
  if (CHROMIUM !== undefined) {
    if (!existsSync(CHROMIUM))
      throw new Error(`CHROMIUM must be the path of a browser; got ${CHROMIUM}, which is not there`);
    return CHROMIUM;
  }
  return known.find((each) => existsSync(each)) ?? downloaded();
}

/**
 * As {@link findBrowser}, but installs one where there is none: Playwright's download, else Debian's package. Of several processes that need it
 * one does, and the others wait: package managers lock each other out.
 */
export function findOrInstallBrowser() {
  const lock = path.join(tmpdir(), `halfspace-browser-${process.getuid?.() ?? 0}`);
  for (;;) {
    const waits = isHeld(lock);
    // Files of one that is being installed are there before it can run.
    const here = waits ? null : findBrowser();
    if (here !== null) return here;
    if (!waits && take(lock)) break;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  }
  try {
    return install();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Whether another process has the lock. It is taken away from one that has ended. */
function isHeld(lock) {
  try {
    const holder = Number(readFileSync(lock, 'utf8'));
    if (holder === process.pid) throw Object.assign(new Error(), { code: 'ESRCH' });
    process.kill(holder, 0);
    return true;
  } catch ({ code }) {
    if (code === 'ESRCH') rmSync(lock, { force: true });
    // Whoever may not be signalled is there.
    return code === 'EPERM';
  }
}

function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

function install() {
  const cli = fileURLToPath(new URL('cli.js', import.meta.resolve('playwright-core/package.json')));
  const ways = [
    [process.execPath, [cli, 'install', '--with-deps', 'chromium-headless-shell']],
    ['apt-get', ['install', '--yes', '--no-install-recommends', 'chromium']],
  ];
  for (const [command, args] of ways) {
    try {
      execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], timeout: 600_000 });
    } catch {
      continue;
    }
    const installed = findBrowser();
    if (installed !== null) return installed;
  }
  throw new Error(
    'expected a Chromium for the tests of the lab: install one (Debian: apt-get install chromium), or name it by CHROMIUM=PATH',
  );
}

function downloaded() {
  const cache = process.env.PLAYWRIGHT_BROWSERS_PATH ?? path.join(homedir(), '.cache/ms-playwright');
  if (!existsSync(cache)) return null;
  const names = ['chrome-headless-shell', 'headless_shell', 'chrome'];
  // Written last: until then it may be on its way.
  for (const folder of readdirSync(cache)
    .filter((name) => name.startsWith('chromium'))
    .sort()
    .reverse())
    if (existsSync(path.join(cache, folder, 'INSTALLATION_COMPLETE')))
      for (const part of readdirSync(path.join(cache, folder)))
        for (const name of names) {
          const file = path.join(cache, folder, part, name);
          if (existsSync(file)) return file;
        }
  return null;
}
