import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import { libsvmFormat } from '../../src/data/text-format.ts';
import { classOf } from '../../src/kernels/kernels.ts';
import { evaluateWith } from '../../src/model/judge.ts';
import type { LinearModel } from '../../src/model/linear/model.ts';
import { ModelScorer } from '../../src/model/linear/scorer.ts';
import { ScoredRows } from '../../src/model/scored-rows.ts';
import { inSequence } from '../oracles/oracle.ts';
import { train } from '../support/arithmetic.ts';
import { dense, dyadic, example, examplesOf, sparse } from '../support/examples.ts';
import { wasm } from '../support/kernels.ts';
import { libsvmSource } from '../support/text.ts';

const kernels = wasm();

/** Class by the sign of feature 1. */
async function modelOf(classes: readonly [string, string]): Promise<LinearModel> {
  const { model } = await train(arraySource(sparse([example(1, 0, 1), example(-1, 0, -1)]), classes), {
    kernels,
    bias: 'none',
  });
  return { ...model, features: { kind: 'indexed', dimension: 2, firstIndex: 1 } };
}

describe('a judgement', () => {
  it('uses the plain scores, with any bias, scale and ties, over any batches', async () => {
    const number = fc.integer({ min: -8, max: 8 }).map((quarters) => quarters / 4);
    await forAllAsync(
      60,
      examplesOf(dyadic),
      fc.array(number, { minLength: 9, maxLength: 9 }),
      number,
      fc.constantFrom(0, 1, 0.5),
      fc.constantFrom(1, 2, 4),
      fc.constantFrom(-1 as const, 1 as const),
      async (data, w, bias, biasConstant, divisor, tie) => {
        const model = {
          ...(await modelOf(['-1', '1'])),
          ...{ weights: Float64Array.from(w.slice(0, data[0]!.x.length)), bias, biasConstant, divisor, tie },
        };
        const expected = data.filter(({ x, y }) => {
          const scaled = x.map((value) => value / divisor);
          return classOf(inSequence(w, scaled) + bias * biasConstant, tie) === y;
        }).length;
        for (const layout of [dense, sparse]) {
          const source = arraySource([layout(data.slice(0, 2)), layout(data.slice(2))]);
          const judged = await evaluateWith(kernels, model, source);
          expect(judged.examples - judged.errors).toBe(expected);
        }
      },
    );
  });

  it('ignores features that the model does not know', async () => {
    const scorer = new ModelScorer(kernels, await modelOf(['-1', '1']));
    const scores = new Float64Array(2);
    scorer.scoreInto(dense([example(1, 0, 3, 100), example(1, 0, 3, -100)]), scores);
    expect(scores[0]).toBe(scores[1]);
    expect(scores[0]).toBeGreaterThan(0);
  });

  it('passes scores and labels to a callback, batch by batch in order', async () => {
    const model = await modelOf(['1', '2']);
    const rows = new ScoredRows();
    const batches: number[] = [];
    await evaluateWith(
      kernels,
      { ...model, weights: Float64Array.of(0, 2) },
      libsvmSource(kernels, '2 1:5\n2 1:-1\n1 1:3\n1 1:-4\n1\n', { batchRows: 2 }),
      {
        onScores: ({ scores, labels }) => {
          batches.push(scores.length);
          rows.add(scores, labels);
        },
      },
    );
    expect(batches).toEqual([2, 2, 1]);
    expect([...rows.scores]).toEqual([10, -2, 6, -8, 0]);
    expect([...rows.labels]).toEqual([1, 1, -1, -1, -1]);
  });

  it('refuses rows of which none has a class of the model', async () => {
    const refusal = (classes: readonly [string, string], text: string) => async () =>
      evaluateWith(kernels, await modelOf(classes), libsvmSource(kernels, text));
    // Names that are no numbers are no labels of such text: nothing may be taken for the negative class by default.
    await expect(refusal(['ham', 'spam'], '0 1:1\n1 1:1\n')).rejects.toMatchObject({
      code: 'label-classes',
      message: "data.svm: expected labels of the model's classes, ham, spam; got only 0, 1",
    });
    await expect(refusal(['not spam', 'spam'], '1 1:1\n')).rejects.toMatchObject({
      code: 'label-classes',
      message: "data.svm: expected labels of the model's classes, not spam, spam; got only 1",
    });
  });

  it('maps every other label to the negative class if the model has one class against the rest', async () => {
    const judged = await evaluateWith(
      kernels,
      await modelOf(['not 7', '7']),
      libsvmSource(kernels, '7 1:1\n3 1:-1\n-2 1:-5\n'),
    );
    expect(judged).toMatchObject({ examples: 3, errors: 0 });
  });

  it('refuses examples without a label, and an empty source', async () => {
    const model = await modelOf(['1', '2']);
    await expect(evaluateWith(kernels, model, libsvmSource(kernels, '1 1:1\n1:2\n'))).rejects.toMatchObject({
      code: 'label-missing',
      message: 'data.svm, row 2: expected a label; got none',
    });
    await expect(evaluateWith(kernels, model, libsvmSource(kernels, '\n'))).rejects.toMatchObject({
      code: 'source-empty',
    });
  });

  it('of a scaled model does not depend on the batch size', async () => {
    // More than fits the kernels' memory as it is: it must grow in the middle of scoring.
    const text = Array.from(
      { length: 60_000 },
      (_, i) => `${i % 2} 1:${i % 2 === 0 ? -3 : 3} 2:1 3:0.5 4:2 5:1\n`,
    ).join('');
    const own = wasm();
    const trained = await train(libsvmSource(own, text.slice(0, 3000).replace(/[^\n]*$/, '')), {
      as: 'cs4780',
      kernels: own,
    });
    const { features } = trained.model;
    if (features.kind !== 'indexed') throw new Error('libsvm features are indexed');
    for (const large of [1000, 600_000]) {
      const source = libsvmSource(own, text, {
        format: libsvmFormat(own, features),
        textBytes: large * 8,
        batchRows: large,
        batchValues: large * 5,
      });
      expect(await evaluateWith(own, trained.model, source)).toMatchObject({ examples: 60_000, errors: 0 });
    }
  });
});

describe('scores kept while rows are judged', () => {
  it('are those of all rows up to a limit, and none above it', () => {
    const rows = new ScoredRows();
    rows.add(Float64Array.of(0.5, -1), Float64Array.of(1, -1));
    rows.add(new Float64Array(ScoredRows.most - 2).fill(2), new Float64Array(ScoredRows.most - 2).fill(1));
    expect([rows.complete, rows.scores.length, rows.scores[1], rows.labels[2]]).toEqual([true, ScoredRows.most, -1, 1]);
    rows.add(Float64Array.of(3), Float64Array.of(-1));
    rows.add(Float64Array.of(3), Float64Array.of(-1));
    expect([rows.complete, rows.scores.length, rows.labels.length]).toEqual([false, 0, 0]);
  });
});
