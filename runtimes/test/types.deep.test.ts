import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { editorOf } from '../../test/support/completions.ts';
import { editorCases } from '../../test/support/editor-cases.ts';
import { installInto, manifestOf, published } from '../../test/support/packed.ts';
import { compile, writeUserCode } from '../../test/support/user-code.ts';
import { findRuntimes, notInstalled } from '../find.ts';
import { root, runIn } from '../run-in.ts';

/* The packed packages, as users of each version of TypeScript and of the oldest Node meet them. */

const installed = join(root, 'runtimes/node_modules');
const compilers = (existsSync(installed) ? readdirSync(installed) : [])
  .filter((name) => name.startsWith('typescript-'))
  .map((name) => ({ version: name.slice('typescript-'.length), folder: join(installed, name) }));
const all = [...compilers, { version: '7', folder: join(root, 'node_modules/typescript') }];

/** Ways to find modules, with the format of modules that each goes with. */
const resolutions = [
  { moduleResolution: 'nodenext', module: 'nodenext' },
  { moduleResolution: 'node16', module: 'node16' },
  { moduleResolution: 'bundler', module: 'esnext' },
  { moduleResolution: 'node10', module: 'esnext' },
] as const;

const folder = mkdtempSync(join(tmpdir(), 'halfspace-versions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(async () => {
  await writeUserCode(folder);
  installInto(folder);
});

test.skipIf(compilers.length > 0)(notInstalled, () => {});

describe.each(all)('TypeScript $version', ({ version, folder: compiler }) => {
  const number = Number(version);
  // TypeScript 6 warns of node10, and 7 does not have it.
  const known = resolutions.filter(({ moduleResolution }) => moduleResolution !== 'node10' || number < 7);
  const cases = known.flatMap((resolution) => [true, false].map((skipLibCheck) => ({ ...resolution, skipLibCheck })));

  test.each(cases)('compiles what it must, with %j', async (options) => {
    const files = ['accepted.ts', 'refused.ts', 'exported.ts'];
    // The declarations of other packages are linked here, so there are two versions of Node's, which contradict each other.
    if (options.skipLibCheck) files.push('servers.ts');
    const ignored = number === 6 ? { ignoreDeprecations: '6.0' } : {};
    expect(await compile(join(compiler, 'bin/tsc'), folder, files, { ...options, ...ignored })).toBe('');
  });

  // TypeScript 7 has no language service for programs.
  test.skipIf(number >= 7)('completes options in editors', () => {
    const ts = createRequire(import.meta.url)(compiler);
    const editor = editorOf(ts, folder);
    const listed = editorCases.map(([what, text]) => [what, editor(text)]);
    expect(listed).toEqual(editorCases.map(([what, , expected]) => [what, expected]));
  });
});

describe.each(findRuntimes().filter(({ name }) => name.startsWith('Node')))('$name', (runtime) => {
  test('loads every module by require', async () => {
    const names = published.flatMap((name) => {
      const { name: own, exports } = manifestOf(join(root, 'packages', name));
      const modules = Object.entries(exports as object).filter(([, to]) => typeof to === 'object');
      return modules.map(([path]) => join(own, path));
    });
    const program = `for (const name of ${JSON.stringify(names)}) console.log(name, Object.keys(require(name)).length > 0);`;
    const { status, out, err } = await runIn(runtime, folder, '--eval', [program]);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toBe(names.map((name) => `${name} true\n`).join(''));
  });
});

test('the oldest Node that runs is the one that the packages name', async () => {
  const oldest = findRuntimes().find(({ name }) => name === 'Node 20');
  if (oldest === undefined) return;
  const { out } = await runIn(oldest, folder, '--version', []);
  for (const name of published) {
    const { node } = manifestOf(join(root, 'packages', name)).engines as { node: string };
    expect(out).toBe(`v${node.replace('>=', '')}.0\n`);
  }
});
