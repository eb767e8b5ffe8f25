import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { globSync } from 'tinyglobby';
import { afterAll, expect, test } from 'vitest';
import { fencedBlocks } from '../snippets/blocks.ts';
import { applyBlocks } from './apply.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'halfspace-tutorials-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The tests that must pass besides those that the page changes. */
const suites = ['packages/halfspace/test/rules/learner-file.test.ts', 'test/imports.test.ts'];

/** Copies the sources. Installed modules are linked. */
function copyOfTree(): string {
  const tree = join(folder, 'tree');
  const files = execFileSync(
    'git',
    ['ls-files', '-z', '*.json', '*.ts', '*.svelte', 'packages/halfspace/EXTENDING.md', 'docs'],
    { cwd: root },
  );
  for (const file of files.toString().split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    cpSync(join(root, file), join(tree, file));
  }
  // Some sources are made by the build.
  cpSync(join(root, 'packages/halfspace/src'), join(tree, 'packages/halfspace/src'), { recursive: true });
  for (const modules of globSync(['node_modules', '{packages,apps}/*/node_modules'], {
    cwd: root,
    onlyDirectories: true,
    expandDirectories: false,
  }))
    symlinkSync(join(root, modules), join(tree, modules.replace(/\/$/, '')));
  return tree;
}

test('the steps of packages/halfspace/EXTENDING.md lead to code that passes its tests', () => {
  const tree = copyOfTree();
  const blocks = fencedBlocks(readFileSync(join(root, 'packages/halfspace/EXTENDING.md'), 'utf8'));
  const { created, changed } = applyBlocks(tree, blocks);
  const own = [...new Set([...created, ...changed])].filter((file) => file.endsWith('.test.ts'));
  expect(own.length).toBeGreaterThan(0);
  const run = (program: string, ...args: string[]) => {
    try {
      execFileSync(process.execPath, [join(root, 'node_modules', program), ...args], { cwd: tree, stdio: 'pipe' });
    } catch (error) {
      const { stdout, stderr } = error as { stdout: Buffer; stderr: Buffer };
      throw new Error(`${program} in the tree: ${stdout.toString().slice(-4000)}${stderr.toString().slice(-4000)}`);
    }
  };
  run('vitest/vitest.mjs', 'run', ...own, ...suites);
  // The code is formatted and typed as the house asks.
  run('@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--vcs-enabled=false', ...created);
  const packages = [
    ...new Set(created.filter((file) => file.includes('/src/')).map((file) => file.split('/src/')[0]!)),
  ];
  for (const each of packages) run('typescript/bin/tsc', '--noEmit', '--incremental', 'false', '-p', each);
});
