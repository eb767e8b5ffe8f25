import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll } from 'vitest';
import { isDeep } from '../../../test/support/quick.ts';
import { runWarm } from './support/warm.ts';

export const command = resolve(import.meta.dirname, '../bin/halfspace.cjs');
export const root = resolve(import.meta.dirname, '../../..');

export interface Run {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** Makes a folder that is removed after all tests of a file, or of a block. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'halfspace-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The environment without the colours that a test runner may force. */
const plain = { ...process.env, FORCE_COLOR: '' };

/** Commands that wait for something. */
const waiting = /^(lab|serve|worker)$/;

/**
 * Runs the command to its end. Without input and variables of its own it shares a process with other runs in `npm test`,
 * because to load the library takes longer than most runs; the deep suite starts a process for each.
 */
export function halfspace(
  cwd: string,
  args: readonly string[],
  options: Parameters<typeof halfspaceAlone>[2] = {},
): Run {
  const shares =
    !isDeep &&
    process.platform !== 'win32' &&
    Object.keys(options).length === 0 &&
    !args.includes('-') &&
    !waiting.test(args[0] ?? '');
  return (shares && runWarm(command, cwd, args)) || halfspaceAlone(cwd, args, options);
}

/** Runs the command as a shell would, to its end. */
export function halfspaceAlone(
  cwd: string,
  args: readonly string[],
  options: { input?: string | Buffer; env?: object } = {},
): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd,
    input: options.input ?? '',
    env: { ...plain, ...options.env },
    maxBuffer: 1 << 28,
  });
  return { status, out: stdout.toString(), err: stderr.toString() };
}

/** Runs the command with input in pieces, whose sizes repeat. */
export async function halfspaceInPieces(
  cwd: string,
  args: readonly string[],
  input: Buffer,
  sizes: readonly number[],
): Promise<Run> {
  const child = spawn(process.execPath, [command, ...args], { cwd, env: plain });
  let out = '';
  let err = '';
  child.stdout.on('data', (piece) => {
    out += piece;
  });
  child.stderr.on('data', (piece) => {
    err += piece;
  });
  for (let at = 0, k = 0; at < input.length; k++) {
    const size = sizes[k % sizes.length]!;
    const piece = input.subarray(at, at + size);
    at += size;
    if (!child.stdin.write(piece)) await new Promise((resolved) => child.stdin.once('drain', resolved));
  }
  child.stdin.end();
  const status = await new Promise<number | null>((resolved) => child.once('close', resolved));
  return { status, out, err };
}
