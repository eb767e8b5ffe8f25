import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { explainScore } from '../../src/ledger/explain-score.ts';
import { explainWeight } from '../../src/ledger/explain-weight.ts';
import type { LinearModel } from '../../src/model/linear/model.ts';
import { functionsOf } from '../../src/model/model.ts';
import type { MulticlassModel } from '../../src/model/multiclass/model.ts';
import { Predictor } from '../../src/model/predictor.ts';
import type { Labelled } from '../oracles/classes.ts';
import { decimal, dyadic, examplesOf } from '../support/examples.ts';
import { wasm } from '../support/kernels.ts';
import { inTwo, recorded, refusable, runOptions, severalSource, threeNames } from '../support/ledgers.ts';
import { severalOf } from '../support/several.ts';

const kernels = wasm();

const three = severalOf(decimal, { rows: 24 }).map(({ data }): Labelled[] => {
  const d = data[0]!.x.length;
  const each = [0, 1, 2].map((y) => ({ x: Array.from({ length: d }, (_, j) => (j === y ? 1 : -0.3)), y }));
  return [...each, ...data.map(({ x, y }) => ({ x, y: y % 3 }))];
});

describe('the updates that made a weight', () => {
  it('add up to it exactly, in every run, and are from rows that have the feature', async () => {
    let ran = 0;
    await forAllAsync(200, examplesOf(decimal, { rows: 25 }), runOptions, fc.nat(), async (data, options, at) => {
      const run = await refusable(() => recorded(inTwo(data), { ...options, kernels }));
      if (run === null) return;
      ran++;
      const { weights, bias, biasConstant } = run.model as LinearModel;
      const feature = at % (weights.length + 1) === weights.length ? 'bias' : at % (weights.length + 1);
      const told = await explainWeight(run.ledger, inTwo(data), feature, { kernels });
      // Every step of the sum is in it, so it is the kernels' own to the bit.
      expect(told.updates.reduce((sum, { contribution }) => sum + contribution, told.start)).toBe(told.present);
      expect(told.weight).toBe(feature === 'bias' ? bias : weights[feature]);
      if (run.ledger.opening.variant.returns === 'weights') expect(told.learned).toBe(told.weight);
      const shares = told.updates.reduce((sum, { share }) => sum + share, told.start);
      expect(shares).toBeCloseTo(told.learned, 8);
      for (const { row, raised, contribution } of told.updates) {
        expect(raised).toBe(data[row]!.y > 0 ? 1 : 0);
        const x = feature === 'bias' ? biasConstant : data[row]!.x[feature]!;
        expect(Math.sign(contribution)).toBe(Math.sign(x) * data[row]!.y);
      }
    });
    expect(ran).toBeGreaterThan(8);
  });

  it('do so for each of several classes', async () => {
    await forAllAsync(
      80,
      three,
      fc.constantFrom('one-vs-rest' as const, 'kesler' as const),
      fc.constantFrom(
        { rule: 'perceptron' } as const,
        { rule: 'averaged' } as const,
        { rule: 'passive-aggressive' } as const,
        { rule: 'passive-aggressive', average: true } as const,
      ),
      fc.nat(2),
      async (data, multiclass, rule, k) => {
        const run = await recorded(severalSource(data), { ...rule, multiclass, passes: 3, kernels });
        const told = await explainWeight(run.ledger, severalSource(data), 0, { class: k, kernels });
        expect(told.learned).toBe((run.model as MulticlassModel).functions[k]!.weights[0]);
        expect(told.weight).toBe(told.learned);
      },
    );
  });

  it('can end at a given step', async () => {
    const data = [
      { x: [1, 0], y: 1 as const },
      { x: [1, 1], y: -1 as const },
      { x: [0.5, 1], y: 1 as const },
    ];
    const { ledger } = await recorded(inTwo(data), { rule: 'perceptron', passes: 2, kernels });
    const told = await explainWeight(ledger, inTwo(data), 0, { step: 2, kernels });
    // y·x at the first row, then against it at the second: worked out by hand.
    expect(told.updates.map(({ step, row, contribution }) => ({ step, row, contribution }))).toEqual([
      { step: 1, row: 0, contribution: 1 },
      { step: 2, row: 1, contribution: -1 },
    ]);
    expect(told.weight).toBe(0);
  });

  it('are refused for unknown features and classes', async () => {
    const data = [
      { x: [1, 0], y: 1 as const },
      { x: [1, 1], y: -1 as const },
    ];
    const { ledger } = await recorded(inTwo(data), { rule: 'perceptron', kernels });
    await expect(explainWeight(ledger, inTwo(data), 2, { kernels })).rejects.toThrow(
      'feature must be a position in [0, 2), or bias; got 2',
    );
    await expect(explainWeight(ledger, inTwo(data), 0, { class: 0, kernels })).rejects.toThrow(
      'class must be 1, as two classes have one function, of class 1; got 0',
    );
  });
});

describe('the rows that made a score', () => {
  it('add up to it exactly if nothing rounds', async () => {
    await forAllAsync(
      100,
      examplesOf(dyadic, { rows: 16, features: 5 }),
      fc.nat(),
      fc.constantFrom({ rule: 'perceptron' as const }, { rule: 'margin' as const, margin: 2 }, { as: 'blog' as const }),
      async (data, at, options) => {
        const row = at % data.length;
        const run = await recorded(inTwo(data), { ...options, passes: 4, kernels });
        const told = await explainScore(run.ledger, inTwo(data), row, { kernels });
        expect(told.score).toBe(new Predictor(run.model).score(data[row]!.x));
        expect(told.rounding).toBe(0);
        expect(told.rows.reduce((sum, { updates }) => sum + updates, 0)).toBe(run.report.updates);
      },
    );
  });

  it('add up to it except for rounding in every run, for every class', async () => {
    const fits = (told: Awaited<ReturnType<typeof explainScore>>, score: number) => {
      expect(told.score).toBe(score);
      const size = told.rows.reduce((sum, { contribution }) => sum + Math.abs(contribution), Math.abs(told.start) + 1);
      expect(Math.abs(told.rounding)).toBeLessThanOrEqual(1e-12 * size);
    };
    await forAllAsync(150, examplesOf(decimal, { rows: 25 }), runOptions, fc.nat(), async (data, options, at) => {
      const run = await refusable(() => recorded(inTwo(data), { ...options, kernels }));
      if (run === null) return;
      const row = at % data.length;
      const told = await explainScore(run.ledger, inTwo(data), row, { kernels });
      fits(told, new Predictor(run.model).score(data[row]!.x));
      for (const each of told.rows) expect(each.class).toBe(data[each.row]!.y > 0 ? 1 : 0);
    });
    await forAllAsync(
      60,
      three,
      fc.constantFrom('one-vs-rest' as const, 'kesler' as const),
      fc.nat(2),
      async (data, multiclass, k) => {
        const run = await recorded(severalSource(data), { rule: 'averaged', multiclass, passes: 3, kernels });
        const told = await explainScore(run.ledger, severalSource(data), 1, { class: k, kernels });
        fits(told, new Predictor(run.model).scores(data[1]!.x)[k]!);
        expect(functionsOf(run.model)).toHaveLength(threeNames.length);
      },
    );
  });
});
