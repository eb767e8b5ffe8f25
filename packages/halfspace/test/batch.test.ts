import { describe, expect, it } from 'vitest';
import { fc, forAll } from '../../../test/support/properties.ts';
import { denseBatch, sparseBatch, storedValues } from '../src/batch.ts';
import { RadiusTally } from '../src/margin/radius.ts';
import { dyadic } from './support/examples.ts';
import { wasm } from './support/kernels.ts';

const row = { indices: [0, 2], values: [1, 2] };

describe('a dense batch', () => {
  it('copies its rows in row-major order', () => {
    const rows = [
      [1, 2],
      [3, 4],
    ];
    const batch = denseBatch(rows, [1, -1], [0, 2.5]);
    rows[0]![0] = 9;
    expect(batch).toEqual({
      kind: 'dense',
      rows: 2,
      dimension: 2,
      values: Float64Array.of(1, 2, 3, 4),
      labels: Float64Array.of(1, -1),
      importance: Float64Array.of(0, 2.5),
    });
    expect(storedValues(batch)).toBe(4);
  });

  it('may have no rows, or rows without features', () => {
    expect(denseBatch([], [])).toMatchObject({ rows: 0, dimension: 0 });
    expect(denseBatch([[], []], [1, 1])).toMatchObject({ rows: 2, dimension: 0 });
  });

  it.each([
    [
      'rows of unequal length',
      () => denseBatch([[1], [1, 2]], [1, 1]),
      'row-malformed',
      'row 2: expected 1 values; got 2',
    ],
    ['NaN', () => denseBatch([[Number.NaN]], [1]), 'number-invalid', 'row 1: expected a finite number; got NaN'],
    [
      'infinities',
      () => denseBatch([[1], [-Infinity]], [1, 1]),
      'number-invalid',
      'row 2: expected a finite number; got -Infinity',
    ],
    ['too few labels', () => denseBatch([[1]], []), 'label-missing', 'expected 1 labels, one per row; got 0'],
    [
      'a label of 0',
      () => denseBatch([[1], [1]], [1, 0]),
      'label-missing',
      'row 2: expected a label of -1 or 1; got 0',
    ],
    ['too many weights', () => denseBatch([[1]], [1], [1, 1]), 'row-malformed', 'expected 1 importance weights; got 2'],
    [
      'a negative weight',
      () => denseBatch([[1]], [1], [-1]),
      'number-invalid',
      'row 1: expected an importance weight in [0, ∞); got -1',
    ],
    [
      'an infinite weight',
      () => denseBatch([[1]], [1], [Infinity]),
      'number-invalid',
      'row 1: expected an importance weight in [0, ∞); got Infinity',
    ],
  ])('refuses %s', (_, make, code, message) => {
    expect(make).toThrow(expect.objectContaining({ code, message }));
  });
});

describe('a sparse batch', () => {
  it('copies its rows in compressed form, in the given order', () => {
    const batch = sparseBatch([row, { indices: [], values: [] }, { indices: [5, 1], values: [3, 4] }], [1, 1, -1]);
    expect(batch).toEqual({
      kind: 'sparse',
      rows: 3,
      dimension: 6,
      offsets: Uint32Array.of(0, 2, 2, 4),
      indices: Uint32Array.of(0, 2, 5, 1),
      values: Float64Array.of(1, 2, 3, 4),
      labels: Float64Array.of(1, 1, -1),
      importance: null,
    });
    expect(storedValues(batch)).toBe(4);
  });

  it('adds up values of an index that is repeated in a row', () => {
    const repeated = { indices: [7, 3, 7, 7, 3], values: [1, 2, 4, 8, 16] };
    const batch = sparseBatch([row, repeated, row], [1, -1, 1]);
    expect([...batch.offsets]).toEqual([0, 2, 4, 6]);
    expect([...batch.indices]).toEqual([0, 2, 7, 3, 0, 2]);
    expect([...batch.values]).toEqual([1, 2, 13, 18, 1, 2]);
  });

  it('has the radius of the same dense rows if indices repeat in a row', () => {
    const entries = fc.array(fc.tuple(fc.nat(5), dyadic), { maxLength: 12 });
    const kernels = wasm();
    forAll(fc.array(entries, { minLength: 1, maxLength: 5 }), (rows) => {
      const dense = rows.map((entries) => {
        const x = Array(6).fill(0);
        for (const [index, value] of entries) x[index] += value;
        return x;
      });
      const sparse = rows.map((entries) => ({
        indices: entries.map(([index]) => index),
        values: entries.map(([, value]) => value),
      }));
      const labels = rows.map(() => 1);
      const radii = [denseBatch(dense, labels), sparseBatch(sparse, labels)].map((batch) => {
        const tally = new RadiusTally(kernels);
        tally.add(batch);
        return tally.radius();
      });
      expect(radii[1]).toBe(radii[0]);
    });
  });

  it.each([
    [
      'fewer values than indices',
      () => sparseBatch([row, { indices: [1], values: [] }], [1, 1]),
      'row-malformed',
      'row 2: expected as many values as indices; got 0 values and 1 indices',
    ],
    [
      'a negative index',
      () => sparseBatch([{ indices: [-1], values: [1] }], [1]),
      'index-invalid',
      'row 1: expected a feature index in [0, 4294967294]; got -1',
    ],
    [
      'a fractional index',
      () => sparseBatch([{ indices: [0.5], values: [1] }], [1]),
      'index-invalid',
      'row 1: expected a feature index in [0, 4294967294]; got 0.5',
    ],
    [
      'an index for which there is no dimension',
      () => sparseBatch([{ indices: [4294967295], values: [1] }], [1]),
      'index-invalid',
      'row 1: expected a feature index in [0, 4294967294]; got 4294967295',
    ],
    [
      'NaN',
      () => sparseBatch([row, { indices: [0], values: [Number.NaN] }], [1, 1]),
      'number-invalid',
      'row 2: expected a finite number; got NaN',
    ],
    [
      'values whose sum is not finite',
      () => sparseBatch([{ indices: [1, 1], values: [1.7e308, 1.7e308] }], [1]),
      'number-invalid',
      'row 1: expected a finite number; got Infinity',
    ],
    ['labels that are missing', () => sparseBatch([row], []), 'label-missing', 'expected 1 labels, one per row; got 0'],
  ])('refuses %s', (_, make, code, message) => {
    expect(make).toThrow(expect.objectContaining({ code, message }));
  });
});
