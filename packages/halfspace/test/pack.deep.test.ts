import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const packageFolder = resolve(import.meta.dirname, '..');
const compiler = resolve(packageFolder, '../../node_modules/typescript/bin/tsc');

/** A program that uses the installed library and its types. */
const program = `
import { arrays, decodeModel, encodeModel, type Model, train, type TrainingReport } from 'halfspace';
import { openBytes } from 'halfspace/node';

const points = arrays([[3], [4], [6], [7]], ['lo', 'lo', 'hi', 'hi'], { positive: 'hi' });
const { model, report }: { model: Model; report: TrainingReport } = await train(points, { rule: 'averaged' });
const again: Model = decodeModel(encodeModel(model));
const source = await openBytes('program.mts');
const count: number = await source.read(new Uint8Array(16));
console.log(JSON.stringify({ stop: report.stop, accuracy: report.train?.accuracy, classes: again.classes, count }));
`;

describe('the packed library', () => {
  const folder = mkdtempSync(join(tmpdir(), 'halfspace-pack-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeAll(() => {
    execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: packageFolder });
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
    mkdirSync(join(folder, 'empty'));
    writeFileSync(join(folder, 'empty/package.json'), '{ "type": "module", "private": true }');
    execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', `../${tarball}`], {
      cwd: join(folder, 'empty'),
    });
    writeFileSync(join(folder, 'empty/program.mts'), program);
  });

  const run = (command: string, args: string[]) =>
    execFileSync(command, args, { cwd: join(folder, 'empty'), encoding: 'utf8' });

  test('contains built files and the schema, no kernel sources and no tests', () => {
    const files = run('tar', ['-tf', join('..', readdirSync(folder).find((name) => name.endsWith('.tgz'))!)]).split(
      '\n',
    );
    expect(files).toContain('package/dist/index.js');
    expect(files).toContain('package/dist/index.d.ts');
    expect(files).toContain('package/src/model/model.schema.json');
    expect(files).toContain('package/src/features/features.schema.json');
    expect(files).toContain('package/LICENSE');
    expect(files.filter((name) => /\b(assembly|test)\b|tsbuildinfo/.test(name))).toEqual([]);
  });

  const compile = (file: string, lib: string, types: string) =>
    run(process.execPath, [
      compiler,
      ...['--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', lib],
      ...['--typeRoots', resolve(packageFolder, '../../node_modules/@types'), '--types', types, file],
    ]);

  test('works with its types and as ESM from an empty folder', () => {
    compile('program.mts', 'es2022,dom', '');
    expect(JSON.parse(run(process.execPath, ['program.mjs']))).toEqual({
      stop: 'separated',
      accuracy: 1,
      classes: ['lo', 'hi'],
      count: 16,
    });
  });

  test.each([
    ['Node', 'es2022', 'node'],
    ['browsers', 'es2022,dom', ''],
  ])('has types for programs that know the types of %s only', (_, lib, types) => {
    const { exports } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
    const entries = Object.keys(exports).filter((entry) => exports[entry].types !== undefined);
    const imports = entries.map(
      (entry) => `export * as ${entry.replace(/\W/g, '_')} from 'halfspace${entry.slice(1)}';\n`,
    );
    writeFileSync(join(folder, 'empty/all.mts'), imports.join(''));
    compile('all.mts', lib, types);
  });

  test('exports its schema', () => {
    const show = "import schema from 'halfspace/model.schema.json' with { type: 'json' }; console.log(schema.$id);";
    expect(run(process.execPath, ['--no-warnings', '--input-type=module', '-e', show]).trim()).toBe(
      'urn:halfspace:model:2',
    );
  });

  test('has no dependency', () => {
    expect(readdirSync(join(folder, 'empty/node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'halfspace',
    ]);
  });
});
