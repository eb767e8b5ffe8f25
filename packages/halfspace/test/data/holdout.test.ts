import { describe, expect, it } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../../test/support/properties.ts';
import type { DenseBatch } from '../../src/batch.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import { HoldoutSplit } from '../../src/data/split.ts';
import type { ExampleStore } from '../../src/data/store.ts';
import type { TableEncoding } from '../../src/features/table-encoding.ts';
import { classOf } from '../../src/kernels/kernels.ts';
import { Random } from '../../src/random.ts';
import { trainWith } from '../../src/select/train.ts';
import { csv } from '../../src/table/csv.ts';
import { rows } from '../../src/table/rows.ts';
import { Intake } from '../../src/train/intake.ts';
import { inSequence } from '../oracles/oracle.ts';
import { train } from '../support/arithmetic.ts';
import { decimal, dense, example, examplesOf, fourApart, run } from '../support/examples.ts';
import { wasm } from '../support/kernels.ts';
import { libsvmSource } from '../support/text.ts';

const kernels = wasm();

/** Returns the flags of the held-out examples. */
function heldOutOf(data: readonly { readonly y: number }[], holdout: number, seed: number): boolean[] {
  const split = new HoldoutSplit(holdout, seed);
  return data.map(({ y }) => split.next(y));
}

/** The sequential method, in words: what is held out of each class stays the whole part of n × share, or one more. */
function sequentialMethod(classes: readonly number[], share: number, seed: number): boolean[] {
  const random = new Random(seed, 1);
  const found = new Map<number, { n: number; held: number }>();
  return classes.map((ofClass) => {
    const { n, held } = found.get(ofClass) ?? { n: 0, held: 0 };
    const [before, after] = [n * share, (n + 1) * share];
    const [low, high] = [Math.floor(before), Math.floor(after)];
    let probability = 0;
    if (held > low) {
      if (high > low) probability = (after - high) / (before - low);
    } else if (high > low) probability = 1;
    else if (n > 0) probability = (after - before) / (1 - (before - low));
    const isHeld = random.uniform() < probability;
    found.set(ofClass, { n: n + 1, held: held + (isHeld ? 1 : 0) });
    return isHeld;
  });
}

