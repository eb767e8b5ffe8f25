import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../test/support/properties.ts';
import { some } from '../../../test/support/quick.ts';
import { type Batch, denseBatch, sparseBatch } from '../src/batch.ts';
import { arraySource } from '../src/data/in-memory.ts';
import type { ExampleSource } from '../src/data/source.ts';
import { libsvm } from '../src/data/text-sources.ts';
import { HalfspaceError } from '../src/errors.ts';
import { measureRadius } from '../src/margin/radius.ts';
import { scaledLength } from '../src/margin/scaled-length.ts';
import { decodeModel } from '../src/model/decode.ts';
import { encodeModel } from '../src/model/encode.ts';
import { Predictor } from '../src/model/predictor.ts';
import { createLearner } from '../src/rules/registry.ts';
import { compareRulesWith } from '../src/select/compare-rules.ts';
import { withAll } from '../src/select/read-all.ts';
import { trainWith } from '../src/select/train.ts';
import type { RunOptions } from '../src/train/options.ts';
import { trainOnce } from '../src/train/train-once.ts';
import { implementations, reference, wasm } from './support/kernels.ts';
import { learnedByExample } from './support/several.ts';

/** Separable, with no value that is 0. */
const rows = {
  2: { x: [[2, 1], [1, 3], [3, 2], [-1, -2], [-3, -1], [-2, -2]], y: [1, 1, 1, -1, -1, -1] },
  3: { x: [[3, 0.5], [4, 1], [-2, 3], [-1, 4], [-2, -3], [-1, -4]], y: [0, 0, 1, 1, 2, 2] },
}; // biome-ignore format: one row a row

const scaled = (classes: 2 | 3, scale: number, layout: 'dense' | 'sparse' = 'dense'): Batch => {
  const x = rows[classes].x.map((row) => row.map((value) => value * scale));
  if (layout === 'dense') return denseBatch(x, rows[classes].y, null, classes);
  return sparseBatch(x.map((values) => ({ indices: [0, 1], values })), rows[classes].y, null, classes); // biome-ignore format: one line
};

const sourceOf = (batch: Batch, classes: 2 | 3) => arraySource(batch, ['a', 'b', 'c'].slice(0, classes));

const options: readonly RunOptions[] = [
  ...learnedByExample.map((rule) => ({ rule })),
  ...(['pa', 'pa-2'] as const).map((variant) => ({ rule: 'passive-aggressive' as const, variant })),
  { rule: 'arow', average: true },
  { rule: 'sgd', loss: 'hinge', schedule: 'constant', rate: 1 },
  { rule: 'sgd', loss: 'squared-hinge', penalty: 'l1', schedule: 'inverse-scaling' },
  { rule: 'kernel', kernel: 'linear' },
  { rule: 'kernel', kernel: 'rbf' },
  { as: 'lecture-9' },
  { as: 'cs4780' },
  { as: 'foda' },
  { rule: 'perceptron', scaling: 'unit-ball' },
  { rule: 'passive-aggressive', scaling: 'max-norm' },
];

/** Multiclass updates of the rules that have one. */
const several: readonly RunOptions[] = options
  .filter(({ as, rule }) => as === undefined && ['perceptron', 'averaged', 'margin', 'passive-aggressive'].includes(rule!))
  .map((each) => ({ ...each, multiclass: 'kesler' })); // biome-ignore format: one line

const outcome = async <T>(act: () => Promise<T>): Promise<T | string> => {
  try {
    return await act();
  } catch (error) {
    if (error instanceof HalfspaceError) return `${error.code}: ${error.message}`;
    throw error;
  }
};

