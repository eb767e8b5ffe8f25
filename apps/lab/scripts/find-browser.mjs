import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
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

/** As {@link findBrowser}, but installs one where there is none: Playwright's download, else Debian's package. */
export function findOrInstallBrowser() {
  const here = findBrowser();
  if (here !== null) return here;
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
  for (const folder of readdirSync(cache)
    .filter((name) => name.startsWith('chromium'))
    .sort()
    .reverse())
    for (const part of readdirSync(path.join(cache, folder)))
      for (const name of names) {
        const file = path.join(cache, folder, part, name);
        if (existsSync(file)) return file;
      }
  return null;
}
