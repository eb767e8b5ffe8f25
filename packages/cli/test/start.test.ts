import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command, halfspace, temporaryFolder } from './run.ts';

const folder = temporaryFolder();

const tell = join(folder, 'tell.cjs');
writeFileSync(
  tell,
  `process.on('exit', () => {
    const loaded = [...Object.keys(require.cache), ...process.moduleLoadList];
    console.error('\\n' + JSON.stringify(loaded));
  });`,
);

/** The files and Node's modules that a run loads, without the launcher. */
function loadedBy(...args: string[]): string[] {
  const { stderr } = spawnSync(process.execPath, ['--require', tell, command, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  const loaded: string[] = JSON.parse(stderr.trimEnd().split('\n').at(-1)!);
  return loaded.filter((each) => each !== tell && each !== command);
}

/** The command's files among them. */
const filesOf = (...args: string[]) =>
  loadedBy(...args)
    .filter((each) => each.endsWith('.js'))
    .map((file) => basename(file));

const few = join(folder, 'few.svm');
writeFileSync(few, '+1 1:2 2:1\n-1 1:-1 3:1\n');

describe('a run loads no more than it needs', () => {
  test.each(['--help', '--version', 'predict --help', 'predict'])('%s: the arguments only', (line) => {
    expect(filesOf(...line.split(' '))).toEqual(['main.js']);
  });

  test.each(['train --help', 'train --passes many'])('%s: also the library, which knows the rules', (line) => {
    expect(filesOf(...line.split(' '))).toEqual(['main.js', 'rule-flags.js', 'library.js']);
  });

  test('a command: the library, and nothing of tables', () => {
    expect(filesOf('inspect', 'absent.json')).toEqual(['main.js', 'commands-inspect.js', 'library.js']);
  });

  test('the lab: its server of files, and nothing else of the service', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    expect(filesOf('lab', '--no-open', '--port', `${port}`)).toEqual([
      'main.js',
      'commands-lab.js',
      'library.js',
      'site.js',
    ]);
    taken.close();
  });

  test('a small training: none of what makes Node load its streams', () => {
    const loaded = loadedBy('train', few, '--rule', 'averaged');
    expect(loaded).toContain('NativeModule fs');
    const heavy = ['crypto', 'worker_threads', 'stream', 'tty', 'zlib', 'internal/fs/streams'];
    expect(heavy.filter((name) => loaded.includes(`NativeModule ${name}`))).toEqual([]);
  });

  test('text: no DuckDB, however long it is', () => {
    const lines = Array.from({ length: 60_000 }, (_, i) => `${(i % 7) - 3},a long cell number ${i % 50},${i % 2}`);
    writeFileSync(join(folder, 'long.csv'), ['x,words,label', ...lines].join('\r\n'));
    const train = [
      'train',
      'long.csv',
      '--label',
      'label',
      '--rule',
      'averaged',
      '--passes',
      '1',
      '--model',
      'long.json',
    ];
    expect(filesOf(...train)).not.toContain('tables-duckdb-api.js');
  });
});

test('the command asks Node to keep compiled code, where Node can', () => {
  const asked = join(folder, 'asked.cjs');
  writeFileSync(asked, "require('node:module').enableCompileCache = () => console.log('asked');");
  const older = join(folder, 'older.cjs');
  writeFileSync(older, "require('node:module').enableCompileCache = undefined;");
  const version = (preloaded: string) =>
    spawnSync(process.execPath, ['--require', preloaded, command, '--version'], { encoding: 'utf8' }).stdout;
  expect(version(asked)).toBe(`asked\n${version(older)}`);
  expect(version(older)).toMatch(/^\d+\.\d+\.\d+/);
});

test('the time in a report counts from the start of the process', () => {
  const sleep = join(folder, 'sleep.cjs');
  writeFileSync(sleep, 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);');
  const args = ['--require', sleep, command, 'train', few, '--rule', 'averaged', '--json'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  expect(JSON.parse(stdout).seconds.total).toBeGreaterThan(1.5);
});

writeFileSync(
  join(folder, 'without.cjs'),
  `const Module = require('node:module');
const { _load } = Module;
Module._load = function (name, ...rest) {
  if (name === '@duckdb/node-bindings') throw new Error("Cannot find module '@duckdb/node-bindings'\\nRequire stack:");
  return _load.call(this, name, ...rest);
};
`,
);
const without = (...args: string[]) =>
  halfspace(folder, args, { env: { NODE_OPTIONS: `--require ${join(folder, 'without.cjs')}` } });

test('an installation without DuckDB learns from large tables of text with the same bits', () => {
  const lines = Array.from({ length: 60_000 }, (_, i) => `${i % 97},${(i * 7) % 31}.25,word ${i % 11},${i % 3 > 1}`);
  const text = `a,b,c,class\n${lines.join('\n')}\n`;
  expect(text.length).toBeGreaterThan(1024 * 1024);
  writeFileSync(join(folder, 'large.csv'), text);
  const args = ['train', 'large.csv', '--rule', 'averaged', '--passes', '1', '--model'];
  expect(halfspace(folder, [...args, 'with.json']).status).toBe(0);
  expect(without(...args, 'without.json').status).toBe(0);
  expect(readFileSync(join(folder, 'without.json'), 'utf8')).toBe(readFileSync(join(folder, 'with.json'), 'utf8'));
});

test('it says what Parquet and SQL need, and where to get it', () => {
  writeFileSync(join(folder, 'x.parquet'), 'PAR1');
  for (const args of [['x.parquet'], ['--sql', 'select 1 as a, 2 as class']]) {
    const { status, err } = without('train', ...args, '--model', 'none.json');
    expect(status).toBe(3);
    expect(err).toContain(
      "expected DuckDB, which reads Parquet and runs SQL; got an installation without it (Cannot find module '@duckdb/node-bindings'): install halfspace-cli again, without --omit=optional",
    );
  }
});
