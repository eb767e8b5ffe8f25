import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../../test/support/properties.ts';
import { arraySource } from '../../src/data/in-memory.ts';
import { ExampleStore } from '../../src/data/store.ts';
import { MarginSearch } from '../../src/margin/maximum-margin.ts';
import { findMaximumMargin } from '../../src/train/find-margin.ts';
import type { Example } from '../oracles/oracle.ts';
import { atLeastMargin, atMostMargin, exact, exactDot, exactLeast, lifted } from '../support/arithmetic.ts';
import { dense, dyadic, example, examplesOf, sparse, xor } from '../support/examples.ts';
import { reference, wasm } from '../support/kernels.ts';
import { knownMargin, marginOf, nearlyDegenerate } from '../support/margins.ts';

const kernels = wasm();

/** Returns whether `lower` is at most the exact margin of the weights; b is the constant's weight if it is absorbed. */
function isProved(lower: number, data: readonly Example[], weights: readonly number[], free: number[] = []): boolean {
  const all = lifted(data).map(({ x, y }) => ({ x: free.length > 0 ? x : x.slice(1), y }));
  const least = exactLeast(all, [...free, ...weights]);
  return lower === 0 || (least > 0n && atMostMargin(lower, least, exactDot(weights, weights)));
}

describe('the largest margin', () => {
  it('through the origin is found where it is known', () => {
    forAll(1000, knownMargin, ({ data, norm, least }) => {
      const found = marginOf(data, kernels, { bias: 'none', gap: 1e-9 });
      const known = least / norm;
      expect(found.separable).toBe(true);
      expect(found.lower).toBeLessThanOrEqual(known * (1 + 1e-15));
      expect(found.upper).toBeGreaterThanOrEqual(known * (1 - 1e-15));
      expect(found.gap).toBeLessThan(1e-9);
      expect(isProved(found.lower, data, [...found.weights])).toBe(true);
    });
  });

  it('has the length of the reported point of the hull', () => {
    forAll(500, knownMargin, fc.boolean(), ({ data }, pairs) => {
      const { nearest, upper, support } = marginOf(data, kernels, { bias: pairs ? 'separate' : 'none' });
      expect(nearest.examples.length).toBe(support);
      const point = data[0]!.x.map(() => 0);
      const totals = new Map<number, number>();
      nearest.examples.forEach((i, k) => {
        const { x, y } = data[i]!;
        expect(nearest.weights[k]).toBeGreaterThan(0);
        totals.set(y, (totals.get(y) ?? 0) + nearest.weights[k]!);
        for (let j = 0; j < x.length; j++) point[j]! += nearest.weights[k]! * y * x[j]!;
      });
      if (pairs) for (const y of [-1, 1]) expect(totals.get(y)).toBeCloseTo(1, 12);
      else expect([...totals.values()].reduce((a, b) => a + b)).toBeCloseTo(1, 12);
      expect(Math.hypot(...point) / (pairs ? 2 : 1) / upper).toBeCloseTo(1, 9);
    });
  });

  it('is between the bounds for margins down to 10⁻¹² of the radius, however close they are', () => {
    forAll(2000, nearlyDegenerate, ({ data, separator, norm, least }) => {
      const { lower, upper, separable, weights } = marginOf(data, kernels, { bias: 'none' });
      // The example that lies opposite another one on the edge makes least/norm the largest margin.
      expect(exactLeast(data, separator)).toBe(exact(least) << 1074n);
      expect(lower).toBeLessThanOrEqual((least / norm) * (1 + 1e-15));
      expect(upper).toBeGreaterThanOrEqual((least / norm) * (1 - 1e-15));
      expect(separable).toBe(lower > 0 ? true : null);
      expect(isProved(lower, data, [...weights])).toBe(true);
      // Doubles tell a point from a plane through others that is nearer than 10⁻⁸ of the radius no more.
      if (least / norm ** 2 >= 2 ** -22) expect(separable).toBe(true);
    });
  });

  it('with a separate bias does not change if all x move, and is at least that of (x, 1)', () => {
    const shift = fc.array(dyadic, { minLength: 6, maxLength: 6 });
    forAll(500, knownMargin, shift, ({ data }, by) => {
      const moved = data.map(({ x, y }) => ({ x: x.map((component, j) => component + by[j]!), y }));
      const [here, there] = [data, moved].map((each) => marginOf(each, kernels, { gap: 1e-9 }));
      expect(there!.lower).toBeLessThanOrEqual(here!.upper * (1 + 1e-9));
      expect(here!.lower).toBeLessThanOrEqual(there!.upper * (1 + 1e-9));
      expect(isProved(there!.lower, moved, [...there!.weights], [there!.bias])).toBe(true);
      const absorbed = marginOf(moved, kernels, { bias: 'absorbed', gap: 1e-9 });
      expect(absorbed.lower).toBeLessThanOrEqual(there!.upper);
    });
  });

  it('of two points is half their distance, or with an absorbed constant that of the plane between (1, x) and −(1, x′)', () => {
    const point = fc.array(dyadic, { minLength: 2, maxLength: 2 });
    forAll(1000, point, point, (a, b) => {
      const distance = Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!);
      fc.pre(distance > 0);
      const data = [example(1, ...a), example(-1, ...b)];
      expect(marginOf(data, kernels).lower / (distance / 2)).toBeCloseTo(1, 12);
      // The distance of the segment from (1, a) to −(1, b) from the origin, by minimising over its one parameter.
      const [u, v] = [
        [1, ...a],
        [-1, ...b.map((component) => -component)],
      ];
      const along = u!.map((component, j) => v![j]! - component);
      const dot = (p: number[], q: number[]) => p.reduce((sum, component, j) => sum + component * q[j]!, 0);
      const at = Math.min(1, Math.max(0, -dot(u!, along) / dot(along, along)));
      const nearest = u!.map((component, j) => component + at * along[j]!);
      const expected = Math.sqrt(dot(nearest, nearest));
      const found = marginOf(data, kernels, { bias: 'absorbed' });
      expect(Math.abs(found.lower - expected)).toBeLessThan(1e-12);
    });
  });

  it('is bounded from both sides on any data: no weights exceed the upper bound', () => {
    forAll(
      2000,
      examplesOf(dyadic, { features: 3 }),
      fc.array(dyadic, { minLength: 4, maxLength: 4 }),
      (data, tried) => {
        const { lower, upper, weights, bias } = marginOf(data, kernels, { bias: 'absorbed' });
        expect(lower).toBeLessThanOrEqual(upper);
        const own = [bias, ...weights];
        expect(isProved(lower, lifted(data), own)).toBe(true);
        const other = tried.slice(0, own.length);
        const least = exactLeast(lifted(data), other);
        if (least > 0n) expect(atLeastMargin(upper, least, exactDot(other, other))).toBe(true);
      },
    );
  });

  it('has the same bits for every kernel, layout and batch size', () => {
    forAll(300, examplesOf(dyadic), fc.integer({ min: 1, max: 5 }), (data, rowsInBatch) => {
      const one = marginOf(data, kernels);
      expect(marginOf(data, reference(), { rowsInBatch })).toEqual(one);
      const store = new ExampleStore(kernels);
      store.append(sparse(data, { zeros: true }));
      const search = new MarginSearch(store, kernels);
      while (search.step());
      expect(search.result()).toEqual(one);
      search.free();
      store.free();
    });
  });

  it('of XOR is at most 10⁻¹⁵, and the four examples contradict each other exactly', () => {
    for (const bias of ['absorbed', 'separate'] as const) {
      const { upper, lower, separable } = marginOf(xor, kernels, { bias });
      expect(upper).toBeLessThan(1e-14);
      expect(lower).toBe(0);
      expect(separable).not.toBe(true);
    }
    // Gordan: a combination with weights ¼ of the y(1, x) is 0, so no weights have a positive product with all of them.
    const sum = [0, 1, 2].map((j) => lifted(xor).reduce((total, { x, y }) => total + (y * x[j]!) / 4, 0));
    expect(sum).toEqual([0, 0, 0]);
  });

  it('is proved to be 0 if an example is in both classes', () => {
    const twice = [example(1, 2, 1), example(-1, 2, 1), example(1, 5, 5)];
    for (const bias of ['absorbed', 'separate', 'none'] as const)
      expect(marginOf(twice, kernels, { bias }), bias).toMatchObject({ separable: false, upper: 0, lower: 0, gap: 0 });
  });

  it('stops at the limit of passes or support vectors, with true bounds', () => {
    const data = Array.from({ length: 400 }, (_, i) => {
      const angle = i * 0.7;
      const y = i % 2 === 0 ? 1 : -1;
      return example(y, 40 * Math.cos(angle), y * (1 + (i % 7)), 40 * Math.sin(angle));
    });
    const short = marginOf(data, kernels, { passes: 2 });
    const whole = marginOf(data, kernels);
    expect(short.passes).toBeLessThanOrEqual(2);
    const few = marginOf(data, kernels, { support: 1 });
    expect(few.passes).toBe(1);
    for (const each of [short, few]) {
      expect(each.lower).toBeLessThanOrEqual(whole.upper);
      expect(each.upper).toBeGreaterThanOrEqual(whole.lower);
    }
    expect(whole.gap).toBeLessThan(1e-6);
  });

  it('refuses options outside their ranges', () => {
    expect(() => marginOf(xor, kernels, { gap: 0 })).toThrow('gap must be in (0, 1); got 0');
    expect(() => marginOf(xor, kernels, { passes: 0.5 })).toThrow('passes must be a whole number from 1; got 0.5');
  });
});

