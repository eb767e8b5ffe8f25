import { webcrypto } from 'node:crypto';
import { basename, join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { certify } from '../src/certify.ts';
import * as checker from '../src/check.ts';
import { canonicalRows, examplesOf } from '../src/rows.ts';
import { examplesOf as gathered } from './support/examples.ts';

const rows = [
  [0, 0, 3],
  [1, 1, 0],
  [0.1, 1, 0],
  [1, -0.25, 2],
];
const xor = [
  [0, 0],
  [1, 1],
  [0, 1],
  [1, 0],
];

/** The checker as in a page: bundled for browsers, in a context with the globals of a page only. */
async function onPage(): Promise<{ checker: typeof checker; bundled: string[] }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(import.meta.dirname, '../src/check.ts')],
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'checker',
    target: 'es2020',
    write: false,
    metafile: true,
  });
  const context = createContext({ crypto: webcrypto, TextDecoder, TextEncoder });
  runInContext(outputFiles[0]!.text, context);
  return { checker: context.checker, bundled: Object.keys(metafile.inputs) };
}
const page = await onPage();

describe('the checker on a page', () => {
  test('is three files and a folder, and two files that can only refuse', () => {
    const others = page.bundled.filter((name) => !name.includes('src/interior/'));
    expect(others.map((name) => basename(name)).sort()).toEqual([
      'check.ts',
      'cones.ts',
      'digest.ts',
      'exact-rows.ts',
      'members.ts',
    ]);
  });

  test.each([
    ['separable', rows, [-1, -1, 1, 1]],
    ['not-separable', xor, [-1, -1, 1, 1]],
  ])('says what it says elsewhere, of data that are %s', async (verdict, data, labels) => {
    const certificate = await certify(await gathered(data, labels), { classes: ['-1', '1'], errors: true });
    expect(certificate.verdict).toBe(verdict);
    const text = JSON.stringify(certificate);
    const result = await page.checker.check(JSON.parse(text), canonicalRows(examplesOf(data, labels)));
    expect(result.holds).toBe(true);
    expect(JSON.stringify(result)).toBe(
      JSON.stringify(await checker.check(JSON.parse(text), canonicalRows(await gathered(data, labels)))),
    );
    const other = canonicalRows(examplesOf(data, [...labels.slice(0, -1), -labels.at(-1)!]));
    expect(await page.checker.check(JSON.parse(text), other)).toMatchObject({ holds: false });
  });
});

describe('examples in memory', () => {
  test('are those that a source gives', async () => {
    expect(examplesOf(rows, [-1, -1, 1, 1])).toEqual(await gathered(rows, [-1, -1, 1, 1]));
    const floats = rows.map((row) => Float64Array.from(row));
    expect(examplesOf(floats, ['no', 'no', 'yes', 'yes'], ['no', 'yes'])).toEqual(examplesOf(rows, [-1, -1, 1, 1]));
  });

  test.each([
    [[[1], [2, 3]], [1, -1], 'expected 1 numbers in row 2; got 2'],
    [[[1], [NaN]], [1, -1], 'expected finite numbers in row 2; got NaN'],
    [[[1], [2]], [1], 'expected 2 labels, as many as rows; got 1'],
    [[[1], [2]], [1, 0], 'expected -1 or 1 as label 2; got 0'],
  ])('%j labelled %j are refused', (data, labels, message) => {
    expect(() => examplesOf(data, labels)).toThrow(message);
  });
});
