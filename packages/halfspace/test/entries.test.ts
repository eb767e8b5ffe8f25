import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, test } from 'vitest';

const folder = resolve(import.meta.dirname, '..');
const { exports } = JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, { readonly node?: string; readonly default?: string }>>;
};
const entries = Object.entries(exports).filter(([, { default: modules }]) => modules?.endsWith('.js'));
const load = (file: string): Promise<Record<string, unknown>> => import(pathToFileURL(resolve(folder, file)).href);

test.each(entries)('the entry %s has the same names as a bundle for Node and as modules', async (_, entry) => {
  expect(entry.node).toMatch(/^\.\/dist\/bundled\/[\w-]+\.js$/);
  const names = async (file: string) => Object.keys(await load(file)).sort();
  expect(await names(entry.node!)).toEqual(await names(entry.default!));
});

test('all bundles have one HalfspaceError, which tells a fault from others', async () => {
  const found = await Promise.all(entries.map(async ([, { node }]) => (await load(node!)).HalfspaceError));
  expect(new Set(found.filter((each) => each !== undefined)).size).toBe(1);
  const { csv, HalfspaceError, train } = await import('halfspace');
  await expect(train(csv('absent.csv', { label: 'y' }))).rejects.toBeInstanceOf(HalfspaceError);
});

const root = resolve(import.meta.dirname, '../..');

/** Functions whose last bits differ between Node, Bun and Deno. (A rounded Math.log2 does not.) */
const ownBits = /Math\.(exp|expm1|log|log10|log1p|pow|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|hypot)\(/;
const fractionalPower = /\*\* \(/;

it('no source uses a function of Math whose bits differ between engines', () => {
  const found: string[] = [];
  for (const folder of ['halfspace/src', 'certify/src'])
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('.ts') && !/(wasm|zstd)-module\.ts$/.test(name))
        readFileSync(join(root, folder, name), 'utf8')
          .split('\n')
          .forEach((line, i) => {
            const code = line.replace(/^\s*(\/?\*|\/\/).*|\/\/.*/, '');
            if (ownBits.test(code) || (fractionalPower.test(code) && !/\b2 \*\* \(/.test(code)))
              found.push(`${folder}/${name}:${i + 1}: ${line.trim()}`);
          });
  expect(found, 'use kernels/exponential.ts and kernels/natural-log.ts').toEqual([]);
});
