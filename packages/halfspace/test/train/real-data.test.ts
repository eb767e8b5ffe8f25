import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../../src/data/source.ts';
import { TextSource } from '../../src/data/text.ts';
import { libsvmFormat } from '../../src/data/text-format.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import { encodeModel } from '../../src/model/encode.ts';
import { evaluateWith } from '../../src/model/judge.ts';
import { openBytes } from '../../src/node/index.ts';
import type { RunOptions } from '../../src/train/options.ts';
import { reference, wasm } from '../support/kernels.ts';
import { train } from '../support/linear.ts';

// Third-party data are not part of the repository: where this folder is absent, these tests are skipped.
const folder = resolve(import.meta.dirname, '../../../../../shared/data');
const pathOf = (name: string) => resolve(folder, name);

async function* opened(name: string): AsyncGenerator<ByteSource> {
  yield await openBytes(pathOf(name), { name });
}

function source(kernels: Kernels, name: string, format = libsvmFormat(kernels)): TextSource {
  return new TextSource({ open: () => opened(name), name, format, kernels });
}

const run = (name: string, options: RunOptions = {}, kernels = wasm()) =>
  train(source(kernels, name), { ...options, kernels });

describe.skipIf(!existsSync(pathOf('agaricus.train.svm')))('mushrooms, which a hyperplane separates', () => {
  it('are separated by every lecture that does not stop early, and by the default', async () => {
    for (const as of [undefined, 'lecture-9', 'lecture-9-algorithm-2', 'cs4780', 'blog'] as const) {
      const { report } = await run('agaricus.train.svm', { as });
      expect(report, as).toMatchObject({ examples: 6513, features: 126, stop: 'separated', classes: ['0', '1'] });
      expect(report.train, as).toMatchObject({ errors: 0, separated: true });
      // By algorithm 2 a positive that scores 0 has its class, so its margin may be 0.
      const least = as === 'lecture-9-algorithm-2' ? 0 : Number.MIN_VALUE;
      expect(report.train!.margin, as).toBeGreaterThanOrEqual(least);
    }
  });

  it('not learned from are classified correctly', async () => {
    const kernels = wasm();
    const { model } = await run('agaricus.train.svm', {}, kernels);
    if (model.features.kind !== 'indexed') throw new Error('libsvm features are indexed');
    const test = source(kernels, 'agaricus.test.svm', libsvmFormat(kernels, model.features));
    expect(await evaluateWith(kernels, model, test)).toMatchObject({ examples: 1611, errors: 0 });
  });
});

describe.skipIf(!existsSync(pathOf('w8a.svm')))('web pages, which none does', () => {
  const accuracies = new Map<string, number>();

  it.each(['cyclic', 'shuffled', 'random'] as const)(
    'use all passes, with the same bits by every kernel (%s)',
    async (order) => {
      const options = { order, passes: 2, holdout: 0.1 };
      const { model, report } = await run('w8a.svm', options);
      expect(report).toMatchObject({ stop: 'budget', passes: 2, classes: ['-1', '1'] });
      expect(report.examples + report.holdout!.examples).toBe(49_749);
      const other = await run('w8a.svm', options, reference());
      expect(encodeModel(other.model)).toBe(encodeModel(model));
      accuracies.set(order, report.holdout!.accuracy);
    },
  );

  it('are learned better in random order than class by class, as the slides say', () => {
    // In the file all positives stand together, behind 740 negatives; 97 of 100 pages are negative.
    const errors = (order: string) => 1 - accuracies.get(order)!;
    for (const order of ['shuffled', 'random']) expect(errors(order)).toBeLessThan(0.7 * errors('cyclic'));
  });
});
