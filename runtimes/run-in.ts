import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Runtime } from './find.ts';

export const root = resolve(import.meta.dirname, '..');
export const command = resolve(root, 'packages/cli/bin/halfspace.cjs');

export interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a file of JavaScript in a runtime, to its end. The places and languages of the runs differ, which must not show. */
export function runIn(
  { name, program, before }: Runtime,
  cwd: string,
  file: string,
  args: readonly string[],
): Promise<Ended> {
  const elsewhere = name === 'Node 22' ? { TZ: 'America/St_Johns', LC_ALL: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8' } : {};
  const child = spawn(program, [...before, file, ...args], {
    cwd,
    env: { ...process.env, ...elsewhere, DENO_NO_UPDATE_CHECK: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = [child.stdout, child.stderr].map((stream) => {
    const pieces: Buffer[] = [];
    stream.on('data', (piece) => pieces.push(piece));
    return () => Buffer.concat(pieces).toString();
  });
  return new Promise((ended, failed) => {
    child.on('error', failed);
    child.on('close', (status) => ended({ status, out: texts[0]!(), err: texts[1]!() }));
  });
}
