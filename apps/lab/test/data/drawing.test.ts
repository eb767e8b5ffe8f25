import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import type { Label, PointSet } from '../../src/data/dataset.ts';
import {
  addPoints,
  alternating,
  classFirst,
  countClasses,
  inLoop,
  mostPoints,
  movePoints,
  relabelPoints,
  removePoints,
  reorderPoint,
  shuffled,
  spray,
  toDecimals,
} from '../../src/data/edit.ts';
import { Chance, pointAt } from '../../src/data/generate.ts';

const labels = fc.constantFrom<Label>(-1, 1);
const coordinates = fc.integer({ min: -5000, max: 5000 }).map((k) => k / 1000);
const sets = fc
  .array(fc.record({ x: coordinates, y: coordinates, label: labels }), { minLength: 1, maxLength: 30 })
  .map((points): PointSet => ({ kind: 'points', name: 'any', dimension: 2, points }));
const sorted = ({ points }: PointSet) => points.map(({ x, y, label }) => `${x} ${y} ${label}`).sort();

describe('edits of drawn points', () => {
  it('never change what they were given', () => {
    forAll(sets, (set) => {
      const before = structuredClone(set);
      addPoints(set, [pointAt(1, 2, 1)]);
      removePoints(set, new Set([0]));
      movePoints(set, new Set([0]), ({ x, y }) => ({ x: x + 1, y }));
      relabelPoints(set, new Set([0]), 1);
      reorderPoint(set, 0, set.points.length - 1);
      shuffled(set, 3);
      expect(set).toEqual(before);
    });
  });

  it('that only order keep every point', () => {
    forAll(sets, fc.nat(40), fc.nat(40), (set, a, b) => {
      const [from, to] = [a % set.points.length, b % set.points.length];
      const moved = reorderPoint(set, from, to);
      expect(moved.points[to]).toBe(set.points[from]);
      for (const each of [moved, classFirst(set, 1), alternating(set), shuffled(set, a)])
        expect(sorted(each)).toEqual(sorted(set));
      const { positive } = countClasses(set);
      expect(classFirst(set, 1).points.every(({ label }, k) => label > 0 === k < positive)).toBe(true);
    });
  });

  it('of points on a line leave them on it', () => {
    const set: PointSet = { kind: 'points', name: '', dimension: 1, points: [pointAt(1, 0, 1)] };
    expect(addPoints(set, [pointAt(2, 3, -1)]).points[1]!.y).toBe(0);
    expect(movePoints(set, new Set([0]), () => ({ x: 5, y: 4 })).points[0]).toEqual(pointAt(5, 0, 1));
  });

  it('stop at the most points that are drawn', () => {
    const set: PointSet = { kind: 'points', name: '', dimension: 2, points: [] };
    const chance = new Chance(1);
    const cloud = spray(pointAt(0, 0, 1), { radius: 1, count: mostPoints + 10, decimals: 2, chance });
    expect(addPoints(set, cloud).points).toHaveLength(mostPoints);
    expect(cloud.every(({ x, y }) => Math.hypot(x, y) < 1.01)).toBe(true);
  });
});

describe('a loop around points', () => {
  it('holds what is on the inner side of an odd number of its edges', () => {
    const square = [
      [0, 0],
      [4, 0],
      [4, 4],
      [0, 4],
    ] as const;
    expect(inLoop(square, 1, 3)).toBe(true);
    expect(inLoop(square, 5, 3)).toBe(false);
    const notched = [...square.slice(0, 2), [2, 2], ...square.slice(2)] as const;
    expect(inLoop(notched as never, 3.5, 2)).toBe(false);
  });
});

describe('coordinates', () => {
  it('are rounded to decimals, without a negative zero', () => {
    expect(toDecimals(1.2345, 2)).toBe(1.23);
    expect(toDecimals(1234, -2)).toBe(1200);
    expect(Object.is(toDecimals(-0.0001, 2), 0)).toBe(true);
  });
});

describe('numbers by chance', () => {
  it('are the same for a seed, in their range, and spread out', () => {
    const draw = (seed: number) => {
      const chance = new Chance(seed);
      return Array.from({ length: 4000 }, () => chance.uniform());
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    const numbers = draw(1);
    expect(numbers.every((u) => u >= 0 && u < 1)).toBe(true);
    const tenths = new Array<number>(10).fill(0);
    for (const u of numbers) tenths[Math.floor(10 * u)]!++;
    // 400 expected, deviation 19.
    for (const count of tenths) expect(Math.abs(count - 400)).toBeLessThan(95);
    const chance = new Chance(2);
    const bells = Array.from({ length: 4000 }, () => chance.bell());
    const mean = bells.reduce((a, b) => a + b) / bells.length;
    expect(Math.abs(mean)).toBeLessThan(0.08);
    expect(Math.abs(bells.reduce((a, b) => a + (b - mean) ** 2, 0) / bells.length - 1)).toBeLessThan(0.12);
  });
});
