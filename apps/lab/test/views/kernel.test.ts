import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { type Algorithm, defaultAlgorithm } from '../../src/algorithm/algorithm.ts';
import type { Dataset } from '../../src/data/dataset.ts';
import { dataPresets } from '../../src/data/presets.ts';
import { companionKey, type Lifted } from '../../src/engine/companion.ts';
import { liftedFeature } from '../../src/engine/lift-maps.ts';
import { LocalEngine } from '../../src/engine/local-engine.ts';
import { momentAt } from '../../src/engine/recording.ts';
import { kernel } from '../../src/views/kernel/kernel.ts';
import { floorGrid, kernelSpace, separatingPlane, zeroPieces } from '../../src/views/kernel/picture.ts';
import type { Scene } from '../../src/views/view.ts';
import { choosing, desk, makeScene, marked, phone, plainLook, points, spotsOf, wall } from '../support/make-scene.ts';

const preset = (id: string) => dataPresets.find((each) => each.id === id)!.make();

async function sceneOf(dataset: Dataset, map: string): Promise<Scene> {
  const engine = new LocalEngine();
  const algorithm: Algorithm = { ...defaultAlgorithm, passes: 60 };
  const examples = await engine.open(dataset);
  const recording = await engine.run(algorithm);
  const empty = { verdict: null, curve: null, surface: null, selected: null };
  const moment = momentAt(recording, 0);
  const scene = choosing({ dataset, algorithm, examples, recording, moment, look: plainLook, ...empty }, 'kernel', map);
  const request = kernel.companion!(scene)!;
  return { ...scene, companions: { [companionKey(request)]: await engine.companion(request) } };
}

describe.each([
  ['xor', 'product'],
  ['circles', 'circle'],
] as const)('the lift of %s by %s', (id, map) => {
  it('begins on the ground: the points rise to their heights, then the plane comes between them', async () => {
    const scene = await sceneOf(preset(id), map);
    const at = { ...scene, step: 1e6 };
    const heights = (entrance: number) => {
      const { marks } = kernel.draw({ ...at, entrance }, desk);
      const spots = marks.flatMap((mark) =>
        mark.kind === 'symbol' && mark.id?.startsWith('example') ? [mark.at] : [],
      );
      const plane = marks.find((mark) => mark.id === 'plane');
      return { up: spots.reduce((sum, [, y]) => sum - y, 0), plane: plane?.opacity ?? 0 };
    };
    const [ground, half, risen, end] = [0, 0.4, 0.75, 1].map(heights);
    expect(half!.up).toBeGreaterThan(ground!.up);
    expect(risen!.up).toBeGreaterThan(half!.up);
    expect(end!.up).toBe(risen!.up);
    expect([ground!.plane, half!.plane]).toEqual([0, 0]);
    expect(end!.plane).toBeGreaterThan(risen!.plane);
    expect(kernel.draw({ ...at, entrance: 1 }, desk)).toEqual(kernel.draw(at, desk));
  });

  it('is learned like any three features, until nothing is wrong', async () => {
    const scene = await sceneOf(preset(id), map);
    const { recording } = Object.values(scene.companions!)[0] as Lifted;
    const { vectors, labels } = scene.examples;
    const w = [0, 0, 0, 0];
    const updates: number[] = [];
    for (let step = 1; step <= recording.steps; step++) {
      const row = recording.rows[step - 1]!;
      const [a, b] = [vectors[2 * row]!, vectors[2 * row + 1]!];
      const x = [1, a, b, liftedFeature(map, a, b)];
      if (labels[row]! * x.reduce((sum, value, j) => sum + value * w[j]!, 0) > 0) continue;
      x.forEach((value, j) => {
        w[j]! += labels[row]! * value;
      });
      updates.push(step);
    }
    expect(Array.from(recording.updates)).toEqual(updates);
    const { present } = momentAt(recording, recording.steps);
    [present!.bias, ...present!.weights].forEach((weight, j) => {
      expect(weight).toBeCloseTo(w[j]!, 9);
    });
    expect(kernel.describe({ ...scene, step: recording.steps })).toContain(', 0 wrong, stopped after');
    for (const step of [0, 1, recording.steps, 1e6])
      for (const frame of [desk, phone, wall])
        for (const turn of [
          { yaw: 35, pitch: 25 },
          { yaw: -120, pitch: 80 },
        ]) {
          const turned = { ...scene, step, look: { ...scene.look, turn } };
          const picture = kernel.draw(turned, frame);
          for (const [x, y] of spotsOf(picture)) {
            expect(x >= 0 && x <= frame.width, `${x}`).toBe(true);
            expect(y >= 0 && y <= frame.height, `${y}`).toBe(true);
          }
          expect(marked(picture, 'surface').length).toBe(18);
        }
  });
});

describe('the plane and its curve', () => {
  const number = fc.integer({ min: -9, max: 9 });

  it('are where the score is 0', async () => {
    const { examples } = await makeScene(preset('circles'), { passes: 1 });
    for (const map of ['product', 'circle'] as const) {
      const space = kernelSpace(examples, map);
      forAll(40, fc.tuple(number, number, number, number), ([a, b, c, bias]) => {
        const line = { weights: Float64Array.of(a, b, c), bias };
        for (const [x, y, z] of separatingPlane(space, line)) {
          const [u, v, h] = [x * space.units[0], y * space.units[1], z * space.units[2]];
          expect(a * u + b * v + c * h + bias).toBeCloseTo(0, 6);
        }
        const grid = floorGrid(space, map, line, 12);
        const cell = (space.to[0] - space.from[0]) * space.units[0];
        for (const piece of zeroPieces(grid))
          for (const [u, v] of piece) {
            // Between two corners the score is nearly straight: it bends by at most c·(cell/12)².
            const score = a * u + b * v + c * liftedFeature(map, u, v) + bias;
            expect(Math.abs(score)).toBeLessThanOrEqual(Math.abs(c) * (cell / 12) ** 2 + 1e-9);
          }
      });
    }
  });

  it('turn by the handle, and need two features', async () => {
    const scene = await sceneOf(preset('xor'), 'product');
    const handle = kernel.handle!(scene)!;
    expect(handle.move(scene.look, 20, 10).turn).toEqual({ yaw: 45, pitch: 30 });
    const line = await makeScene(points(1, [-1, -1], [1, 1]));
    expect(kernel.missing(line)).toContain('two features');
    expect(kernel.companion!(line)).toBeNull();
  });
});
