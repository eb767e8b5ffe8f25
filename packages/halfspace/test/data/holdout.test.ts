import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arraySource } from '../../src/data/in-memory.ts';
import { classOf } from '../../src/kernels/kernels.ts';
import { Random } from '../../src/random.ts';
import { inSequence } from '../oracles/oracle.ts';
import { decimal, dense, example, examplesOf, fourApart } from '../support/examples.ts';
import { wasm } from '../support/kernels.ts';
import { train } from '../support/linear.ts';
import { run } from '../support/runs.ts';
import { libsvmSource } from '../support/text.ts';

const kernels = wasm();

/** The hold-out uses a separate random stream of the seed, so it is independent of the order. */
const holdoutStream = 1;

describe('examples that are held out', () => {
  it('are chosen by the seed and never learned from: the model is that of the other examples alone', async () => {
    await fc.assert(
      fc.asyncProperty(
        examplesOf(decimal, { rows: 40 }),
        fc.nat(10_000),
        fc.constantFrom(0.1, 0.3, 0.5),
        fc.constantFrom('cyclic' as const, 'shuffled' as const, 'random' as const),
        fc.constantFrom(undefined, 'cs4780' as const, 'foda' as const),
        async (data, seed, holdout, order, as) => {
          // The draw of split.ts: one uniform number for each example, in the order of the data.
          const random = new Random(seed, holdoutStream);
          const held = data.map(() => random.uniform() < holdout);
          const rest = data.filter((_, i) => !held[i]);
          const out = data.filter((_, i) => held[i]);
          fc.pre(new Set(rest.map(({ y }) => y)).size === 2);
          const options = { seed, order, as, passes: 4 };
          const whole = await train(arraySource([dense(data.slice(0, 7)), dense(data.slice(7))]), {
            kernels,
            ...options,
            holdout,
          });
          const alone = await run(rest, options);
          expect(whole.model).toEqual({
            ...alone.model,
            training: { ...alone.model.training, holdoutAccuracy: whole.model.training.holdoutAccuracy },
          });
          expect(whole.report).toEqual({ ...alone.report, holdout: whole.report.holdout });

          const { weights, bias, biasConstant, divisor, tie } = whole.model;
          const errors = out.filter(({ x, y }) => {
            const scaled = x.map((value) => value / divisor);
            return classOf(inSequence([...weights], scaled) + bias * biasConstant, tie) !== y;
          }).length;
          if (out.length === 0) expect(whole.report.holdout).toBeNull();
          // A score within rounding of 0 may fall to either side in another order of summation.
          else expect(Math.abs(whole.report.holdout!.errors - errors)).toBeLessThanOrEqual(1);
          expect(whole.report.holdout?.examples ?? 0).toBe(out.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('may have features that no other example has', async () => {
    const random = new Random(1, holdoutStream);
    const held = Array.from({ length: 40 }, () => random.uniform() < 0.5);
    const last = held.lastIndexOf(true);
    const text = held
      .slice(0, last + 1)
      .map((_, i) => `${i % 2} 1:${i % 2 === 0 ? -1 : 1}${i === last ? ' 900:1' : ''}\n`)
      .join('');
    const { model, report } = await train(libsvmSource(kernels, text), { kernels, holdout: 0.5 });
    expect(model.weights).toHaveLength(901);
    expect(model.weights[900]).toBe(0);
    expect(report.holdout?.accuracy).toBe(1);
  });

  it('must leave every class with examples', async () => {
    const data = [example(1, 1), example(-1, 1)];
    const seed = Array.from({ length: 100 }, (_, seed) => seed).find((seed) => {
      const random = new Random(seed, holdoutStream);
      return random.uniform() < 0.5 && random.uniform() >= 0.5;
    });
    await expect(run(data, { holdout: 0.5, seed })).rejects.toThrow(
      'expected examples of both classes to learn from; got none of 1',
    );
  });

  it('may come from a validation source opened for the model', async () => {
    const validation = arraySource(dense([example(1, 5, 5), example(1, -5, -5)]));
    const { report } = await run(fourApart, { validation });
    expect(report.validation).toMatchObject({ examples: 2, errors: 1, accuracy: 0.5 });
  });
});
