import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { streamSource } from '../src/data/in-memory.ts';
import type { ByteSource } from '../src/data/source.ts';
import type { Kernels } from '../src/kernels/kernels.ts';
import { encodeModel } from '../src/model/encode.ts';
import { openBytes, temporarySpill } from '../src/node/index.ts';
import { Random } from '../src/random.ts';
import { rules } from '../src/rules/registry.ts';
import type { RunOptions } from '../src/train/options.ts';
import { inSequence } from './oracles/oracle.ts';
import { train } from './support/arithmetic.ts';
import { reference, wasm } from './support/kernels.ts';
import { learnedByExample } from './support/several.ts';
import { spillDouble } from './support/spill.ts';
import { bytesOf, inPieces, libsvmSource, smallBuffers, textOf } from './support/text.ts';

const kernels = wasm();

describe('the same data, options and seed give the same bits', () => {
  const random = new Random(11);
  const data = Array.from({ length: 300 }, (): { x: number[]; y: number } => {
    const x = Array.from({ length: 6 }, () => Math.round((random.uniform() - 0.5) * 1e6) / 1e5);
    return { x, y: inSequence([1, -2, 0.5, 0, 1, 1], x) + random.uniform() - 0.5 > 0 ? 4 : 2 };
  });
  const text = textOf(data);
  const orders = ['cyclic', 'shuffled', 'random'] as const;
  const variants: readonly RunOptions[] = [
    ...orders.map((order) => ({ order, seed: 3 })),
    ...orders.map((order) => ({ rule: 'perceptron' as const, order, start: 'random' as const })),
    ...learnedByExample.filter((rule) => !('dual' in rules[rule])).map((rule) => ({ rule })),
    { rule: 'margin', margin: 2.5, scaling: 'max-norm' },
    ...(['pa', 'pa-1', 'pa-2'] as const).map((variant) => ({ rule: 'passive-aggressive' as const, variant })),
    { rule: 'pocket', order: 'shuffled' },
    { rule: 'arow', average: true },
    { rule: 'sgd', order: 'shuffled' },
    { rule: 'sgd', loss: 'hinge', penalty: 'elastic-net', schedule: 'inverse-scaling', rate: 0.1 },
    { passes: 1 },
    { as: 'lecture-9' },
    { as: 'cs4780' },
    { as: 'foda', holdout: 0.25 },
  ];
  const modelText = async (on: Kernels, source: string | ByteSource, options: RunOptions, reading = {}) => {
    const { model } = await train(libsvmSource(on, source, reading), { passes: 5, ...options, kernels: on });
    return encodeModel(model);
  };

  it('from memory, a file, a pipe and odd pieces', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'halfspace-test-'));
    try {
      const path = join(folder, 'data.svm');
      writeFileSync(path, text);
      const bytes = bytesOf(text);
      async function* pipe() {
        for (let i = 0; i < bytes.length; i += 777) yield bytes.slice(i, i + 777);
      }
      for (const options of variants) {
        const expected = await modelText(kernels, text, options);
        expect(await modelText(kernels, await openBytes(path), options)).toBe(expected);
        expect(await modelText(kernels, await openBytes('-', { stdin: pipe() }), options)).toBe(expected);
        expect(await modelText(kernels, streamSource(pipe(), 'pipe'), options)).toBe(expected);
        expect(await modelText(kernels, inPieces(bytes, [1, 100, 7]), options, smallBuffers)).toBe(expected);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('in WebAssembly and in the reference', async () => {
    for (const options of variants)
      expect(await modelText(reference(), text, options)).toBe(await modelText(kernels, text, options));
  });

  it('with examples in memory, in a spill, or in both', async () => {
    for (const options of variants) {
      const expected = await modelText(kernels, text, options);
      for (const memoryBudget of [0, 10_000]) {
        const double = spillDouble();
        const store = { memoryBudget, spill: double.open };
        expect(await modelText(kernels, text, { ...options, store }, { textBytes: 1000 })).toBe(expected);
        if (options.passes !== 1) expect(double.bytes).toBeGreaterThan(0);
        expect(double.closed).toBe(double.opened);
        const onDisk = { memoryBudget, spill: () => temporarySpill() };
        expect(await modelText(kernels, text, { ...options, store: onDisk }, { textBytes: 1000 })).toBe(expected);
      }
    }
  });

  it('beyond the memory budget with or without a spill, if the run chooses the order', async () => {
    const variants: readonly RunOptions[] = [
      { order: 'auto' },
      { order: 'auto', rule: 'perceptron' },
      { order: 'auto', patience: 2, passes: 9 },
      { order: 'auto', as: 'cs4780' },
    ];
    for (const options of variants)
      for (const memoryBudget of [0, 10_000]) {
        const textOf = (store: RunOptions['store']) =>
          modelText(kernels, text, { ...options, store }, { textBytes: 1000 });
        const expected = await textOf({ memoryBudget, spill: spillDouble().open });
        expect(await textOf({ memoryBudget })).toBe(expected);
        expect(JSON.parse(expected).training.order).toBe('cyclic');
      }
  });

  it('and another seed gives other weights if the run is random', async () => {
    for (const order of ['shuffled', 'random'] as const) {
      const weightsOf = async (seed: number) => {
        const { model } = await train(libsvmSource(kernels, text), { kernels, order, seed, passes: 5 });
        return [...model.weights];
      };
      expect(await weightsOf(4)).not.toEqual(await weightsOf(3));
    }
  });
});
