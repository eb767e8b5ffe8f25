import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import type { Dataset, Point } from '../../src/data/dataset.ts';
import { vectorAt } from '../../src/engine/examples.ts';
import { scoreOf } from '../../src/engine/recording.ts';
import type { Spot } from '../../src/picture/picture.ts';
import { countsAt, passCounts } from '../../src/views/mistakes/counts.ts';
import { chainAt } from '../../src/views/mistakes/dual-sum.ts';
import { mistakes } from '../../src/views/mistakes/mistakes.ts';
import { neuron } from '../../src/views/neuron/neuron.ts';
import { lineOf, neuronOf } from '../../src/views/neuron/parts.ts';
import { groundOf, tieNote, wrongCount } from '../../src/views/plane/plane.ts';
import { runPath } from '../../src/views/run-path.ts';
import type { Scene } from '../../src/views/view.ts';
import { feasibleRegion, presentOf, weightAxes } from '../../src/views/weights/marks.ts';
import { componentsOf, constraintsOf } from '../../src/views/weights/plane.ts';
import { weights } from '../../src/views/weights/weights.ts';
import { atStep as at, choosing, pointSet, sceneOf } from '../support/make-scene.ts';

const frame = { width: 420, height: 340, text: 15 };

const points: readonly Point[] = [
  { x: 2, y: 1, label: 1 },
  { x: 1, y: 3, label: 1 },
  { x: 0.5, y: 1.5, label: -1 },
  { x: -1, y: -0.25, label: -1 },
  { x: 1.5, y: 0.25, label: 1 },
  { x: -2, y: 2, label: -1 },
];
const line: readonly Point[] = points.map((point) => ({ ...point, y: 0 }));

/** A table with so many features, of seeded numbers, labelled by a plane. */
function wideTable(features: number, rows: number): Dataset {
  let state = 7;
  const next = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647 - 0.5;
  };
  const lines = Array.from({ length: rows }, () => {
    const x = Array.from({ length: features }, () => Number(next().toFixed(3)));
    return [...x, x.reduce((sum, value, j) => sum + value * ((j % 5) - 2), 0.05) > 0 ? 'yes' : 'no'].join(',');
  });
  const text = [[...Array.from({ length: features }, (_, j) => `f${j}`), 'label'].join(','), ...lines].join('\n');
  return { kind: 'table', name: 'wide.csv', text, label: 'label', positive: 'yes', columns: null, scale: 'none' };
}

const inside = (polygon: readonly Spot[], [x, y]: Spot): boolean => {
  let within = false;
  polygon.forEach(([x1, y1], i) => {
    const [x2, y2] = polygon[(i + 1) % polygon.length]!;
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) within = !within;
  });
  return within;
};

/** y⟨w, z⟩ of a drawn example, summed plainly. */
function slack({ examples, recording }: Scene, k: number, w: ArrayLike<number>): number {
  const x = vectorAt(examples, k);
  let score = w[0]! * recording.biasConstant;
  for (let j = 0; j < x.length; j++) score += w[j + 1]! * (x[j]! / recording.divisor);
  return score * examples.labels[examples.shown[k]!]!;
}

