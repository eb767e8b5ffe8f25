import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const packageFolder = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'halfspace-pack-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the packed command certifies and checks from a folder that has nothing else: the solver finds its own parts', () => {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: packageFolder });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  writeFileSync(join(empty, 'package.json'), '{ "private": true }');
  execFileSync('npm', ['install', '--silent', '--ignore-scripts', '--no-audit', '--no-fund', `../${tarball}`], {
    cwd: empty,
  });
  writeFileSync(join(empty, 'xor.svm'), '-1 1:0\n-1 1:1 2:1\n+1 1:1\n+1 2:1\n');
  const run = (...args: string[]) =>
    execFileSync(join(empty, 'node_modules/.bin/halfspace'), args, { cwd: empty, encoding: 'utf8' });
  expect(JSON.parse(run('certify', 'xor.svm', '--json')).separable).toBe(false);
  expect(run('check', 'xor.certificate.json', 'xor.svm')).toContain('holds for xor.svm: not-separable');
});
