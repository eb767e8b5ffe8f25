import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { Random } from '../../src/random.ts';
import { compareRulesWith } from '../../src/select/compare-rules.ts';
import { foldsNote } from '../../src/select/run-notes.ts';
import { trainWith } from '../../src/select/train.ts';
import { rows } from '../../src/table/rows.ts';

const kernels = createKernels();

/** Returns rows of classes of these sizes, in random order. */
function tableOf(sizes: readonly number[], seed: number) {
  const random = new Random(seed);
  const given = sizes.flatMap((size, k) =>
    Array.from({ length: size }, () => ({ x: k + random.uniform(), z: random.uniform(), y: `c${k}` })),
  );
  const order = Uint32Array.from(given.keys());
  random.shuffle(order);
  return rows(
    Array.from(order, (i) => given[i]!),
    { label: 'y' },
  );
}

const sizes = fc.tuple(
  fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 2 }),
  fc.integer({ min: 6, max: 20 }),
);

describe('classes with fewer rows than folds', () => {
  it('are noted by a comparison of all rules, and by a cross-validation of a training', async () => {
    await forAllAsync(15, sizes, fc.nat(999), async ([small, large], seed) => {
      const all = [...small, large];
      const expected = foldsNote(
        all.map((_, k) => `c${k}`),
        all,
        5,
      );
      const given = { folds: 5, passes: 2, seed };
      const { compared, notes } = await compareRulesWith(kernels, tableOf(all, seed), {
        ...given,
        repeats: 1,
        candidates: ['averaged', 'perceptron', 'arow', 'sgd', 'pocket', 'voted', 'kernel', 'tree'],
      });
      expect(notes).toContain(expected);
      const { crossValidation, ...trained } = await trainWith(kernels, tableOf(all, seed), {
        ...given,
        rule: 'averaged',
      });
      expect(trained.notes).toContain(expected);
      const same = compared.find(({ rule }) => rule.name === 'averaged')!;
      expect(crossValidation!.foldAccuracies).toEqual(same.foldAccuracies);
    });
    expect(foldsNote(['a', 'b', 'c'], [1, 9, 4], 5)).toBe(
      'some of the 5 folds have no row of the classes a (1 row), c (4 rows)',
    );
    expect(foldsNote(['a', 'b'], [5, 9], 5)).toBeNull();
  });

  it('do not stop calibration, curves and choice, and are noted; a class of one row is in no fit', async () => {
    for (const all of [
      [2, 12],
      [2, 3, 12],
      [1, 1, 12, 9],
      [9, 8, 1],
    ])
      for (const calibrate of ['platt', 'isotonic'] as const)
        for (const rule of all.length === 4 && calibrate === 'platt'
          ? (['averaged', 'auto'] as const)
          : ['averaged' as const]) {
          const { calibration, curves, model, notes, search } = await trainWith(kernels, tableOf(all, 7), {
            rule,
            calibrate,
            curves: true,
          });
          expect(calibration!.outOfFold.examples).toBe(all.reduce((a, b) => a + b));
          expect(Number.isFinite(calibration!.outOfFold.logLoss)).toBe(true);
          expect(model.calibration).not.toBeNull();
          expect(curves!.learning!.points.length).toBeGreaterThan(0);
          expect(search?.metric).toBe(rule === 'auto' ? 'log-loss' : undefined);
          expect(search?.tried.every(({ value }) => Number.isFinite(value)) ?? true).toBe(true);
          expect(notes.some((note) => note.startsWith('some of the 5 folds have no row of the class'))).toBe(true);
          const left = notes.find((note) => note.startsWith('the calibration is fitted without the'));
          for (const [k, count] of all.entries())
            expect(left?.includes(`c${k} (1 row)`) ?? false, String(all)).toBe(count === 1);
        }
  });

  it('are chosen for, if a class has a single row', async () => {
    const { search, notes } = await trainWith(kernels, tableOf([1, 2, 20], 3));
    expect(search!.tried.length).toBeGreaterThan(5);
    expect(notes).toContain('some of the 5 folds have no row of the classes c0 (1 row), c1 (2 rows)');
  });
});
