import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

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