describe('examples that are held out', () => {
  it('are drawn by the sequential method, for any classes, shares and batches', () => {
    const list = fc.array(fc.constantFrom(-1, 1, 1, 0, 7, 300, 2.5), { maxLength: 300 });
    const share = fc.oneof(fc.constantFrom(0.1, 0.2, 0.5), fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true }));
    forAll(list, share, fc.nat(10_000), fc.integer({ min: 1, max: 50 }), (classes, fraction, seed, size) => {
      const split = new HoldoutSplit(fraction, seed);
      const held: boolean[] = [];
      for (let from = 0; from < classes.length; from += size) {
        const batch = classes.slice(from, from + size);
        const [kept, out] = [new Uint32Array(batch.length), new Uint32Array(batch.length)];
        const count = split.nextInto(batch, batch.length, kept, out);
        const ofBatch = [...out.subarray(0, batch.length - count)];
        expect([...kept.subarray(0, count), ...ofBatch].sort((a, b) => a - b)).toEqual([...batch.keys()]);
        held.push(...batch.map((_, i) => ofBatch.includes(i)));
      }
      expect(held).toEqual(sequentialMethod(classes, fraction, seed));
    });
  });

  it('are chosen by the seed and never learned from: the model is that of the other examples alone', async () => {
    await forAllAsync(
      60,
      examplesOf(decimal, { rows: 40 }),
      fc.nat(10_000),
      fc.constantFrom(0.1, 0.3, 0.5),
      fc.constantFrom('cyclic' as const, 'shuffled' as const, 'random' as const),
      fc.constantFrom(undefined, 'cs4780' as const, 'foda' as const),
      async (data, seed, holdout, order, as) => {
        const held = heldOutOf(data, holdout, seed);
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
    );
  });

  it('may have features that no other example has', async () => {
    const labels = Array.from({ length: 40 }, (_, i) => ({ y: i % 2 }));
    const held = heldOutOf(labels, 0.5, 1);
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

  it('leave every class with examples, and a note names the classes of which none is held out', async () => {
    await forAllAsync(
      60,
      fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 2, maxLength: 5 }),
      fc.nat(1000),
      fc.constantFrom(0.1, 0.3, 0.5, 0.9),
      async (sizes, seed, holdout) => {
        fc.pre(sizes.some((rows) => rows * holdout >= 1));
        const given = sizes.flatMap((size, k) =>
          Array.from({ length: size }, (_, i) => ({ x: k + i / 20, y: `c${k}` })),
        );
        const order = Uint32Array.from(given.keys());
        new Random(seed).shuffle(order);
        const objects = Array.from(order, (i) => given[i]!);
        const { report, notes } = await trainWith(kernels, rows(objects, { label: 'y' }), {
          rule: 'averaged',
          passes: 1,
          seed,
          holdout,
        });
        const held = report.holdout!.confusion.map((row) => row.reduce((sum, count) => sum + count, 0));
        sizes.forEach((size, k) => {
          expect(report.classExamples[k]! + held[k]!).toBe(size);
          expect(Math.abs(held[k]! - size * holdout)).toBeLessThan(1);
          expect(report.classExamples[k]).toBeGreaterThan(0);
        });
        const lacking = sizes.flatMap((size, k) =>
          held[k] === 0 ? [`c${k} (${size} ${size === 1 ? 'row' : 'rows'})`] : [],
        );
        expect(notes.filter((note) => note.startsWith('no row is held out of the class'))).toEqual(
          lacking.length === 0
            ? []
            : [
                `no row is held out of the ${lacking.length === 1 ? 'class' : 'classes'} ${lacking.join(', ')}: too few for a share of ${holdout}`,
              ],
        );
      },
    );
  });

  it.each([
    ['several classes', 'y', undefined],
    ['one class against the others', 'y', '3.0'],
    ['numbers that are written differently', 'z', undefined],
    ['one such number against the others', 'z', '1'],
  ])('have no say in the encoding of a table: %s', async (_, label, positive) => {
    // The column x shows which rows were fitted: every row has a value of its own, a power of two.
    const texts = Array.from({ length: 40 }, (_, i) => [
      2 ** i,
      (i * i) % 7 === 1 ? '3' : (i * i) % 7,
      ['1', '1.0', '2', '-0', '0'][i % 5],
    ]);
    const table = ['x,y,z', ...texts.map((cells) => cells.join())].join('\n');
    const drop = { columns: { [label === 'y' ? 'z' : 'y']: { kind: 'drop' as const } } };
    const holdout = { fraction: 0.3, seed: 4 };
    const source = await csv(`${table}\n`, { label, positive, features: drop, scale: 'none' }).open({
      kernels,
      holdout,
    });
    const intake = new Intake(kernels, source, {
      positive: undefined,
      split: new HoldoutSplit(holdout.fraction, holdout.seed),
      keepAll: true,
      store: {},
    });
    for await (const _ of intake.batches());
    const values = (store: ExampleStore) =>
      [...store.batches()].flatMap((batch) => [...(batch as DenseBatch).values.slice(0, batch.rows)]);
    const [kept, held] = [values(intake.store), values(intake.held)];
    intake.free();
    expect(held.length).toBeGreaterThan(0);
    expect(kept.length + held.length).toBe(40);
    const scaled = await csv(`${table}\n`, { label, positive, features: drop }).open({ kernels, holdout });
    expect((scaled.encoding() as TableEncoding).columns[0]).toMatchObject({
      mean: expect.closeTo(kept.reduce((a, b) => a + b) / kept.length, 3),
    });
  });

  it('may come from a validation source opened for the model', async () => {
    const validation = arraySource(dense([example(1, 5, 5), example(1, -5, -5)]));
    const { report } = await run(fourApart, { validation });
    expect(report.validation).toMatchObject({ examples: 2, errors: 1, accuracy: 0.5 });
  });
});
