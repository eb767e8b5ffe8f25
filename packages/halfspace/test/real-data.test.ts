import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TextSource } from '../src/data/text.ts';
import { libsvmFormat } from '../src/data/text-format.ts';
import type { Kernels } from '../src/kernels/kernels.ts';
import { encodeModel } from '../src/model/encode.ts';
import { evaluate } from '../src/model/judge.ts';
import { openBytes } from '../src/node/index.ts';
import type { TrainOptions } from '../src/train/options.ts';
import { train } from '../src/train/train.ts';
import { reference, wasm } from './support/kernels.ts';

// Third-party data are not part of the repository: where this folder is absent, these tests are skipped.
const folder = resolve(import.meta.dirname, '../../../../shared/data');
const pathOf = (name: string) => resolve(folder, name);

function source(kernels: Kernels, name: string, format = libsvmFormat(kernels)): TextSource {
  return new TextSource({ open: async () => [await openBytes(pathOf(name), { name })], name, format, kernels });
}

const run = (name: string, options: TrainOptions = {}, kernels = wasm()) =>
  train(source(kernels, name), { ...options, kernels });

describe.skipIf(!existsSync(pathOf('agaricus.train.svm')))('mushrooms, which a hyperplane separates', () => {
  it('are separated by every lecture that goes on until then, and by the default', async () => {
    for (const as of [undefined, 'lecture-9', 'lecture-9-algorithm-2', 'cs4780', 'blog'] as const) {
      const { report } = await run('agaricus.train.svm', { as });
      expect(report, as).toMatchObject({ examples: 6513, features: 126, stop: 'separated', classes: ['0', '1'] });
      expect(report.train, as).toMatchObject({ errors: 0, separated: true });
      expect(report.train!.margin, as).toBeGreaterThan(0);
      // Novikoff, with the margin that was found for the γ that is the largest: a bound on the other runs, too.
      expect(report.updates, as).toBeLessThan(2000);
    }
  });

  it('that were not learned from are judged rightly', async () => {
    const kernels = wasm();
    const { model } = await run('agaricus.train.svm', {}, kernels);
    if (model.features.kind !== 'indexed') throw new Error('libsvm features are indexed');
    const test = source(kernels, 'agaricus.test.svm', libsvmFormat(kernels, model.features));
    expect(await evaluate(test, model, kernels)).toMatchObject({ examples: 1611, errors: 0 });
  });
});

describe.skipIf(!existsSync(pathOf('w8a.svm')))('web pages, which none does', () => {
  it('end by the budget, and give the same bits in WebAssembly and in the reference, in every order', async () => {
    for (const order of ['cyclic', 'shuffled', 'random'] as const) {
      const options = { order, passes: 2, holdout: 0.1 };
      const { model, report } = await run('w8a.svm', options);
      expect(report).toMatchObject({ stop: 'budget', passes: 2, classes: ['-1', '1'] });
      expect(report.examples + report.holdout!.examples).toBe(49_749);
      // 97 of 100 are negative: anything worse than that has learned nothing.
      expect(report.holdout!.accuracy).toBeGreaterThan(0.975);
      const other = await run('w8a.svm', options, reference());
      expect(encodeModel(other.model)).toBe(encodeModel(model));
    }
  });
});