describe('weight space', () => {
  it('counts as right what the plane does not count as wrong, also on the line and at w = 0', async () => {
    const corners = [0, 1].flatMap((x) => [0, 1].map((y): Point => ({ x, y, label: x === y ? 1 : -1 })));
    for (const set of [points, corners]) {
      const run = await sceneOf(pointSet(set), { algorithm: { passes: 6 } });
      for (let step = 0; step <= run.recording.steps; step++) {
        const scene = at(run, step);
        const ground = groundOf(scene, frame)!;
        const [, right, all] = /([0-9]+) of ([0-9]+) drawn examples/.exec(weights.describe(scene))!.map(Number);
        expect(right! + wrongCount(scene, ground)!).toBe(all);
        expect(weights.describe(scene).includes('score of 0')).toBe(tieNote(scene, ground) !== '');
      }
      expect(tieNote(at(run, 0), groundOf(at(run, 0), frame)!)).toBe('A score of 0 counts as negative.');
    }
  });

  it('shades exactly the weights that are right about every example, in every section and for every lecture', async () => {
    for (const [dataset, as] of [
      [pointSet(points), 'blog'],
      [pointSet(points), 'cs4780'],
      [pointSet(line, 1), 'lecture-9'],
      [wideTable(5, 40), 'blog'],
    ] as const)
      for (const choice of ['w1w2', 'w1b', 'w2b']) {
        const run = await sceneOf(dataset, { algorithm: { as, passes: 30 } });
        for (const step of [1, Math.floor(run.recording.steps / 2), run.recording.steps]) {
          const scene = at(run, step);
          const path = runPath(scene)!;
          const components = componentsOf(scene, choice);
          const now = presentOf(path, scene);
          const constraints = constraintsOf(scene, components, now);
          const axes = weightAxes(path, components, frame, 60);
          const { spots } = feasibleRegion(constraints, axes);
          constraints.forEach((constraint, k) => {
            expect(constraint.slack).toBeCloseTo(slack(scene, k, now), 9);
          });
          const [h, v] = components.drawn;
          for (let i = 0; i < 400; i++) {
            const spot: Spot = [
              axes.left + ((i * 0.61803) % 1) * (axes.right - axes.left),
              axes.top + ((i + 0.5) / 400) * (axes.bottom - axes.top),
            ];
            const w = Float64Array.from(now);
            w[h.at] = axes.x.invert(spot[0]);
            w[v.at] = axes.y.invert(spot[1]);
            const least = Math.min(...constraints.map((_, k) => slack(scene, k, w)));
            if (Math.abs(least) > 1e-6) expect(inside(spots, spot), `${as} ${choice} ${step}`).toBe(least > 0);
          }
        }
      }
  });

  it('draws w, its path and the last update where they are', async () => {
    const run = await sceneOf(pointSet(points));
    const scene = at(run, run.recording.updates[2]!);
    const picture = weights.draw(scene, frame);
    const update = picture.marks.find(({ id }) => id === 'update');
    const w = picture.marks.find(({ id }) => id === 'w');
    if (update?.kind !== 'arrow' || w?.kind !== 'symbol') throw new Error('expected an arrow and a symbol');
    expect(update.to).toEqual(w.at);
    // An update moves w along y·x, so straight over the boundary of its example's half-space.
    const x = vectorAt(scene.examples, scene.moment.row);
    const label = scene.examples.labels[scene.moment.row]!;
    const [across, upwards] = [update.to[0] - update.from[0], update.from[1] - update.to[1]];
    expect(Math.sign(across)).toBe(Math.sign(label * x[0]!));
    expect(upwards / across).toBeCloseTo(x[1]! / x[0]!, 9);
    const path = picture.marks.find(({ id }) => id === 'path');
    expect(path?.kind === 'path' && path.spots).toHaveLength(scene.moment.updates + 1);
  });

  it('draws no more lines than can be told apart of 2,000 examples', async () => {
    const many: Point[] = Array.from({ length: 2000 }, (_, i) => {
      const [x, y] = [Math.sin(i * 12.9898) * 4, Math.cos(i * 78.233) * 4];
      return { x, y, label: x + 2 * y > 0.3 ? 1 : -1 };
    });
    const scene = await sceneOf(pointSet(many), { algorithm: { passes: 20 }, verdict: null });
    const { marks } = weights.draw(scene, frame);
    expect(marks.length).toBeLessThan(600);
    expect(mistakes.draw(scene, frame).marks.length).toBeLessThan(1000);
  });

  it('says what to choose where there are no weights', async () => {
    for (const rule of ['kernel', 'tree'] as const) {
      const scene = await sceneOf(pointSet(points), { algorithm: { as: null, rule }, verdict: null });
      for (const view of [weights, neuron]) expect(view.missing(scene), view.id).toMatch(/choose/);
    }
  });
});

