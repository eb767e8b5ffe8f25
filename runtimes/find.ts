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

/** The runtimes that `npm ci --prefix runtimes --ignore-scripts` has installed for this machine. */
export function findRuntimes(): Runtime[] {
  const { platform, arch } = process;
  const deno = ['glibc', undefined].map((libc) => [platform, arch, libc].filter(Boolean).join('-'));
  const bun = `${platform}-${arch === 'arm64' ? 'aarch64' : arch}`;
  const candidates: [name: string, program: string, before: string[]][] = [
    ...['20', '22', '24'].map((version): [string, string, string[]] => [
      `Node ${version}`,
      join(installed, `node-${version}-${platform}-${arch}`, 'bin/node'),
      [],
    ]),
    ['Bun', join(installed, '@oven', `bun-${bun}`, 'bin/bun'), []],
    ...deno.map((name): [string, string, string[]] => [
      'Deno',
      join(installed, '@deno', name, 'deno'),
      ['run', '--allow-all', '--no-lock'],
    ]),
  ];
  return candidates
    .filter(([, program]) => existsSync(program))
    .map(([name, program, before]) => ({ name, program, before }));
}

/** What a test says that finds none. */
export const notInstalled = 'skipped without the runtimes: npm ci --prefix runtimes --ignore-scripts';
