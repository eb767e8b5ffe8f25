import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';

const sources = resolve(import.meta.dirname, '../src');

interface Bundle {
  /** The files that a page loads at first. */
  readonly atOnce: readonly Uint8Array[];
  /** The sources in them. */
  readonly sources: readonly string[];
  /** The text of all files. */
  readonly text: string;
}

/** Bundles a program for browsers, minified; code that is imported on demand is in other files. */
async function bundled(program: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: sources },
    alias: {
      halfspace: resolve(sources, 'index.ts'),
      'halfspace/predict': resolve(sources, 'face/predict.ts'),
      'halfspace/predict/text': resolve(sources, 'face/predict-text.ts'),
    },
    absWorkingDir: sources,
    outdir: 'none',
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  const first = Object.keys(metafile.outputs).find((path) => metafile.outputs[path]!.entryPoint === '<stdin>')!;
  const atOnce = new Set<string>();
  const visit = (path: string) => {
    if (atOnce.has(path)) return;
    atOnce.add(path);
    for (const { path: next, kind } of metafile.outputs[path]!.imports) if (kind === 'import-statement') visit(next);
  };
  visit(first);
  return {
    atOnce: [...atOnce].map((path) => outputFiles.find((file) => file.path === resolve(sources, path))!.contents),
    sources: [...atOnce].flatMap((path) => Object.keys(metafile.outputs[path]!.inputs)),
    text: outputFiles.map(({ text }) => text).join(''),
  };
}

/**
 * Programs with the largest size of what a page loads for them at first, in bytes of gzip -9. What a run needs only
 * sometimes is loaded on demand: trees, the search for the largest margin, kernels without WebAssembly.
 */
const budgets: readonly (readonly [name: string, program: string, most: number])[] = [
  ['halfspace/predict', "export { decodeModel, Predictor } from 'halfspace/predict';", 14_800],
  ['halfspace/predict, only asking', "export { Predictor } from 'halfspace/predict';", 8_450],
  ['halfspace/predict/text', "export { decodeModel, Predictor } from 'halfspace/predict/text';", 23_400],
  ['the Predictor of halfspace', "export { decodeModel, Predictor } from 'halfspace';", 77_400],
  ['training from rows', "export { encodeModel, rows, train } from 'halfspace';", 134_400],
];

describe('bundles', () => {
  test.each(budgets)('of %s stay small', async (_, program, most) => {
    const { atOnce } = await bundled(program);
    const sizes = atOnce.map((file) => gzipSync(file, { level: 9 }).length);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(most);
  });

  test.each(budgets.filter(([name]) => name.startsWith('halfspace/predict')))(
    'of %s have no WebAssembly, and nothing that learns',
    async (_, program) => {
      const { text } = await bundled(program);
      expect(text).not.toContain('WebAssembly');
      expect(text).not.toContain('learner');
    },
  );

  test('for training from rows load at first no tree, no kernels in TypeScript, and nothing that learns row by row', async () => {
    const [, program] = budgets.find(([name]) => name === 'training from rows')!;
    const loaded = (await bundled(program)).sources;
    expect(loaded).toContain('train/train-once.ts');
    const late =
      /^(online|evaluate\/fold-runs|model\/tree\/(grow|scorer)|kernels\/reference\.ts|margin\/maximum-margin)/;
    expect(loaded.filter((source) => late.test(source))).toEqual([]);
  });

  test('have their largest sizes in the table of docs/predict.md', () => {
    const page = readFileSync(resolve(sources, '../../../docs/predict.md'), 'utf8');
    const rows = Array.from(page.matchAll(/^\| `(halfspace\S*)` \|.*\| ([\d.]+) kB \|$/gm), ([, name, kB]) => [
      name,
      kB,
    ]);
    const most = (name: string) => (budgets.find(([each]) => each === name)![2] / 1000).toFixed(1);
    expect(rows).toEqual([
      ['halfspace/predict', most('halfspace/predict')],
      ['halfspace/predict/text', most('halfspace/predict/text')],
      ['halfspace', most('the Predictor of halfspace')],
    ]);
  });
});
