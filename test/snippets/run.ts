/** Runs the steps of a page in a folder. */

import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { transformSync } from 'esbuild';
import type { Module, Step } from './steps.ts';

const root = resolve(import.meta.dirname, '../..');

/** Makes a folder where the packages, the command and the data of the development dependencies are installed. */
export function makeFolder(folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Runs a step and returns what it prints, on both standard output and standard error. Throws an error if it fails. */
export async function runStep(folder: string, step: Step): Promise<string> {
  if (step.kind === 'file') {
    writeFileSync(join(folder, step.name), step.text);
    return '';
  }
  if (step.kind === 'commands') {
    // Both outputs go to one pipe, in the order in which they are written. npx would look for the same command and take
    // half a second to find it.
    return await run(folder, 'bash', ['-euo', 'pipefail', '-c', `exec 2>&1\nnpx() { "$@"; }\n${step.text}`]);
  }
  return await run(folder, process.execPath, [writeModule(folder, step)]);
}

/** Runs modules one after the other in one process, which starts only once. Returns what each prints. */
export async function runModules(folder: string, modules: readonly Module[]): Promise<string[]> {
  const names = modules.map((module, i) => writeModule(folder, module, `${i}-`));
  const imports = names.map((name) => `console.log('${mark}');\nawait import('./${name}');\n`);
  writeFileSync(join(folder, 'all.mjs'), imports.join(''));
  const output = await run(folder, process.execPath, ['all.mjs']);
  return output.split(`${mark}\n`).slice(1);
}

/** The line before the output of a module. */
const mark = '=== module ===';

function writeModule(folder: string, { line, text, typed }: Module, prefix = ''): string {
  const name = `${prefix}block-${line}.mjs`;
  const { code } = transformSync(text, { loader: typed ? 'ts' : 'js', format: 'esm', target: 'es2022' });
  writeFileSync(join(folder, name), code);
  return name;
}

function run(cwd: string, command: string, args: readonly string[]): Promise<string> {
  const path = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`;
  // Colours and terminal widths would depend on where the tests run.
  const env = { ...process.env, PATH: path, NO_COLOR: '1', COLUMNS: '80', TZ: 'UTC', FORCE_COLOR: undefined };
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  return new Promise((resolved, rejected) => {
    let output = '';
    const gather = (piece: Buffer) => {
      output += piece;
    };
    child.stdout.on('data', gather);
    child.stderr.on('data', gather);
    child.once('error', rejected);
    child.once('close', (status) => {
      if (status === 0) resolved(output);
      else rejected(new Error(`expected exit status 0; got ${status}, after the output:\n${output}`));
    });
  });
}
