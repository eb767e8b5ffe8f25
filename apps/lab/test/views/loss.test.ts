import { denseBatch, objective } from 'halfspace/rules';
import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { snapshot } from '../../src/engine/recording.ts';
import type { Spot } from '../../src/picture/picture.ts';
import { lossGrid } from '../../src/views/loss/grid.ts';
import { loss } from '../../src/views/loss/loss.ts';
import { type LossId, losses, ownLoss } from '../../src/views/loss/losses.ts';
import { sliceOf } from '../../src/views/loss/slice.ts';
import { surfaceBox, surfaceOf, weightPlane } from '../../src/views/loss/surface.ts';
import type { Scene } from '../../src/views/view.ts';
import { atStep, cars, choosing, clouds, desk, makeScene, marked, points, theMark } from '../support/make-scene.ts';

const naive: Readonly<Record<string, (m: number) => number>> = {
  perceptron: (m) => (m < 0 ? -m : 0),
  hinge: (m) => (m < 1 ? 1 - m : 0),
  logistic: (m) => Math.log(1 + Math.exp(-m)),
};

/** The mean loss over the drawn examples of the weights and bias given, from the definition. */
function naiveMean(id: string, { examples, recording }: Scene, weights: ArrayLike<number>, bias: number): number {
  let sum = 0;
  examples.shown.forEach((row, k) => {
    let score = bias * recording.biasConstant;
    for (let j = 0; j < examples.dimension; j++)
      score += (weights[j]! * examples.vectors[k * examples.dimension + j]!) / recording.divisor;
    const y = examples.labels[row]!;
    if (id !== 'zero-one') sum += naive[id]!(y * score);
    else sum += (score === 0 ? recording.tie : Math.sign(score)) === y ? 0 : 1;
  });
  return sum / examples.shown.length;
}

describe('the losses of one example', () => {
  it('are drawn as they are defined', async () => {
    const scene = await makeScene(clouds(20, 0.6), { passes: 4 });
    const picture = loss.draw(scene, desk);
    // The 0–1 loss goes from 1 to 0 at the margin 0: that gives the scales.
    const [, top, foot] = theMark(picture, 'path', 'loss zero-one').spots;
    const hinge = theMark(picture, 'path', 'loss hinge').spots;
    const perUnitY = foot![1] - top![1];
    const knee = hinge.find(([, y]) => Math.abs(y - foot![1]) < 1e-9)!;
    const perUnitX = knee[0] - foot![0];
    expect(perUnitY).toBeGreaterThan(10);
    for (const id of ['perceptron', 'hinge', 'logistic'])
      for (const [x, y] of theMark(picture, 'path', `loss ${id}`).spots.slice(2))
        expect((foot![1] - y) / perUnitY).toBeCloseTo(naive[id]!((x - foot![0]) / perUnitX), 1);
  });

  it('come with their means over the drawn examples, which are those of the library’s objective', async () => {
    const scene = await makeScene(cars(), { as: null, rule: 'sgd', options: { loss: 'logistic' }, passes: 3 });
    const { weights, bias } = scene.moment.present!;
    const { examples } = scene;
    const rows = Array.from(examples.shown, (_, k) =>
      examples.vectors.subarray(k * examples.dimension, (k + 1) * examples.dimension),
    );
    const batch = denseBatch(
      rows,
      Array.from(examples.shown, (row) => examples.labels[row]!),
    );
    const scores = rows.map((x) => bias + x.reduce((sum, value, j) => sum + value * weights[j]!, 0));
    const picture = loss.draw(scene, desk);
    for (const id of ['perceptron', 'hinge', 'logistic'] as const) {
      const drawn = Number(theMark(picture, 'text', `mean ${id}`).text);
      const own = objective([{ batch, scores }], { weights, bias }, { loss: id, alpha: 0, l1Ratio: 0 });
      expect(drawn / own).toBeCloseTo(1, 2);
    }
    expect(ownLoss(scene.recording)).toBe('logistic');
  });

  it('move with the example that is shown, whose margin grows at an update of the blog’s perceptron by ‖x‖² + 1', async () => {
    const scene = await makeScene(clouds(20, 0.3), { passes: 10 });
    const { recording, examples } = scene;
    for (const step of recording.updates.slice(0, 20)) {
      const { moment } = atStep(scene, step);
      const x = examples.vectors.subarray(moment.row * 2, moment.row * 2 + 2);
      const text = loss.describe(atStep(scene, step));
      const [after, before] = text
        .match(/has the margin ([−\d.,e]+), ([−\d.,e]+) before/)!
        .slice(1)
        .map((number) => Number(number.replace('−', '-').replace(',', '')));
      expect(Math.abs(after! - before! - (x[0]! ** 2 + x[1]! ** 2 + 1))).toBeLessThan(0.02 * (1 + Math.abs(before!)));
    }
  });

  it('count the examples beyond the window instead of leaving them out', async () => {
    const scene = await makeScene(clouds(60, 1.5), { passes: 5 });
    const picture = loss.draw(scene, desk);
    const inside = picture.marks.filter(({ id }) => id?.startsWith('example ')).length;
    const beyond = picture.marks
      .flatMap((mark) =>
        mark.kind === 'text' && /[‹›]/.test(mark.text) ? [Number(mark.text.replace(/[^\d]/g, ''))] : [],
      )
      .reduce((sum, count) => sum + count, 0);
    expect(beyond).toBeGreaterThan(0);
    expect(inside + beyond).toBe(60);
  });
});

