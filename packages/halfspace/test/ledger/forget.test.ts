import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { isDeep } from '../../../../test/support/quick.ts';
import { HoldoutSplit } from '../../src/data/split.ts';
import { HalfspaceError } from '../../src/errors.ts';
import { forget, forgettable } from '../../src/ledger/forget.ts';
import { stepsOfRow } from '../../src/ledger/ledger.ts';
import { encodeModel } from '../../src/model/encode.ts';
import { Random } from '../../src/random.ts';
import type { RunOptions } from '../../src/train/options.ts';
import { trainOnce } from '../../src/train/train-once.ts';
import type { Labelled } from '../oracles/classes.ts';
import type { Example } from '../oracles/oracle.ts';
import { decimal, examplesOf } from '../support/examples.ts';
import { wasm } from '../support/kernels.ts';
import { inTwo, read, recorded, refusable, runOptions, severalSource } from '../support/ledgers.ts';
import { severalOf } from '../support/several.ts';

const kernels = wasm();

const without = <T>(list: readonly T[], row: number): T[] => list.filter((_, i) => i !== row);

/** Returns the result of training without a row, or the error code: a class may have disappeared. */
const outcome = async (act: () => Promise<{ model: Parameters<typeof encodeModel>[0]; report: object }>) => {
  try {
    const { model, report } = await act();
    return { model: encodeModel(model), report };
  } catch (error) {
    if (error instanceof HalfspaceError) return { code: error.code };
    throw error;
  }
};

