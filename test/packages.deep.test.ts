import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesBelow, installInto, type Manifest, manifestOf, packInto, published, root } from './support/packed.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspace-packages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bin = (name: string, file: string) => join(root, 'node_modules', name, file);

const always = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];
/** Files of each package beside those and `dist`. */
const others: Readonly<Record<string, readonly string[]>> = {
  halfspace: ['python/halfspace_pipeline.py', 'src/features/features.schema.json', 'src/model/model.schema.json'],
  certify: ['src/certificate.schema.json'],
  server: [
    ...['Containerfile', 'compose.yaml', 'halfspace.example.json', 'halfspace.service', 'prometheus.yml'],
    ...['grafana/dashboards.yaml', 'grafana/datasource.yaml', 'grafana/halfspace.json'],
  ]
    .map((file) => `deploy/${file}`)
    .concat('page-licences.txt'),
  distributed: [],
  cli: ['bin/halfspace.cjs'],
};
/** Kinds of files that are built for the command, by folder. */
const built = [
  ...['dist/*.js', 'dist/*.json', 'dist/*.txt'],
  ...['html', 'js', 'png', 'svg', 'txt'].map((kind) => `dist/lab/*.${kind}`),
  ...['css', 'js', 'wasm', 'woff2'].map((kind) => `dist/lab/assets/*.${kind}`),
  'dist/python/*.py',
];

describe.each(published)('the packed folder packages/%s', (name) => {
  let tarball: string;
  let files: string[];
  let manifest: Manifest;
  const unpacked = join(folder, name);

  beforeAll(() => {
    tarball = packInto(folder, name);
    mkdirSync(unpacked);
    execFileSync('tar', ['-xf', tarball, '-C', unpacked]);
    files = filesBelow(join(unpacked, 'package'));
    manifest = manifestOf(join(unpacked, 'package'));
  });

  test('passes publint', () => {
    const { stdout, status } = spawnSync(process.execPath, [bin('publint', 'src/cli.js'), tarball, '--strict'], {
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('All good') });
  });

  // The command exports nothing, so it has no types.
  test.skipIf(name === 'cli')('has types that agree with its modules', () => {
    const args = [bin('@arethetypeswrong/cli', 'dist/index.js'), '--profile', 'esm-only', '--no-emoji', tarball];
    const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining(manifest.name) });
  });

  test('says where it comes from, what it is and what changed', () => {
    const repository = manifestOf(root).repository as { url: string };
    const home = repository.url.replace(/^git\+|\.git$/g, '');
    expect(manifest).toMatchObject({
      license: 'MIT',
      engines: { node: '>=20.19' },
      repository: { ...repository, directory: `packages/${name}` },
      homepage: `${home}/tree/main/packages/${name}#readme`,
      bugs: { url: `${home}/issues` },
      publishConfig: { access: 'public', provenance: true },
    });
    expect((manifest.keywords as string[]).length).toBeGreaterThan(4);
    for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE']) expect(files).toContain(file);
    expect(readFileSync(join(unpacked, 'package/CHANGELOG.md'), 'utf8')).toContain(`# ${manifest.name}\n\n## `);
    expect(readFileSync(join(unpacked, 'package/LICENSE'), 'utf8')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'));
  });

  test('has the same version as the others, and asks for exactly this version of them', () => {
    expect(manifest.version).toBe(manifestOf(join(root, 'packages/halfspace')).version);
    for (const [other, range] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }))
      if (/^halfspace/.test(other)) expect(range).toBe(manifest.version);
  });

  test.skipIf(name === 'cli')('contains what its sources make, and nothing of renamed or deleted ones', () => {
    const sources = filesBelow(join(root, 'packages', name, 'src')).filter((file) => file.endsWith('.ts'));
    const made = sources.flatMap((file) => ['.js', '.d.ts'].map((ending) => `dist/${file.replace(/\.ts$/, ending)}`));
    expect(files.filter((file) => /^dist\/(?!bundled\/)/.test(file))).toEqual(made.sort());
  });

  test('contains these files beside what is built, and no others', () => {
    expect(files.filter((file) => !file.startsWith('dist/')).sort()).toEqual([...always, ...others[name]!].sort());
    if (name !== 'cli') return;
    const kinds = files
      .filter((file) => file.startsWith('dist/'))
      .map((file) => file.replace(/[^/]*?(\.\w+)?$/, '*$1'));
    expect([...new Set(kinds)].sort()).toEqual(built);
  });

  test('contains no sources, tests or memories of builds', () => {
    expect(files.filter((file) => /^(test|scripts|assembly)\/|\.tsbuildinfo$|(?<!\.d)\.ts$|\.map$/.test(file))).toEqual(
      [],
    );
  });
});

describe('the installed command', () => {
  const place = join(folder, 'installed');
  beforeAll(() => {
    mkdirSync(place);
    installInto(place);
  });
  const run = (program: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: place, encoding: 'utf8' });
    return { status, stdout, stderr };
  };
  const halfspace = (...args: string[]) => run(join(place, 'node_modules/.bin/halfspace'), ...args);

  test('is called halfspace, in its help and in its errors, also through npx', () => {
    expect(halfspace('--help').stdout).toMatch(/^Usage: halfspace \[options\] \[command\]\n/);
    expect(halfspace('train', '--help').stdout).toMatch(/^Usage: halfspace train /);
    expect(halfspace('trian').stderr).toBe(
      "halfspace: unknown command 'trian'; did you mean train? (see halfspace --help)\n",
    );
    expect(halfspace('inspect', 'absent.json').stderr).toMatch(/^halfspace: absent\.json: /);
    const { version } = manifestOf(join(root, 'packages/cli'));
    expect(run('npx', '--offline', 'halfspace', '--version').stdout).toBe(`${version}\n`);
  });

  test('prints its help and nothing else without a command', () => {
    const { status, stderr } = halfspace();
    expect({ status, stderr }).toEqual({ status: 2, stderr: halfspace('--help').stdout });
  });

  test('ends quietly if the reader of its help leaves', () => {
    const script = `'${join(place, 'node_modules/.bin/halfspace')}' --help | head -c 1`;
    expect(run('bash', '-c', script)).toEqual({ status: 0, stdout: 'U', stderr: '' });
  });
});
