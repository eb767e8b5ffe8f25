import { findMaximumMargin } from 'halfspace/margins';
import { denseBatch } from 'halfspace/rules';
import { arraySource } from 'halfspace/runs';
import { describe, expect, it } from 'vitest';
import { defaultAlgorithm } from '../../src/algorithm/algorithm.ts';
import type { Dataset, PointSet } from '../../src/data/dataset.ts';
import { dataPresets, type PresetValues } from '../../src/data/presets.ts';
import { presetDataset, tablePresets } from '../../src/data/table-presets.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { LocalEngine } from '../../src/engine/local-engine.ts';

const make = (id: string, values?: PresetValues): PointSet => dataPresets.find((each) => each.id === id)!.make(values);
const marginOf = ({ dimension, points }: PointSet) => {
  const rows = points.map(({ x, y }) => (dimension === 1 ? [x] : [x, y]));
  return findMaximumMargin(
    arraySource(
      denseBatch(
        rows,
        points.map(({ label }) => label),
      ),
    ),
    { gap: 1e-6 },
  );
};
async function runOf(dataset: Dataset): Promise<{ updates: number; passes: number }> {
  const engine = new LocalEngine();
  await engine.open(dataset);
  const { updates, passes } = await engine.run(defaultAlgorithm, () => {});
  return { updates: updates.length, passes: passes.length };
}
const radiusOf = ({ points }: PointSet) => Math.max(...points.map(({ x, y }) => Math.hypot(x, y)));

describe('presets', () => {
  it.each(dataPresets.map(({ id }) => id))('%s makes the same points for the same values, of both classes', (id) => {
    const { parameters, make: points } = dataPresets.find((each) => each.id === id)!;
    expect(points()).toEqual(points());
    for (const end of ['from', 'to'] as const) {
      const set = points(Object.fromEntries(parameters.map((each) => [each.id, each[end]])));
      expect(new Set(set.points.map(({ label }) => label)).size).toBe(2);
      expect(set.points.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
    }
  });

  it.each([0.1, 0.8, 2])('two clouds have the margin that their slider says: %s', async (margin) => {
    const found = await marginOf(make('separable', { margin, count: 40, seed: 3 }));
    expect(found.separable).toBe(true);
    expect(Math.abs((found.lower! + found.upper!) / 2 - margin)).toBeLessThan(0.002);
  });

  it.each([1, 2, 3, 4])('a gap of a hair’s width takes many times the updates of a wide one: seed %s', async (seed) => {
    const [barely, wide] = [await runOf(make('barely-separable', { seed })), await runOf(make('separable', { seed }))];
    expect(barely.updates).toBeGreaterThan(5 * wide.updates);
  });

  it.each(['xor', 'both-labels', 'moons'])('%s cannot be separated', async (id) => {
    expect((await marginOf(make(id))).separable).not.toBe(true);
  });

  it('one point apart, the point with both labels is what keeps the clouds from being separable', async () => {
    const set = make('both-labels');
    const alone = { ...set, points: set.points.slice(0, -2) };
    expect((await marginOf(alone)).separable).toBe(true);
  });

  it.each([1, 2, 3, 4])(
    'all positives first takes many times the passes of in turn or shuffled: seed %s',
    async (seed) => {
      const [first, inTurn, mixed] = await Promise.all(
        [0, 1, 2].map((order) => runOf(make('positives-first', { order, seed }))),
      );
      expect(first!.passes).toBeGreaterThan(2 * inTurn!.passes);
      expect(first!.passes).toBeGreaterThan(2 * mixed!.passes);
    },
  );

  it('an outlier stretches the radius and leaves the margin', async () => {
    const [near, far] = [make('outlier', { distance: 5 }), make('outlier', { distance: 60 })];
    expect(radiusOf(far)).toBeGreaterThan(8 * radiusOf({ ...near, points: near.points.slice(0, -1) }));
    expect((await marginOf(far)).lower!).toBeCloseTo((await marginOf(near)).lower!, 2);
  });

  it.each([1, 2, 3, 4])(
    'noisy labels make the last line swing on held-out points, not the mean: seed %s',
    async (seed) => {
      const [last, mean] = await Promise.all([runOfNoise('perceptron'), runOfNoise('averaged')]);
      async function runOfNoise(rule: 'perceptron' | 'averaged'): Promise<number> {
        const request = { ...defaultAlgorithm, rule, passes: 12, holdout: 0.25 };
        const own = new LocalEngine();
        await own.open(make('noisy', { seed }));
        await own.run(request);
        // After the first pass, which the mean needs as well.
        const held = (await own.curve(request)).slice(10).map(({ holdout }) => holdout!);
        return Math.max(...held) - Math.min(...held);
      }
      expect(last).toBeGreaterThan(0.2);
      expect(mean).toBeLessThan(0.1);
    },
  );

  it('points on a line are lifted to height 1, in their order', () => {
    const [line, lifted] = [make('line'), make('line', { lifted: 1 })];
    expect([line.dimension, lifted.dimension]).toEqual([1, 2]);
    expect(lifted.points).toEqual(line.points.map((point) => ({ ...point, y: 1 })));
  });
});

/** Rows that tables of this page have at least, where they are not hundreds. */
const small: Readonly<Record<string, number>> = { 'three-clouds': 50, mails: 39 };

describe('tables', () => {
  it.each(tablePresets.map(({ id }) => id))('%s can be learned from', async (id) => {
    const engine = new LocalEngine();
    const examples = await engine.open(await presetDataset(id));
    const recording = await engine.run({ ...defaultAlgorithm, passes: 5 }, () => {});
    expect(examples.rows).toBeGreaterThan(id in small ? small[id]! : 300);
    expect(recording.updates.length).toBeGreaterThan(0);
  });

  it('a line tells Gentoo penguins from the others', async () => {
    const engine: Engine = new LocalEngine();
    await engine.open(await presetDataset('penguins'));
    expect((await engine.verdict(() => {})).kind).toBe('separable');
  });

  it('says what is expected of a name that is none', async () => {
    await expect(presetDataset('flowers')).rejects.toThrow('expected the id of a preset; got "flowers"');
  });
});
