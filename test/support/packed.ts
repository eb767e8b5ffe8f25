import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

/** Folders of the packages that are published. */
export const published = ['halfspace', 'certify', 'distributed', 'server', 'cli'];

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

export const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/**
 * Packs a package as `npm publish` would and returns the path of the tarball. Builds nothing: other tests read `dist`, and
 * a build would write it.
 */
export function packInto(folder: string, name: string): string {
  const cwd = join(root, 'packages', name);
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [{ filename }] = JSON.parse(
    execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  return join(folder, filename);
}

/**
 * Installs the packed packages into a folder, as a user does, but without a registry: what they depend on is linked from
 * here.
 */
export function installInto(folder: string): void {
  const tarballs = join(folder, 'tarballs');
  mkdirSync(tarballs, { recursive: true });
  const packages = Object.fromEntries(
    published.map((name) => [manifestOf(join(root, 'packages', name)).name, `file:${packInto(tarballs, name)}`]),
  );
  const dependencies = published.flatMap((name) =>
    Object.keys(manifestOf(join(root, 'packages', name)).dependencies ?? {}),
  );
  const linked = Object.fromEntries(
    dependencies
      .filter((name) => !(name in packages))
      .map((name) => [name, `file:${join(root, 'node_modules', name)}`]),
  );
  const manifest = { private: true, type: 'module', dependencies: packages, overrides: { ...linked, ...packages } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  execFileSync('npm', ['install', '--offline', '--ignore-scripts', '--silent', '--no-audit', '--no-fund'], {
    cwd: folder,
  });
}

/** Paths of all files below a folder, from it, with slashes, sorted. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();
