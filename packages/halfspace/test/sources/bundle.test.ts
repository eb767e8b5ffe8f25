import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Platform } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'halfspace-bundle-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Bundles the built library, and returns the files in the bundle and its exports. */
async function bundle(platform: Platform) {
  const outfile = join(folder, `${platform}.mjs`);
  const { metafile } = await build({
    stdin: {
      contents: "export * from 'halfspace'; export { createKernels } from 'halfspace/rules';",
      resolveDir: import.meta.dirname,
    },
    outfile,
    bundle: true,
    format: 'esm',
    platform,
    metafile: true,
  });
  const library: typeof import('../../src/index.ts') & typeof import('../../src/kernels/load.ts') = await import(
    pathToFileURL(outfile).href
  );
  return { inputs: Object.keys(metafile.inputs), library };
}

const text = '1 1:1\n0 2:1\n';

describe('a bundle', () => {
  test('for a page has no module of Node; a path is refused with advice, other inputs are read', async () => {
    const { inputs, library } = await bundle('browser');
    expect(inputs.filter((path) => /dist\/(node|bundled)\//.test(path) || path.startsWith('node:'))).toEqual([]);
    const { createKernels, libsvm, train } = library;
    const kernels = createKernels();
    await expect(libsvm('data.svm').open({ kernels })).rejects.toThrow(
      'expected data that this runtime can read; got the path of a file, "data.svm": pass a URL, a File, or the text itself',
    );
    const zipped = libsvm(gzipSync(text));
    await expect(train(zipped)).rejects.toThrow(/expected plain text; got gzip: pass/);
    const { report } = await train(libsvm(new Blob([text])), { rule: 'averaged' });
    expect(report.stop).toBe('separated');
  });

  test('for Node reads files, also large ones, without the module of the threads', async () => {
    const { libsvm, train } = (await bundle('node')).library;
    const path = join(folder, 'data.svm');
    writeFileSync(path, text.repeat(1 << 20));
    const { report } = await train(libsvm(path), { rule: 'averaged', passes: 1 });
    expect(report.examples).toBe(2 << 20);
  });
});