describe.each(implementations)('rows whose squared lengths overflow or underflow, in %s kernels,', (_, create) => {
  const kernels = create();
  const cases = [2 as const, 3 as const].flatMap((classes) =>
    [...options, ...(classes === 3 ? several : [])].flatMap((each) =>
      classes === 3 && each.as === 'foda' ? [] : [[classes, each] as const],
    ),
  );

  it.each(some(cases, 3))('give a correct model or weights-overflow: %i classes, %j', async (classes, each) => {
    for (const bias of each.as === undefined ? (['separate', 'absorbed', 'none'] as const) : [undefined])
      for (const scale of [1e-310, 1e-200, 1e-170, 1e155, 1e160, 1e200, 1e300, 4e307])
        for (const layout of ['dense', 'sparse'] as const) {
          const source = sourceOf(scaled(classes, scale, layout), classes);
          const end = await outcome(async () => {
            const { model, report } = await trainOnce(source, { ...each, ...(bias === undefined ? {} : { bias }), kernels });
            const predictor = new Predictor(decodeModel(encodeModel(model)));
            const { x, y } = rows[classes];
            const wrong = x.filter((row, i) => {
              const k = classes === 2 ? (y[i]! + 1) / 2 : y[i]!;
              return predictor.predict(row.map((value) => value * scale)) !== model.classes[k];
            });
            return { errors: report.train!.errors, wrong: wrong.length };
          }); // biome-ignore format: one line
          if (typeof end === 'string') expect(end).toMatch(/^weights-overflow: .*: scale the data/);
          else expect({ bias, scale, ...end }).toEqual({ bias, scale, errors: 0, wrong: 0 });
        }
  });

  it('are learned by a tree as other rows', async () => {
    for (const scale of [1e-310, 1e-200, 1e200, 4e307]) {
      const { report } = await trainOnce(sourceOf(scaled(2, scale), 2), { rule: 'tree', kernels });
      expect(report.train!.errors).toBe(0);
    }
  });

  it('can be scaled by their radius', async () => {
    for (const scale of [1e160, 1e200, 4e307])
      for (const scaling of ['unit-ball', 'max-norm'] as const) {
        const { model, report } = await trainOnce(sourceOf(scaled(2, scale), 2), {
          rule: 'perceptron',
          scaling,
          kernels,
        });
        expect(report).toMatchObject({ stop: 'separated' });
        expect((model as { divisor?: number }).divisor! / scale).toBeCloseTo(Math.sqrt(13), 12);
      }
    const beyond = denseBatch([[1.7e308, 1.7e308], [-1e308, 1]], [1, -1]); // biome-ignore format: one line
    await expect(trainOnce(arraySource(beyond), { rule: 'perceptron', scaling: 'max-norm', kernels })).rejects.toThrow(
      'expected lengths of rows within the range of doubles; got larger ones: scale the data',
    );
  });

  it('that overflow are found in the data: the error names the row of the largest value', async () => {
    for (const rule of ['perceptron', 'kernel'] as const)
      for (const large of [1, 7, 12]) {
        const text = Array.from({ length: 12 }, (_, i) => `${i % 2} 1:${i + 1 === large ? '-1e300' : i} 2:3\n`).join(
          '',
        );
        await expect(trainWith(kernels, libsvm(text), { rule })).rejects.toMatchObject({
          code: 'weights-overflow',
          where: { source: 'text', row: large },
        });
      }
  });

  it('are reported when rules are chosen or compared', async () => {
    for (const scale of [1e160, 1e200, 1e300])
      for (const act of [
        (source: ExampleSource) => trainWith(kernels, source),
        (source: ExampleSource) => compareRulesWith(kernels, source, { folds: 2, repeats: 1 }),
      ]) {
        const many = denseBatch([...scaled(2, scale).labels].flatMap((_, i) => [0, 1].map(() => rows[2].x[i]!.map((v) => v * scale))), [...rows[2].y].flatMap((y) => [y, y])); // biome-ignore format: one line
        expect(await outcome<object>(() => act(arraySource(many)))).toMatch(/^weights-overflow: .*: scale the data/);
      }
  });

  it('are learned from if the step is a double, although squares underflow', () => {
    // Without a bias, of rows of 1e-170: the step of PA-I is C, and that of AROW (1 − y·a)·h/r.
    const batch = denseBatch([[1e-170]], [1]);
    const pa = createLearner(kernels, 'passive-aggressive', { variant: 'pa-1', aggressiveness: 3, biasConstant: 0 });
    pa.learn(batch);
    expect([...pa.parameters().weights]).toEqual([3 * 1e-170]);
    const arow = createLearner(kernels, 'arow', { r: 0.5, biasConstant: 0 });
    arow.learn(batch);
    expect([...arow.parameters().weights]).toEqual([2 * 1e-170]);
    const empty = denseBatch([[0]], [1]);
    for (const learner of [pa, arow]) {
      learner.learn(empty);
      expect(learner.progress).toMatchObject({ updates: 1, cleanStreak: 1 });
      learner.free();
    }
  });
});

describe('a length', () => {
  it('equals that of the numbers divided by a power of two, times that power', () => {
    forAll(
      fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1 }), fc.integer({ min: -1000, max: 1000 }), (x, k) => {
        const plain = Math.sqrt(x.reduce((sum, v) => sum + v * v, 0));
        const length = scaledLength(x.map((v) => v * 2 ** k));
        if (plain === 0) expect(length).toBe(0);
        else expect(length / 2 ** k / plain).toBeCloseTo(1, 12);
      }); // biome-ignore format: shorter
    expect(scaledLength([3e-320, 4e-320])).toBeCloseTo(5e-320, 321);
    expect(scaledLength([1.7e308, 1.7e308])).toBe(Infinity);
  });

  it('is the radius of stored examples at any scale', async () => {
    const kernels = wasm();
    for (const layout of ['dense', 'sparse'] as const)
      for (const scale of [1e-310, 1e-200, 1, 1e200, 4e307]) {
        await withAll(sourceOf(scaled(2, scale, layout), 2), { seed: 1, kernels }, async ({ intake }) => {
          expect(measureRadius(intake.store, kernels, 0) / scale).toBeCloseTo(Math.sqrt(13), 6);
          expect(measureRadius(intake.store, kernels, 1)).toBeCloseTo(Math.hypot(1, Math.sqrt(13) * scale), scale > 1 ? -293 : 9);
        });
      } // biome-ignore format: one line
  });
});

describe('variances of AROW', () => {
  it('stay above 0 for rows of any length, and set the step of the next row', () => {
    forAll(
      
        fc.array(fc.record({ e: fc.array(fc.integer({ min: -20, max: 70 }), { minLength: 3, maxLength: 3 }), y: fc.constantFrom(-1, 1) }), { minLength: 1, maxLength: 30 }),
        (data) => {
          const batch = denseBatch(data.map(({ e }) => e.map((k) => 1.25 * 10 ** k)), data.map(({ y }) => y));
          const states = [wasm(), reference()].map((kernels) => {
            const learner = createLearner(kernels, 'arow', {});
            for (let pass = 0; pass < 3; pass++) learner.learn(batch);
            const state = learner.state();
            learner.free();
            return state;
          });
          expect(states[0]).toEqual(states[1]);
          for (const variance of states[0]!.vectors!.variances!) expect(variance).toBeGreaterThan(0);
          expect(states[0]!.weights.every(Number.isFinite)).toBe(true);
        },
      ); // biome-ignore format: shorter
  });
});
