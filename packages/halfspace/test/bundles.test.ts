import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';

const sources = resolve(import.meta.dirname, '../src');

/** Bundles a program for browsers as esbuild does by default, minified, into one file. */
async function bundled(program: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: sources },
    alias: {
      halfspace: resolve(sources, 'index.ts'),
      'halfspace/predict': resolve(sources, 'face/predict.ts'),
      'halfspace/predict/text': resolve(sources, 'face/predict-text.ts'),
    },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]!.text;
}

/** Programs with the largest size that their bundle may have, in bytes of gzip -9; the sizes stand in docs/predict.md. */
const budgets: readonly (readonly [name: string, program: string, most: number])[] = [
  ['halfspace/predict', "export { decodeModel, Predictor } from 'halfspace/predict';", 12_000],
  ['halfspace/predict, only asking', "export { Predictor } from 'halfspace/predict';", 6500],
  ['halfspace/predict/text', "export { decodeModel, Predictor } from 'halfspace/predict/text';", 14_500],
  ['the Predictor of halfspace', "export { decodeModel, Predictor } from 'halfspace';", 53_000],
  ['training from rows', "export { encodeModel, rowsSource, train } from 'halfspace';", 92_000],
];

describe('bundles', () => {
  test.each(budgets)('of %s stay small', async (_, program, most) => {
    expect(gzipSync(await bundled(program), { level: 9 }).length).toBeLessThanOrEqual(most);
  });

  test.each(budgets.filter(([name]) => name.startsWith('halfspace/predict')))(
    'of %s have no WebAssembly, and nothing that learns',
    async (_, program) => {
      const text = await bundled(program);
      expect(text).not.toContain('WebAssembly');
      expect(text).not.toContain('learner');
    },
  );
});
