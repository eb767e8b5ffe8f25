import type { RuleName } from 'halfspace';
import { presets } from 'halfspace/rules';
import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { type Algorithm, defaultAlgorithm } from '../../src/algorithm/algorithm.ts';
import type { Point, PointSet } from '../../src/data/dataset.ts';
import { dataPresets } from '../../src/data/presets.ts';
import { LocalEngine } from '../../src/engine/local-engine.ts';
import { Recorder } from '../../src/engine/recorder.ts';
import { momentAt, type Recording } from '../../src/engine/recording.ts';

const moons = dataPresets.find(({ id }) => id === 'moons')!.make();
const rule = (name: RuleName, change: Partial<Algorithm> = {}): Algorithm => ({
  ...defaultAlgorithm,
  as: null,
  rule: name,
  passes: 3,
  ...change,
});

async function runOf(dataset: PointSet, algorithm: Algorithm): Promise<Recording> {
  const engine = new LocalEngine();
  await engine.open(dataset);
  return engine.run(algorithm);
}

const coordinate = fc.integer({ min: -40, max: 40 }).map((n) => n / 8);
const pointSets = fc
  .array(fc.record({ x: coordinate, y: coordinate, label: fc.constantFrom(-1 as const, 1 as const) }), {
    minLength: 4,
    maxLength: 30,
  })
  .filter((points) => new Set(points.map(({ label }) => label)).size === 2)
  // Columns that tell nothing apart are left out, and then there are fewer weights.
  .filter((points) => new Set(points.map(({ x }) => x)).size > 1 && new Set(points.map(({ y }) => y)).size > 1)
  .map((points): PointSet => ({ kind: 'points', name: 'some', dimension: 2, points }));

/** The perceptron as the lectures write it, which is told which example comes. */
function naive(
  points: readonly Point[],
  recording: Recording,
  { as }: Algorithm,
): { w: number[][]; updates: number[] } {
  const variant = presets[as!];
  const { divisor, biasConstant: c } = recording;
  const z = points.map(({ x, y }) => [c, x / divisor, y / divisor]);
  const first = points[recording.rows[0]!]!;
  let w = variant.start === 'example' ? z[recording.rows[0]!]!.map((value) => first.label * value) : [0, 0, 0];
  const states = [w];
  const updates: number[] = [];
  recording.rows.forEach((row, k) => {
    const label = points[row]!.label;
    const score = w.reduce((sum, each, j) => sum + each * z[row]![j]!, 0);
    const wrong =
      variant.updateWhen === 'at-most-zero'
        ? label * score <= 0
        : variant.updateWhen === 'below-zero'
          ? label * score < 0
          : label !== (score >= 0 ? 1 : -1);
    // The bias is the weight of the constant.
    if (wrong) {
      w = w.map((each, j) => each + label * z[row]![j]!);
      updates.push(k + 1);
    }
    states.push(w);
  });
  return { w: states, updates };
}