describe('of a source', () => {
  it('is returned with the names of the classes', async () => {
    const found = await findMaximumMargin(arraySource(dense([example(1, 3), example(-1, 1), example(-1, 0)])));
    expect(found.lower).toBeCloseTo(1, 14);
    expect(found.weights[0]! * 2 + found.bias).toBeCloseTo(0, 14);
    expect(found.classes).toHaveLength(2);
  });

  it('stops when the caller stops it', async () => {
    const data = arraySource(dense([example(1, 3), example(-1, 1)]));
    const controller = new AbortController();
    const found = await findMaximumMargin(data, { signal: controller.signal, onProgress: () => controller.abort() });
    expect(found.passes).toBe(1);
    await expect(findMaximumMargin(data, { signal: controller.signal })).rejects.toMatchObject({ code: 'interrupted' });
  });
});

/** Made by reference/margin.py: bounds below and above, by other solvers. */
const { margins } = JSON.parse(readFileSync(join(import.meta.dirname, '../reference/margin.json'), 'utf8')) as {
  margins: Record<string, Record<'machine' | 'separate' | 'absorbed', [number, number]>>;
};
// Third-party data are not part of the repository: where this folder is absent, these tests are skipped.
const folder = resolve(import.meta.dirname, '../../../../../shared/data');

