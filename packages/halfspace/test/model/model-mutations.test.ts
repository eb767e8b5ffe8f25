import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { type SparseBatch, sparseBatch } from '../../src/batch.ts';
import { HalfspaceError } from '../../src/errors.ts';
import { dimensionOf } from '../../src/features/dimension.ts';
import { featureNamer } from '../../src/features/names.ts';
import { decodeModel } from '../../src/model/decode.ts';
import { mostMistaken } from '../../src/model/dual/function.ts';
import { encodeModel } from '../../src/model/encode.ts';
import { createScorer } from '../../src/model/kinds.ts';
import { eachWeight } from '../../src/model/linear/sparse-weights.ts';
import { functionsOf, isDual, type Model } from '../../src/model/model.ts';
import { Predictor } from '../../src/model/predictor.ts';
import type { RawRow } from '../../src/model/raw-features.ts';
import { drawTree } from '../../src/model/tree/draw-text.ts';
import { wasm } from '../support/kernels.ts';
import { shapes, signed } from '../support/models.ts';
import { changeAt } from '../support/tables.ts';

/** Replacements of a member that are most likely to cause a fault. */
const harm = fc.oneof(
  fc.constantFrom<unknown>(
    0,
    -0,
    1,
    -1,
    2,
    0.5,
    31,
    32,
    255,
    4095,
    2 ** 20,
    2 ** 24,
    2 ** 28,
    2 ** 31,
    2 ** 32,
    2 ** 53,
  ),
  fc.constantFrom<unknown>(5e-324, 1e-308, 1e-200, 1e154, 1e200, 1e300, 1.7e308, -1.7e308, Number.MAX_VALUE),
  fc.constantFrom<unknown>(null, '', 'x', [], {}, true, [1e308, 1e308], [[0]], { uint32: '' }, { float64: 'AAAA' }),
  fc.constantFrom<unknown>(
    { toString: 1, valueOf: 1, toJSON: 1 },
    JSON.parse('{"__proto__": {"kind": "named", "names": []}}'),
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
);

const rowsOf: Record<string, readonly RawRow[]> = {
  table: [{ x: 1 }, { x: null }, { 'colour "é"': 'red' }, { x: -1e6, 'colour "é"': 'grey' }],
  named: [{ 'a^b': 1, ' ': -2 }, {}],
  indexed: [[0, 1, -1, 2, 0.5], { indices: [0, 4, 17, 4294967295], values: [1, -1, 3, 1e6] }, []],
};
const batch: SparseBatch = sparseBatch(
  [
    { indices: [0, 1, 2, 3], values: [1, -1, 0.5, 1e6] },
    { indices: [], values: [] },
    { indices: [0, 299, 4999, 100_000], values: [1, 1, 1, 1] },
  ],
  [1, -1, 1],
);

/** All that is asked of a model. Scores are finite, or the row is refused. */
function ask(model: Model): void {
  const scorer = createScorer(wasm(), model);
  const scores = new Float64Array(batch.rows * scorer.outputs);
  scorer.scoreInto(batch, scores);
  scorer.free();
  const name = featureNamer(model.features);
  for (const each of functionsOf(model)) {
    if (isDual(each)) {
      mostMistaken(each, 5);
      continue;
    }
    expect(each.weights).toHaveLength(dimensionOf(model.features));
    expect(each.weights.every(Number.isFinite)).toBe(true);
    eachWeight(each, (_, j) => {
      expect(typeof name(j)).toBe('string');
    });
  }
  const dimension = dimensionOf(model.features);
  if (dimension > 0) expect(typeof name(dimension - 1)).toBe('string');
  if (model.kind === 'tree') drawTree(model.tree, {});
  expect(decodeModel(encodeModel(model))).toEqual(model);
  if (model.features.kind === 'hashed') return;
  const predictor = new Predictor(model);
  for (const row of rowsOf[model.features.kind]!) {
    refusing(() => {
      expect(model.classes).toContain(predictor.predict(row));
      for (const score of predictor.scores(row)) expect(Number.isFinite(score)).toBe(true);
      if (model.calibration !== null)
        for (const share of predictor.probabilities(row)) expect(share >= 0 && share <= 1).toBe(true);
    });
  }
}

function refusing(act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (error instanceof HalfspaceError) return false;
    throw error;
  }
}

describe('a model that was changed, with a valid digest', () => {
  it('is refused when read, or gives finite scores; it never crashes', () => {
    let read = 0;
    const path = fc.array(fc.nat(400), { minLength: 1, maxLength: 6 });
    forAll(
      Number(process.env.MUTATIONS ?? 3000),
      fc.constantFrom(...shapes),
      fc.array(fc.tuple(path, harm), { minLength: 1, maxLength: 3 }),
      ([, model], changes) => {
        const text = signed(model, (body) => {
          for (const [steps, value] of changes)
            changeAt(body, steps, value, ['format', 'version', 'digest', 'training']);
        });
        if (refusing(() => decodeModel(text))) {
          read++;
          refusing(() => ask(decodeModel(text)));
        }
      },
    );
    expect(read).toBeGreaterThan(9);
  });

  it.each<[string, (body: Record<string, unknown>) => unknown, string]>([
    ['weights whose sum overflows', (b) => ({ ...b, weights: [1e308, 1e308, 0, 0, 0] }), 'weights'],
    ['a bias that overflows', (b) => ({ ...b, bias: 1e300, biasConstant: 1e300 }), 'bias'],
    ['a divisor without a reciprocal', (b) => ({ ...b, divisor: 5e-324 }), 'divisor'],
    ['weights that overflow by the divisor', (b) => ({ ...b, divisor: 1e-5 }), 'weights'],
  ])('with %s is refused', (_, change, name) => {
    const [, plain] = shapes.find(([shape]) => shape === 'plain weights')!;
    expect(() => decodeModel(signed(plain, change))).toThrow(`expected "${name}" to be`);
  });
});
