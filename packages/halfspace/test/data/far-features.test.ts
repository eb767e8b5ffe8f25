import { libsvm, Predictor, train } from 'halfspace';
import { loadKernels, openSource } from 'halfspace/internal';
import { expect, test } from 'vitest';

const encodingOf = async (text: string) => {
  const source = await openSource(libsvm(text), { kernels: await loadKernels() });
  for await (const _ of source.batches());
  return source.encoding() as { dimension: number; far?: { direct: number; indices: readonly number[] } };
};

/** Rows of the classes 1 to 20; one has a feature with a huge number. */
const twenty = Array.from({ length: 20 }, (_, i) => `${i + 1} ${i === 7 ? 4194303 : i + 1}:1\n`).join('');

test('features take memory if they occur, not if a larger one does', async () => {
  expect((await encodingOf(twenty)).dimension).toBeLessThanOrEqual((1 << 16) + 1);
  for (const rule of ['perceptron', 'averaged', 'passive-aggressive', 'arow', 'sgd', 'voted'] as const) {
    const { model } = await train(libsvm(twenty), { rule, seed: 1 } as never);
    const { functions } = model as never as {
      functions: { weights?: Float64Array; support?: { dimension: number } }[];
    };
    for (const { weights, support } of functions)
      expect(weights?.length ?? support!.dimension).toBeLessThanOrEqual((1 << 16) + 1);
    const predictor = new Predictor(model);
    expect(predictor.predict({ indices: [4194303], values: [1] })).toBe('8');
  }
});

test('data whose features mostly occur, or of many values, keep their indices as positions', async () => {
  const occurring = Array.from({ length: 8000 }, (_, i) => `${i % 2} ${10 * i + 1}:1\n`).join('');
  expect(await encodingOf(occurring)).toMatchObject({ dimension: 79992 });
  const row = Array.from({ length: 1000 }, (_, j) => ` ${j + 1}:1`).join('');
  const many = `1 4000000:1\n${`0${row}\n`.repeat(263)}`;
  const { dimension, far } = await encodingOf(many);
  expect({ dimension, far }).toEqual({ dimension: 4_000_001, far: undefined });
  expect((await encodingOf(`1 4000000:1\n${`0${row}\n`.repeat(262)}`)).far?.indices).toEqual([4_000_000]);
});