describe('along the last update', () => {
  it.each(['perceptron', 'averaged', 'passive-aggressive', 'sgd'] as const)(
    'means of %s are those of the weights between',
    async (rule) => {
      const end = await makeScene(cars(), { as: null, rule, passes: 2 });
      for (const update of [1, 2, 7]) {
        const scene = atStep(end, end.recording.updates[update - 1]!);
        const slice = sliceOf(scene)!;
        const [before, after] = [scene.moment.before!, scene.moment.present!];
        expect(slice.step).toBe(scene.moment.step);
        slice.t.forEach((t, k) => {
          const weights = before.weights.map((w, j) => w + t * (after.weights[j]! - w));
          const bias = before.bias + t * (after.bias - before.bias);
          for (const id of ['perceptron', 'hinge', 'logistic'] as const)
            expect(slice.means.get(id)![k]).toBeCloseTo(naiveMean(id, scene, weights, bias), 8);
        });
        expect(slice.after.get('zero-one')).toBe(naiveMean('zero-one', scene, after.weights, after.bias));
      }
    },
  );

  it('is the first update before there was one, and the last one between two', async () => {
    const scene = await makeScene(clouds(20, 0.5), { passes: 3 });
    const [first, second] = scene.recording.updates;
    expect(sliceOf(atStep(scene, 0))!.step).toBe(first);
    expect(sliceOf(atStep(scene, second! - 1))!.step).toBe(first);
    expect(sliceOf(atStep(scene, second!))!.step).toBe(second);
  });
});

describe('over two weights', () => {
  it('a grid is the mean loss at the middle of each cell', () => {
    const number = fc.double({ min: -50, max: 50, noNaN: true });
    const example = fc.record({ a: number, p: number, q: number, y: fc.constantFrom(-1, 1) });
    forAll(fc.array(example, { minLength: 1, maxLength: 12 }), fc.constantFrom(...losses), (list, { id }) => {
      const [columns, rows] = [7, 5];
      const values = lossGrid({
        loss: { id: id as 'hinge' },
        scores: Float64Array.from(list, ({ a }) => a),
        p: Float64Array.from(list, ({ p }) => p),
        q: Float64Array.from(list, ({ q }) => q),
        labels: Int8Array.from(list, ({ y }) => y),
        tie: -1,
        from: [-2, -1],
        to: [3, 4],
        columns,
        rows,
      });
      for (let r = 0; r < rows; r++)
        for (let c = 0; c < columns; c++) {
          const [u, v] = [-2 + ((c + 0.5) * 5) / columns, -1 + ((r + 0.5) * 5) / rows];
          const margins = list.map(({ a, p, q, y }) => y * (a + u * p + v * q));
          // On the boundary itself rounding decides which side a cell is.
          if (margins.some((m) => Math.abs(m) < 1e-9)) continue;
          const each = margins.map((m) => (id === 'zero-one' ? Number(m < 0) : naive[id]!(m)));
          const mean = each.reduce((sum, value) => sum + value, 0) / list.length;
          expect(Math.abs(values[r * columns + c]! - mean)).toBeLessThan(id === 'logistic' ? 3e-6 : 1e-9);
        }
    });
  });

  it.each([
    ['points of a plane', clouds(30, 0.5), {}],
    ['points of a line', points(1, [-2, -1], [-1, 1], [0.5, -1], [2, 1]), { passes: 6 }],
    ['a rescaled run', clouds(30, 0.5), { as: 'cs4780', passes: 5 }],
    ['a table', cars(), { passes: 3 }],
  ] as const)('of %s the surface passes through the mean loss of the weights', async (_, data, algorithm) => {
    const scene = await makeScene(data, algorithm);
    const plane = weightPlane(scene);
    const { from, to } = surfaceBox(scene.recording, plane);
    const line = scene.moment.present!;
    for (const { id } of losses) {
      const of = { ...losses.find((each) => each.id === id)!, id: id as Extract<LossId, 'hinge'> };
      const { values } = surfaceOf(scene, of);
      const size = Math.sqrt(values.length);
      for (const [c, r] of [
        [3, 5],
        [size - 1, 0],
        [size >> 1, size >> 1],
      ] as const) {
        const u = from[0] + ((c + 0.5) * (to[0] - from[0])) / size;
        const v = from[1] + ((r + 0.5) * (to[1] - from[1])) / size;
        const weights = line.weights.slice();
        weights[plane.horizontal] = u;
        if (plane.vertical !== null) weights[plane.vertical] = v;
        const mean = naiveMean(id, scene, weights, plane.vertical === null ? v : line.bias);
        expect(values[r * size + c]).toBeCloseTo(mean, id === 'logistic' ? 5 : 8);
      }
    }
  });

  it('the way goes through the snapshots of the run, to the present one', async () => {
    const end = await makeScene(clouds(30, 0.4), { passes: 3 });
    const middle = choosing(atStep(end, end.recording.updates[5]!), 'loss', 'surface-hinge');
    const picture = loss.draw(middle, desk);
    const { spots } = theMark(picture, 'path', 'path');
    expect(spots).toHaveLength(7);
    const of = (k: number) => snapshot(end.recording, end.recording.present, k).weights;
    // Equal steps of a weight are equal steps of a picture: any three snapshots stand in proportion.
    const across = (k: number) => (spots[k] as Spot)[0];
    const share = (a: number, b: number, c: number) => (b - a) / (c - a);
    expect(share(across(0), across(2), across(6))).toBeCloseTo(share(of(0)[0]!, of(2)[0]!, of(6)[0]!), 6);
    expect(theMark(picture, 'symbol', 'present').at).toEqual(spots.at(-1));
    expect(marked(picture, 'update')).toHaveLength(1);
  });
});
