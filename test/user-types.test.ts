import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { editorOf } from './support/completions.ts';
import { editorCases } from './support/editor-cases.ts';
import { manifestOf, published } from './support/packed.ts';
import { compile, root, writeUserCode } from './support/user-code.ts';

/* The types that users meet, with the project's own compilers; `runtimes/test/types.deep.test.ts` has all versions. */

const folder = mkdtempSync(join(tmpdir(), 'halfspace-types-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(async () => {
  await writeUserCode(folder);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});

test('rows of interfaces and classes compile, and what is no row does not, in programs and exported ones', async () => {
  const files = ['accepted.ts', 'refused.ts', 'exported.ts'];
  const options = { module: 'nodenext', skipLibCheck: true };
  expect(await compile(join(root, 'node_modules/typescript/bin/tsc'), folder, files, options)).toBe('');
  // An error is found where none is expected.
  expect(readFileSync(join(folder, 'exported.ts'), 'utf8').match(/@ts-expect-error/g)!.length).toBeGreaterThan(9);
});

describe('an editor lists', () => {
  const editor = editorOf(createRequire(join(root, 'apps/lab/package.json'))('typescript'), folder);
  test.each(editorCases)('%s', (_, text, expected) => {
    expect(editor(text)).toEqual(expected);
  });
});

test.each(published)('old compilers find the subpaths of packages/%s, too', (name) => {
  const { exports, typesVersions } = manifestOf(join(root, 'packages', name)) as unknown as {
    exports: Record<string, string | { types: string }>;
    typesVersions?: { '*': Record<string, string[]> };
  };
  const subpaths = Object.entries(exports).flatMap(([path, to]) =>
    path === '.' || typeof to === 'string' ? [] : [[path.slice(2), [to.types]]],
  );
  expect(typesVersions?.['*'] ?? {}).toEqual(Object.fromEntries(subpaths));
});
