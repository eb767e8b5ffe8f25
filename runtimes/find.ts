import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A way to run a program of JavaScript. */
export interface Runtime {
  readonly name: string;
  /** The program, and arguments that come before the file to run. */
  readonly program: string;
  readonly before: readonly string[];
}

const installed = join(import.meta.dirname, 'node_modules');

const places: readonly [name: string, path: string, before: readonly string[]][] = [
  ['Node 20', 'node-20-linux-x64/bin/node', []],
  ['Node 22', 'node-22-linux-x64/bin/node', []],
  ['Node 24', 'node-24-linux-x64/bin/node', []],
  ['Bun', '@oven/bun-linux-x64/bin/bun', []],
  // Its code cache may give an earlier build at the same path, if both have the same length.
  ['Deno', '@deno/linux-x64-glibc/deno', ['run', '--allow-all', '--no-lock', '--no-code-cache']],
];

/** The runtime of edge workers, if it is installed. It serves workers, and runs no programs. */
export const workerd = join(installed, '@cloudflare/workerd-linux-64/bin/workerd');

/** The runtimes that `npm ci --prefix runtimes --ignore-scripts` has installed. */
export function findRuntimes(): Runtime[] {
  return places
    .map(([name, path, before]) => ({ name, program: join(installed, path), before }))
    .filter(({ program }) => existsSync(program));
}

/** What a test says that finds none. */
export const notInstalled = 'skipped without the runtimes: npm ci --prefix runtimes --ignore-scripts';
