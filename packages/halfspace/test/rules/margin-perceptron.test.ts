import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, examplesOf, fourApart } from '../support/examples.ts';
import { run } from '../support/runs.ts';
import { dot, separable } from '../support/separable.ts';

const taus = fc.constantFrom(0, 0.125, 1, 7.5);

describe('the margin rule', () => {
  it('ends with every margin above τ if separable, after at most (R² + 2τ)/γ² updates', async () => {
    await fc.assert(
      fc.asyncProperty(separable(), taus, async ({ data, norm, least, squaredRadius }, tau) => {
        const options = { rule: 'margin', margin: tau, bias: 'none', passes: 100_000 } as const;
        const { model, report } = await run(data, options);
        expect(report).toMatchObject({ rule: 'margin', stop: 'separated', train: { separated: true } });
        expect(report.updatesPerPass.at(-1)).toBe(0);
        for (const { x, y } of data) expect(y * dot(model.weights, x)).toBeGreaterThan(tau);
        // All of it is exact.
        expect(report.updates * least * least).toBeLessThanOrEqual((squaredRadius + 2 * tau) * norm * norm);
      }),
      { numRuns: 60 },
    );
  });

  it('with τ = 0 is the perceptron', async () => {
    await fc.assert(
      fc.asyncProperty(examplesOf(decimal), async (data) => {
        const [none, plain] = [
          await run(data, { rule: 'margin', margin: 0, passes: 9 }),
          await run(data, { rule: 'perceptron', passes: 9 }),
        ];
        // Only what was asked for differs.
        expect({ ...none.model, rule: 'perceptron', options: plain.model.options }).toEqual(plain.model);
        expect(none.model.options).toEqual({ margin: 0 });
      }),
    );
  });

  it('has τ = 1 by default', async () => {
    const { model } = await run(fourApart, { rule: 'margin' });
    expect(model).toEqual((await run(fourApart, { rule: 'margin', margin: 1 })).model);
    expect(model).not.toEqual((await run(fourApart, { rule: 'margin', margin: 3 })).model);
  });

  it('has τ in the units of the original x, if examples are scaled', async () => {
    const { model, report } = await run(fourApart, { rule: 'margin', margin: 0.5, scaling: 'max-norm' });
    expect(report.stop).toBe('separated');
    for (const { x, y } of fourApart) {
      const a = dot(
        model.weights,
        x.map((value) => value / model.divisor),
      );
      expect(y * (a + model.bias * model.biasConstant)).toBeGreaterThan(0.5 - 1e-12);
    }
  });
});
