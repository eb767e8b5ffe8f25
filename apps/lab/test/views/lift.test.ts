import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import type { Spot } from '../../src/picture/picture.ts';
import { cutSpace, orthographic, type Point3, planeInBox } from '../../src/picture/space.ts';
import { lift } from '../../src/views/lift/lift.ts';
import { liftedNormal, liftedSpace } from '../../src/views/lift/space.ts';
import type { Scene } from '../../src/views/view.ts';
import { atStep, cars, clouds, desk, makeScene, marked, points, theMark } from '../support/make-scene.ts';

const turned = (scene: Scene, yaw: number, pitch: number): Scene => ({
  ...scene,
  look: { ...scene.look, turn: { yaw, pitch } },
});

describe('from a line to the plane', () => {
  const line = points(1, [-2, -1], [-1, -1], [0.5, -1], [1.5, 1], [2, 1], [3.5, 1]);

  it('the separating point −b/w becomes a line through the origin', async () => {
    const scene = await makeScene(line, { passes: 30 });
    const { weights, bias } = scene.moment.present!;
    const picture = lift.draw(scene, desk);
    const x = (row: number) => (theMark(picture, 'symbol', `example ${row}`).at as Spot)[0];
    // The first and the last example give the scale.
    const scale = (x(5) - x(0)) / 5.5;
    const point = theMark(picture, 'symbol', 'separating point').at;
    expect(-2 + (point[0] - x(0)) / scale).toBeCloseTo(-bias / weights[0]!, 6);
    expect(theMark(picture, 'text', 'separating value').text).toContain(
      Number((-bias / weights[0]!).toPrecision(3))
        .toString()
        .replace('-', '−'),
    );
    const { from, to } = theMark(picture, 'line', 'lifted');
    const height = theMark(picture, 'symbol', 'example 0').at[1];
    const ground = point[1];
    const at = (y: number) => from[0] + ((y - from[1]) / (to[1] - from[1])) * (to[0] - from[0]);
    expect(-2 + (at(ground) - x(0)) / scale).toBeCloseTo(0, 6);
    expect(at(height)).toBeCloseTo(point[0], 6);
    const arrow = theMark(picture, 'arrow', 'normal');
    const product =
      (arrow.to[0] - arrow.from[0]) * (to[0] - from[0]) + (arrow.to[1] - arrow.from[1]) * (to[1] - from[1]);
    expect(Math.abs(product)).toBeLessThan(1e-6 * Math.hypot(to[0] - from[0], to[1] - from[1]) * 60);
  });

  it('has no line before there are weights', async () => {
    const scene = atStep(await makeScene(line), 0);
    const picture = lift.draw(scene, desk);
    expect(marked(picture, 'lifted')).toEqual([]);
    expect(marked(picture, 'separating point')).toEqual([]);
    expect(lift.handle!(scene)).toBeNull();
  });
});

