import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

test('the client takes at most 4 kB of a page, compressed, and needs nothing but the platform', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [resolve(import.meta.dirname, '../../src/client/index.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  expect(gzipSync(outputFiles[0]!.contents, { level: 9 }).length).toBeLessThanOrEqual(4000);
  const inputs = Object.entries(metafile.inputs);
  for (const [path, { imports }] of inputs) {
    expect(path).toMatch(/packages\/server\/src\/client\/[\w-]+\.ts$/);
    for (const each of imports) expect(each.path).toMatch(/packages\/server\/src\/client\//);
  }
});