describe('forgetting a row', () => {
  it('gives the model of training without the row, byte for byte', async () => {
    let followed = 0;
    await forAllAsync(
      400,
      examplesOf(decimal, { rows: 30 }).chain((data) =>
        fc.tuple(
          fc.constant(data),
          fc.nat(data.length - 1),
          fc.option(fc.array(fc.constantFrom(0, 0.5, 1, 3), { minLength: data.length, maxLength: data.length })),
        ),
      ),
      runOptions,
      async ([data, row, importance], { holdout: _, ...options }) => {
        const run = await refusable(() => recorded(inTwo(data, importance), { ...options, kernels }));
        if (run === null) return;
        const left = inTwo(without(data, row), importance === null ? null : without(importance, row));
        const never = await outcome(() => trainOnce(left, { ...options, kernels }));
        const forgotten = await outcome(async () => {
          const result = await forget(run.ledger, inTwo(data, importance), row, { kernels });
          followed += result.followed;
          return result;
        });
        expect(forgotten).toEqual(never);
        const { unchanged } = forgettable(run.ledger, row);
        if (unchanged && 'model' in never) {
          // The claim that needs no training: the weights are those that the run gave.
          const own = JSON.parse(encodeModel(run.model));
          const { weights, bias } = JSON.parse(never.model!);
          expect({ weights, bias }).toEqual({ weights: own.weights, bias: own.bias });
        }
      },
    );
    // Few rows can be forgotten so.
    if (isDeep) expect(followed).toBeGreaterThan(0);
  });

  it('does so for several classes', async () => {
    const three = severalOf(decimal, { rows: 24 }).map(({ data }): Labelled[] => {
      const d = data[0]!.x.length;
      const each = [0, 1, 2, 0, 1, 2].map((y, i) => ({ x: Array.from({ length: d }, (_, j) => (j + i) / 8 - 0.3), y }));
      return [...each, ...data.map(({ x, y }) => ({ x, y: y % 3 }))];
    });
    await forAllAsync(
      100,
      three,
      fc.nat(),
      runOptions.filter(({ as, start }) => as !== 'foda' && start === undefined),
      fc.constantFrom('one-vs-rest' as const, 'kesler' as const),
      async (data, at, { holdout: _, classWeights: __, ...rest }, multiclass) => {
        const row = at % data.length;
        const options = { ...rest, multiclass, kernels };
        const run = await refusable(() => recorded(severalSource(data), options));
        if (run === null) return;
        const never = await outcome(() => trainOnce(severalSource(without(data, row)), options));
        expect(await outcome(() => forget(run.ledger, severalSource(data), row, { kernels }))).toEqual(never);
      },
    );
  });

  it('keeps the held-out rows, and gives the model of training on the remaining learned rows', async () => {
    await forAllAsync(
      150,
      examplesOf(decimal, { rows: 40 }),
      fc.nat(),
      runOptions.filter(({ as }) => as === undefined),
      async (data, at, options) => {
        const row = at % data.length;
        const holdout = 0.3;
        const run = await refusable(() => recorded(inTwo(data), { ...options, holdout, kernels }));
        if (run === null) return;
        const split = new HoldoutSplit(holdout, options.seed ?? 1);
        const held = data.map(({ y }) => split.next(y));
        const rest = data.filter((_, i) => !held[i] && i !== row);
        const { holdout: _, ...others } = options;
        const never = await outcome(() => trainOnce(inTwo(rest), { ...others, kernels }));
        const forgotten = await outcome(() => forget(run.ledger, inTwo(data), row, { kernels }));
        const weights = (each: typeof never) =>
          'model' in each ? [JSON.parse(each.model!).weights, JSON.parse(each.model!).bias] : each.code;
        expect(weights(forgotten)).toEqual(weights(never));
        if (held[row]) {
          expect(forgettable(run.ledger, row)).toEqual({ steps: [], unchanged: true, why: 'held-out' });
          expect(weights(forgotten)).toEqual(weights({ model: encodeModel(run.model), report: {} }));
        }
      },
    );
  });

  it('reads the ledger up to the pass of the first update if the order is that of the data', async () => {
    // Noise makes updates in every pass, and most rows make their first one in the first; some do later.
    const random = new Random(9);
    const data = Array.from({ length: 400 }, (): Example => {
      const x = Array.from({ length: 4 }, () => Math.round((random.uniform() - 0.5) * 1000) / 100);
      return { x, y: x[0]! + x[1]! - x[2]! + 3 * (random.uniform() - 0.5) > 0 ? 1 : -1 };
    });
    const options: RunOptions = { rule: 'perceptron', passes: 12, kernels };
    const { ledger } = await recorded(inTwo(data), options);
    const { updates } = ledger;
    const firstPass = data.map((_, row) => {
      const [step] = stepsOfRow(ledger, row);
      return step === undefined ? Infinity : updates.passOf(step - 1);
    });
    const late = firstPass.findIndex((pass) => pass > 5 && pass < 12);
    const never = firstPass.indexOf(Infinity);
    expect(late, 'the data have a row that is late').toBeGreaterThan(-1);
    expect(never, 'and one that is always right').toBeGreaterThan(-1);
    const updatesBefore = (pass: number) => updates.rangeOf(pass)[0] - updates.rangeOf(2)[0];
    expect((await forget(ledger, inTwo(data), late, { kernels })).followed).toBe(updatesBefore(firstPass[late]!));
    expect((await forget(ledger, inTwo(data), never, { kernels })).followed).toBe(updatesBefore(12));
    expect(forgettable(ledger, never)).toEqual({ steps: [], unchanged: true, why: 'no-update' });
    expect(forgettable(ledger, late)).toMatchObject({ unchanged: false, why: 'updates' });
    const averaged = await recorded(inTwo(data), { ...options, rule: 'averaged' });
    expect(forgettable(averaged.ledger, never)).toMatchObject({ unchanged: false, why: 'mean' });
    const shuffled = await recorded(inTwo(data), { ...options, order: 'shuffled' });
    const unmoved = data.findIndex((_, row) => stepsOfRow(shuffled.ledger, row).length === 0);
    expect(forgettable(shuffled.ledger, unmoved)).toMatchObject({ unchanged: false, why: 'order' });
  });

  it('is refused for unknown rows, other data, and a cut ledger', async () => {
    const data: Example[] = [
      { x: [1], y: 1 },
      { x: [-1], y: -1 },
      { x: [2], y: 1 },
    ];
    const { ledger, bytes } = await recorded(inTwo(data), { rule: 'perceptron', kernels });
    for (const row of [-1, 3, 0.5])
      await expect(forget(ledger, inTwo(data), row)).rejects.toThrow(
        `row must be the number of an example, in [0, 3); got ${row}`,
      );
    const others = [
      { x: [1], y: 1 },
      { x: [-1.5], y: -1 },
      { x: [2], y: 1 },
    ] as const;
    await expect(forget(ledger, inTwo(others), 2)).rejects.toThrow('expected the 3 examples of the ledger');
    const cut = await read(bytes.subarray(0, bytes.length - 1), { partial: true });
    await expect(forget(cut, inTwo(data), 0)).rejects.toThrow('expected a whole ledger to forget a row');
  });
});
