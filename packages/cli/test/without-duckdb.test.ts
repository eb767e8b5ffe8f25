import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { halfspace, temporaryFolder } from './run.ts';

const { folder, clear } = temporaryFolder();
afterAll(clear);

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