describe('a recording', () => {
  it.each(Object.keys(presets) as (keyof typeof presets)[])(
    'of %s has the weights of a naive perceptron at every moment',
    async (as) => {
      const algorithm: Algorithm = { ...defaultAlgorithm, as, passes: 5, seed: 3 };
      await forAllAsync(25, pointSets, async (set) => {
        const recording = await runOf(set, algorithm);
        const oracle = naive(set.points, recording, algorithm);
        // Divided coordinates round, and a score may be 0 by them alone.
        if (recording.divisor === 1) expect([...recording.updates]).toEqual(oracle.updates);
        else if (recording.updates.join() !== oracle.updates.join()) return;
        for (let step = 0; step <= recording.steps; step++) {
          const { present, updated } = momentAt(recording, step);
          const w = [present!.bias, ...present!.weights];
          for (const [j, each] of oracle.w[step]!.entries()) expect(w[j]).toBeCloseTo(each, 9);
          expect(updated).toBe(oracle.updates.includes(step));
        }
        expect(momentAt(recording, 0).row).toBe(-1);
      });
    },
  );

  const algorithms: readonly Algorithm[] = [
    rule('perceptron'),
    rule('averaged'),
    rule('averaged', { order: 'shuffled', holdout: 0.2 }),
    rule('margin', { options: { margin: 0.1 } }),
    rule('passive-aggressive', { options: { aggressiveness: 0.3 } }),
    rule('pocket', { passes: 5 }),
    rule('arow'),
    rule('arow', { options: { average: true } }),
    rule('passive-aggressive', { options: { average: true } }),
    rule('sgd'),
    rule('sgd', { options: { answer: 'last', loss: 'perceptron' } }),
  ];
  it.each(algorithms.map((each) => [each.rule, JSON.stringify(each.options), each] as const))(
    'of %s %s ends with the weights of the model',
    async (_, __, algorithm) => {
      const recording = await runOf(moons, algorithm);
      const { answer, updates } = momentAt(recording, recording.steps);
      const { model } = recording;
      if (model.kind !== 'linear') throw new Error('expected a linear model');
      expect([answer!.bias, ...answer!.weights]).toEqual([model.bias, ...model.weights]);
      expect(updates).toBe(recording.report.updates);
      expect(recording.complete).toBe(true);
    },
  );

  it('answers between the updates of an averaged run with the mean over the examples so far', async () => {
    for (const algorithm of [
      rule('averaged'),
      rule('arow', { options: { average: true } }),
      rule('passive-aggressive', { options: { average: true } }),
    ]) {
      const recording = await runOf(moons, algorithm);
      const sum = [0, 0, 0];
      for (let step = 1; step < recording.steps; step++) {
        const { present, answer } = momentAt(recording, step);
        [present!.bias, ...present!.weights].forEach((each, j) => {
          sum[j]! += each;
        });
        for (const [j, each] of [answer!.bias, ...answer!.weights].entries())
          expect(each).toBeCloseTo(sum[j]! / step, 8);
      }
    }
  });

  it('of a passive-aggressive run has steps of at most C', async () => {
    const c = 0.3;
    const recording = await runOf(
      moons,
      rule('passive-aggressive', { options: { variant: 'pa-1', aggressiveness: c } }),
    );
    for (const step of recording.updates) {
      const { before, present, row } = momentAt(recording, step);
      const { x, y } = moons.points[row]!;
      const moved = Math.hypot(
        present!.bias - before!.bias,
        present!.weights[0]! - before!.weights[0]!,
        present!.weights[1]! - before!.weights[1]!,
      );
      expect(moved / Math.hypot(1, x, y)).toBeLessThanOrEqual(c * (1 + 1e-9));
    }
  });

  it('of sgd has the weights that steps are taken from, whether their mean answers or they do', async () => {
    const mean = await runOf(moons, rule('sgd'));
    const last = await runOf(moons, rule('sgd', { options: { answer: 'last' } }));
    expect(mean.answer).not.toBeNull();
    expect(last.answer).toBeNull();
    expect(mean.present).toEqual(last.present);
  });

  it('of a pocket run answers with weights that were the present ones once', async () => {
    const recording = await runOf(moons, rule('pocket', { passes: 5 }));
    const had = new Set<string>();
    for (let step = 0; step <= recording.steps; step++) {
      const { present, answer } = momentAt(recording, step);
      had.add([present!.bias, ...present!.weights].join());
      expect(had.has([answer!.bias, ...answer!.weights].join())).toBe(true);
    }
  });

  it('that is cut short says so, and ends where the run ends', async () => {
    const whole = await runOf(moons, rule('perceptron', { passes: 6 }));
    const { train } = await import('halfspace');
    const { readDataset } = await import('../../src/data/read.ts');
    const { encodeExamples, sourceOf } = await import('../../src/engine/encode.ts');
    const encoded = await encodeExamples(await readDataset(moons), { scale: 'none', holdout: 0, seed: 1 });
    const recorder = new Recorder({ dimension: 2, answers: false, mostSteps: 100 });
    const result = await train(sourceOf(encoded), {
      rule: 'perceptron',
      order: 'cyclic',
      passes: 6,
      seed: 1,
      onStep: recorder.step,
      onProgress: recorder.progress,
    });
    const cut = recorder.finish({ result, absorbed: false, start: null });
    expect(cut.modelText).toBe(whole.modelText);
    expect([cut.steps, cut.complete]).toEqual([101, false]);
    expect(cut.skipped!.examples).toBe(whole.steps - 100);
    expect(momentAt(cut, 100).present).toEqual(momentAt(whole, 100).present);
    const [end, wholeEnd] = [momentAt(cut, 101), momentAt(whole, whole.steps)];
    expect(end.present).toEqual(wholeEnd.present);
    expect([end.row, end.updates, end.pass]).toEqual([-1, wholeEnd.updates, wholeEnd.pass]);
  });
});