describe('mistakes', () => {
  it('of each example and each pass are the updates that were made, and their sum of y·x is w', async () => {
    const label = fc.constantFrom<-1 | 1>(-1, 1);
    const coordinate = fc.integer({ min: -20, max: 20 }).map((n) => n / 4);
    const data = fc
      .array(fc.record({ x: coordinate, y: coordinate, label }), { minLength: 3, maxLength: 12 })
      .filter((all) => new Set(all.map((each) => each.label)).size === 2);
    await forAllAsync(
      40,
      data,
      fc.constantFrom('lecture-9', 'cs4780', 'foda', 'blog', 'slides'),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (all, as, share) => {
        const run = await sceneOf(pointSet(all), { algorithm: { as, passes: 12 }, verdict: null });
        const scene = at(run, Math.max(1, Math.round(share * run.recording.steps)));
        const { recording, moment } = scene;
        const counts = countsAt(scene, moment.step);
        const naive = all.map(
          (_, row) =>
            [...recording.updates].filter((step) => step <= moment.step && recording.rows[step - 1] === row).length,
        );
        expect(Array.from(counts)).toEqual(naive);
        const passes = passCounts(scene, moment.step);
        expect(passes.reduce((sum, n) => sum + n, 0)).toBe(moment.updates);
        expect(Array.from(passCounts(scene))).toEqual(recording.report.updatesPerPass);
        const links = chainAt(scene, componentsOf(scene), counts);
        const [u, v] = links.at(-1)?.to ?? [0, 0];
        if (moment.updates === 0 && as !== 'foda') return;
        expect(u).toBeCloseTo(moment.present!.weights[0]!, 9);
        expect(v).toBeCloseTo(moment.present!.weights[1]!, 9);
      },
    );
  });

  it('are drawn as bars as high as they are, beside those of the whole run', async () => {
    const run = await sceneOf(pointSet(points), { algorithm: { passes: 50 } });
    const scene = at(run, Math.floor(run.recording.steps / 2));
    const counts = countsAt(scene, scene.moment.step);
    const { marks } = mistakes.draw(scene, frame);
    const heights = points.map((_, row) => {
      const bar = marks.find(({ id }) => id === `mistakes of ${row}`);
      return bar?.kind === 'path' ? bar.spots[0]![1] - bar.spots[1]![1] : 0;
    });
    const unit = Math.max(...heights) / Math.max(...counts);
    heights.forEach((height, row) => {
      expect(height).toBeCloseTo(unit * counts[row]!, 6);
    });
  });

  it('of the voted perceptron and the kernel perceptron are counted too, and a tree has none', async () => {
    for (const rule of ['voted', 'kernel'] as const) {
      const scene = await sceneOf(pointSet(points), { algorithm: { as: null, rule }, verdict: null });
      expect(mistakes.missing(scene)).toBeNull();
      expect(countsAt(scene, scene.moment.step).reduce((sum, n) => sum + n, 0)).toBe(scene.moment.updates);
    }
    const kernel = await sceneOf(pointSet(points), { algorithm: { as: null, rule: 'kernel' }, verdict: null });
    expect(mistakes.missing(choosing(kernel, 'mistakes', 'sum'))).toMatch(/choose/);
    const tree = await sceneOf(pointSet(points), { algorithm: { as: null, rule: 'tree' }, verdict: null });
    expect(mistakes.missing(tree)).toMatch(/choose/);
  });
});

describe('the neuron', () => {
  it('adds up its inputs to the score of the library, with the bias inside or as a threshold', async () => {
    for (const as of ['blog', 'cs4780', 'lecture-9', 'slides'] as const) {
      const scene = at(await sceneOf(pointSet(points), { algorithm: { as } }), 4);
      const now = lineOf(scene, 'now')!;
      const unit = neuronOf(scene, now)!;
      const score = scoreOf(now, vectorAt(scene.examples, unit.row), scene.recording);
      expect(unit.row).toBe(scene.moment.row);
      expect(unit.score).toBeCloseTo(score, 12);
      expect(unit.inputs).toHaveLength(scene.recording.absorbed ? 3 : 2);
      if (!scene.recording.absorbed) expect(unit.threshold).toBeCloseTo(-now.bias, 12);
      expect(unit.answer).toBe(score === 0 ? scene.recording.tie : Math.sign(score));
    }
  });

  it('of many features names the strongest, and adds the rest as one', async () => {
    const scene = await sceneOf(wideTable(40, 30), { verdict: null });
    const unit = neuronOf(scene, lineOf(scene, 'now')!)!;
    expect(unit.inputs).toHaveLength(12);
    expect(unit.inputs.at(-1)!.name).toBe('29 others');
    const x = vectorAt(scene.examples, unit.row);
    const products = Array.from(scene.moment.present!.weights, (w, j) => w * x[j]!);
    const strongest = products.map(Math.abs).sort((a, b) => b - a)[10]!;
    for (const { product, value } of unit.inputs)
      if (value !== null) expect(Math.abs(product)).toBeGreaterThanOrEqual(strongest);
    expect(unit.sum).toBeCloseTo(
      products.reduce((sum, product) => sum + product, 0),
      9,
    );
    expect(neuron.draw(scene, frame).marks.filter(({ id }) => id?.startsWith('stroke '))).toHaveLength(12);
  });

  it('looks at the example that is chosen, and at the first before any is shown', async () => {
    const run = await sceneOf(pointSet(points));
    const start = at(run, 0);
    expect(neuronOf(start, lineOf(start, 'now')!)!.row).toBe(0);
    expect(neuronOf({ ...run, selected: 3 }, lineOf(run, 'now')!)!.row).toBe(3);
    const updated = at(run, run.recording.updates[1]!);
    const [before, now] = ['before', 'now'].map((choice) => neuronOf(updated, lineOf(updated, choice)!)!);
    const { label } = before!;
    expect(label * before!.score).toBeLessThanOrEqual(0);
    // The slides: an update makes the activation grow by ‖x‖² + 1.
    const x = vectorAt(updated.examples, updated.moment.row);
    expect(label * (now!.score - before!.score)).toBeCloseTo(x[0]! ** 2 + x[1]! ** 2 + 1, 9);
  });
});