function load(file: string, positive: string): Example[] {
  if (file === 'penguins') {
    const path = join(import.meta.dirname, '../../../../node_modules/vega-datasets/data/penguins.json');
    const rows = JSON.parse(readFileSync(path, 'utf8')) as Record<string, number | string | null>[];
    const columns = ['Beak Length (mm)', 'Beak Depth (mm)', 'Flipper Length (mm)', 'Body Mass (g)'];
    return rows
      .filter((row) => columns.every((column) => row[column] !== null))
      .map((row) => example(row.Species === positive ? 1 : -1, ...columns.map((column) => row[column] as number)));
  }
  const lines = readFileSync(join(folder, file), 'utf8').trim().split('\n');
  if (!file.endsWith('.svm'))
    return lines.map((line) => {
      const cells = line.trim().split(',');
      return example(cells.at(-1) === positive ? 1 : -1, ...cells.slice(0, -1).map(Number));
    });
  return lines.map((line) => {
    const [label, ...cells] = line.trim().split(' ');
    const x = Array<number>(127).fill(0);
    for (const cell of cells) x[Number(cell.split(':')[0])] = Number(cell.split(':')[1]);
    return example(label === positive ? 1 : -1, ...x);
  });
}

describe('on real data (skipped without the shared data)', () => {
  for (const [name, bounds] of Object.entries(margins)) {
    const [file, positive] = name.split(' ') as [string, string];
    const present = file === 'penguins' || existsSync(join(folder, file));
    it.skipIf(!present).each(['separate', 'absorbed'] as const)(
      `agrees with reference solvers to a millionth on ${name} (bias %s)`,
      (bias) => {
        const [below, above] = bounds[bias];
        const data = load(file, positive);
        const found = marginOf(data, kernels, { bias });
        expect(found.gap).toBeLessThan(1e-6);
        // Ours and theirs are two brackets on the same number.
        expect(found.lower).toBeLessThanOrEqual(above * (1 + 1e-12));
        expect(found.upper).toBeGreaterThanOrEqual(below * (1 - 1e-12));
        expect(found.lower / ((below + above) / 2)).toBeCloseTo(1, 6);
        const free = [found.bias];
        const own = bias === 'separate' ? { data, weights: [...found.weights], free } : null;
        if (own !== null) expect(isProved(found.lower, own.data, own.weights, own.free)).toBe(true);
      },
    );
  }

  it.for([
    'banknote_authentication.csv 1',
    'ionosphere.csv g',
    'iris.csv Iris-versicolor',
    'iris.csv Iris-virginica',
    'spambase.csv 1',
    'penguins Adelie',
    'penguins Chinstrap',
  ])('does not find a separator of %s, which linear programming proves inseparable', (name, { skip }) => {
    const [file, positive] = name.split(' ') as [string, string];
    skip(file !== 'penguins' && !existsSync(join(folder, file)), 'without the shared data');
    const data = load(file, positive);
    const radius = Math.sqrt(Math.max(...data.map(({ x }) => x.reduce((sum, each) => sum + each * each, 0))));
    const { lower, upper, separable } = marginOf(data, kernels);
    expect(lower).toBe(0);
    expect(separable).not.toBe(true);
    expect(upper).toBeLessThan(1e-10 * radius);
  });
});
