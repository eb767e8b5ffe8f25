import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const packageFolder = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'halfspace-pack-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Manifest {
  readonly bin: Record<string, string>;
  readonly dependencies?: Record<string, string>;
}

const manifestOf = (path: string): Manifest => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));

/** Where Node finds a package for the files of a folder. */
function found(name: string, from: string): string {
  const path = join(from, 'node_modules', name);
  if (existsSync(path)) return path;
  if (dirname(from) === from) throw new Error(`expected ${name} to be installed`);
  return found(name, dirname(from));
}

/**
 * Copies what a manifest asks for, and what that asks for, from where it is installed: a registry may be out of reach,
 * or slow.
 */
function install({ dependencies = {} }: Manifest, from: string, into: string): void {
  for (const name of Object.keys(dependencies)) {
    const path = found(name, from);
    const target = join(into, 'node_modules', name);
    cpSync(path, target, { recursive: true, dereference: true });
    install(manifestOf(path), path, target);
  }
}

test('the packed command certifies and checks from a folder that has nothing else: the solver finds its own parts', () => {
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: packageFolder });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  execFileSync('tar', ['-xf', join('..', tarball)], { cwd: empty });
  const unpacked = join(empty, 'package');
  const manifest = manifestOf(unpacked);
  install(manifest, packageFolder, unpacked);
  writeFileSync(join(empty, 'xor.svm'), '-1 1:0\n-1 1:1 2:1\n+1 1:1\n+1 2:1\n');
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [join(unpacked, manifest.bin.halfspace!), ...args], {
      cwd: empty,
      encoding: 'utf8',
    });
  expect(JSON.parse(run('certify', 'xor.svm', '--json')).separable).toBe(false);
  expect(run('check', 'xor.certificate.json', 'xor.svm')).toContain('holds for xor.svm: not-separable');
});