describe('from the plane to space', () => {
  it.each([
    ['the blog’s run', clouds(30, 1), {}],
    ['a rescaled run', clouds(30, 1), { as: 'cs4780', passes: 20 }],
    ['a table', cars(), { passes: 4 }],
  ] as const)('in %s the plane’s product with a lifted example is its score', async (_, data, algorithm) => {
    const scene = await makeScene(data, algorithm);
    const { examples, recording, moment } = scene;
    const space = liftedSpace(scene);
    const n = liftedNormal(scene, space);
    const [h, v] = space.features;
    const { weights, bias } = moment.present!;
    const d = examples.dimension;
    const count = examples.shown.length;
    for (let k = 0; k < count; k++) {
      let score = bias * recording.biasConstant;
      for (let j = 0; j < d; j++) {
        let value = examples.vectors[k * d + j]!;
        if (j !== h && j !== v) {
          value = 0;
          for (let i = 0; i < count; i++) value += examples.vectors[i * d + j]! / count;
        }
        score += (weights[j]! * value) / recording.divisor;
      }
      const at: Point3 = [
        examples.vectors[k * d + h]! / space.units[0],
        examples.vectors[k * d + v]! / space.units[1],
        space.sheet,
      ];
      expect(n[0] * at[0] + n[1] * at[1] + n[2] * at[2]).toBeCloseTo(score, 8);
    }
  });

  it('seen from above it is the plane again, with the same boundary', async () => {
    const scene = turned(await makeScene(clouds(30, 1)), 0, 90);
    const { examples, moment } = scene;
    const picture = lift.draw(scene, desk);
    const at = (row: number) => theMark(picture, 'symbol', `example ${row}`).at;
    const x = (row: number) => examples.vectors.subarray(2 * row, 2 * row + 2);
    const scale = (at(1)[0] - at(0)[0]) / (x(1)[0]! - x(0)[0]!);
    const back = (spot: Spot) => [x(0)[0]! + (spot[0] - at(0)[0]) / scale, x(0)[1]! - (spot[1] - at(0)[1]) / scale];
    for (let row = 0; row < 30; row++) expect(back(at(row))[1]).toBeCloseTo(x(row)[1]!, 6);
    const { from, to } = theMark(picture, 'line', 'boundary');
    const { weights, bias } = moment.present!;
    for (const end of [from, to]) {
      const [p, q] = back(end);
      expect(weights[0]! * p! + weights[1]! * q! + bias).toBeCloseTo(0, 6);
    }
  });

  it('turns by dragging and by keys, all the way round and from the ground to the top', async () => {
    const scene = await makeScene(clouds(10, 1));
    const handle = lift.handle!(scene)!;
    const { turn } = handle.move(scene.look, 720, 0);
    expect(turn.yaw).toBeCloseTo(35, 9);
    expect(handle.move(scene.look, 300, 1000).turn).toEqual({ yaw: -175, pitch: 90 });
    expect(handle.move(scene.look, 0, -1000).turn.pitch).toBe(0);
    expect(handle.text).toBe('turned by 35°, seen from 25° above');
  });

  it('draws examples on the far side of the plane before its upper part, the others after', async () => {
    const scene = await makeScene(clouds(30, 1.4));
    for (const yaw of [35, -145]) {
      const picture = lift.draw(turned(scene, yaw, 25), desk);
      const places = picture.marks.map(({ id }) => id ?? '');
      const upper = places.indexOf('plane above');
      const space = liftedSpace(scene);
      const n = liftedNormal(scene, space);
      const { towards } = orthographic({ yaw, pitch: 25, centre: [0, 0, 0], middle: [0, 0], scale: 1 });
      const facing = Math.sign(n[0] * towards[0] + n[1] * towards[1] + n[2] * towards[2]);
      scene.examples.labels.forEach((label, row) => {
        // All are separated, so an example's side is its class.
        expect(places.indexOf(`example ${row}`) > upper).toBe(label === facing);
      });
    }
  });
});

describe('space', () => {
  const number = fc.double({ min: -3, max: 3, noNaN: true });

  it('a plane in a box lies in the plane and in the box', () => {
    forAll(fc.tuple(number, number, number), (n) => {
      fc.pre(Math.hypot(...n) > 1e-3);
      const polygon = planeInBox(n, [-1, -2, -0.5], [2, 1, 1.5]);
      expect(polygon.length).toBeGreaterThanOrEqual(3);
      for (const [x, y, z] of polygon) {
        expect(Math.abs(n[0] * x + n[1] * y + n[2] * z)).toBeLessThan(1e-9);
        expect(x > -1 - 1e-9 && x < 2 + 1e-9 && y > -2 - 1e-9 && y < 1 + 1e-9).toBe(true);
        expect(z > -0.5 - 1e-9 && z < 1.5 + 1e-9).toBe(true);
      }
    });
  });

  it('a cut leaves what is on one side, and both cuts meet on the border', () => {
    const square: Point3[] = [
      [0, 0, 1],
      [2, 0, 1],
      [2, 2, 1],
      [0, 2, 1],
    ];
    expect(cutSpace(square, [1, 0, 0], -0.5)).toEqual([
      [0.5, 0, 1],
      [2, 0, 1],
      [2, 2, 1],
      [0.5, 2, 1],
    ]);
    expect(cutSpace(square, [0, 0, -1], 0.5)).toEqual([]);
  });

  it('lengths along the screen stay as they are, and what is higher is drawn higher', () => {
    forAll(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: 0, max: 90, noNaN: true }),
      (yaw, pitch) => {
        const { spot, towards } = orthographic({ yaw, pitch, centre: [0, 0, 0], middle: [100, 100], scale: 10 });
        expect(Math.hypot(...towards)).toBeCloseTo(1, 9);
        // Someone who looks along a direction sees it as a point.
        expect(spot(towards)[0]).toBeCloseTo(100, 6);
        expect(spot(towards)[1]).toBeCloseTo(100, 6);
        expect(spot([0, 0, 1])[1]).toBeLessThanOrEqual(100 + 1e-9);
      },
    );
  });
});
