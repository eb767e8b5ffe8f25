import { describe, expect, it } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { type ArraysOptions, arrays } from '../../src/data/arrays.ts';
import type { Label } from '../../src/data/label.ts';
import type { DenseArray, NestedRows, SparseTriples } from '../../src/data/matrix.ts';
import { BatchView, forEachNonzero } from '../../src/kernels/batch-view.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { encodeModel } from '../../src/model/encode.ts';
import { evaluate } from '../../src/model/judge.ts';
import { Predictor } from '../../src/model/predictor.ts';
import { modelOf } from '../sources/runs.ts';

const kernels = createKernels();
type Matrix = NestedRows | DenseArray | SparseTriples;

const flat = (x: readonly (readonly number[])[]): number[] => x.flatMap((row) => [...row]);

const denseOf = (
  x: readonly (readonly number[])[],
  Numbers: typeof Float64Array | typeof Float32Array,
): DenseArray => ({
  data: Numbers.from(flat(x)),
  shape: [x.length, x[0]!.length],
});

/** The nonzero values of a matrix as triples. */
const triplesOf = (
  x: readonly (readonly number[])[],
): { places: [number, number, number][]; shape: [number, number] } => ({
  places: x.flatMap((row, i) =>
    row.flatMap((value, j): [number, number, number][] => (value === 0 ? [] : [[i, j, value]])),
  ),
  shape: [x.length, x[0]!.length],
});

const sparseOf = (places: readonly (readonly [number, number, number])[], shape: [number, number]): SparseTriples => ({
  rows: places.map(([row]) => row),
  columns: Int32Array.from(places, ([, column]) => column),
  values: places.map(([, , value]) => value),
  shape,
});

/** The labels, and the nonzero values by row, of all batches. */
async function examplesOf(x: Matrix, y: ArrayLike<Label>, options?: ArraysOptions) {
  const source = await arrays(x, y, options).open({ kernels });
  const labels: number[] = [];
  const rows: Map<number, number>[] = [];
  let batches = 0;
  for await (const batch of source.batches()) {
    batches++;
    const view = new BatchView(batch);
    for (let i = 0; i < batch.rows; i++) {
      labels.push(batch.labels[i]!);
      const row = new Map<number, number>();
      forEachNonzero(view, i, (j, value) => row.set(j, value));
      rows.push(row);
    }
  }
  return { labels, rows, batches, classes: source.classes, encoding: source.encoding() };
}

/** A matrix of numbers that are exact as 32-bit floats, with a class for each row; both classes occur. */
const data = fc
  .record({
    rows: fc.integer({ min: 2, max: 12 }),
    columns: fc.integer({ min: 1, max: 9 }),
    value: fc.constant(
      fc.oneof(
        fc.constant(0),
        fc.integer({ min: -40, max: 40 }).map((k) => k / 8),
      ),
    ),
  })
  .chain(({ rows, columns, value }) =>
    fc.record({
      x: fc.array(fc.array(value, { minLength: columns, maxLength: columns }), { minLength: rows, maxLength: rows }),
      y: fc.array(fc.boolean(), { minLength: rows - 2, maxLength: rows - 2 }).map((some) => [true, false, ...some]),
    }),
  );

describe('arrays', () => {
  it('give the same model nested, as typed arrays, and as triples in any order', async () => {
    await forAllAsync(
      data,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 108, maxLength: 108 }),
      async ({ x, y }, keys) => {
        const expected = await modelOf(arrays(x, y));
        const { places, shape } = triplesOf(x);
        const shuffled = places
          .map((place, k) => ({ place, key: keys[k]! }))
          .sort((a, b) => a.key - b.key)
          .map(({ place }) => place);
        const others: Matrix[] = [
          x.map((row) => Float64Array.from(row)),
          x.map((row) => Float32Array.from(row)),
          denseOf(x, Float64Array),
          denseOf(x, Float32Array),
        ];
        for (const other of others) expect(encodeModel(await modelOf(arrays(other, y)))).toBe(encodeModel(expected));
        for (const each of [places, shuffled])
          expect(await modelOf(arrays(sparseOf(each, shape), y))).toEqual({
            ...expected,
            // A dense row stores its zeros too.
            training: { ...expected.training, nonzeros: places.length },
          });
      },
    );
  });

  it('add up the values of triples of the same place', async () => {
    await forAllAsync(data, fc.array(fc.nat(), { maxLength: 20 }), async ({ x, y }, picks) => {
      const { places, shape } = triplesOf(x);
      const more =
        places.length === 0
          ? []
          : picks.map((pick, k): [number, number, number] => {
              const [row, column] = places[pick % places.length]!;
              return [row, column, k + 1];
            });
      const sums = x.map((row) => [...row]);
      for (const [row, column, value] of more) sums[row]![column]! += value;
      const { rows } = await examplesOf(sparseOf([...more, ...places], shape), y);
      sums.forEach((row, i) => {
        row.forEach((value, j) => {
          expect(rows[i]!.get(j) ?? 0).toBe(value);
        });
      });
    });
  });

  it('are read in batches, which do not change the model', async () => {
    const rows = 40_000;
    const x: DenseArray = {
      data: Float64Array.from({ length: rows * 7 }, (_, k) => ((k * 31) % 17) - 8),
      shape: [rows, 7],
    };
    const y = Array.from({ length: rows }, (_, i) => x.data[7 * i]! > 0);
    const { rows: read, batches } = await examplesOf(x, y);
    expect(batches).toBeGreaterThan(2);
    expect(read.length).toBe(rows);
    expect([...read[39_999]!]).toEqual(
      Array.from({ length: 7 }, (_, j) => [j, x.data[39_999 * 7 + j]!]).filter(([, value]) => value !== 0),
    );
    const nested = Array.from({ length: rows }, (_, i) => [...x.data.subarray(7 * i, 7 * i + 7)]);
    const triples = triplesOf(nested);
    const model = await modelOf(arrays(x, y));
    const sparse = await modelOf(arrays(sparseOf(triples.places, [rows, 7]), y));
    expect(sparse).toEqual({ ...model, training: { ...model.training, nonzeros: triples.places.length } });
  });

  it.each([
    [
      [3, 1, 3],
      ['1', '3'],
      [1, -1, 1],
    ],
    [
      [10, 9],
      ['9', '10'],
      [1, -1],
    ],
    [
      [-0, 0.5],
      ['0', '0.5'],
      [-1, 1],
    ],
    [
      [true, false, true],
      ['false', 'true'],
      [1, -1, 1],
    ],
    [
      ['yes', 'no', 'no'],
      ['no', 'yes'],
      [1, -1, -1],
    ],
    [
      ['c', 'a', 'b'],
      ['a', 'b', 'c'],
      [2, 0, 1],
    ],
    [
      [2, 'b'],
      ['2', 'b'],
      [-1, 1],
    ],
  ] as [Label[], string[], number[]][])('have the classes of y in their order: %j', async (y, classes, labels) => {
    const { classes: found, labels: read } = await examplesOf(
      y.map((_, i) => [i]),
      y,
    );
    expect([found, read]).toEqual([classes, labels]);
  });

  it('have other classes, or another order, if asked', async () => {
    const x = [[1], [2], [3]];
    expect(await examplesOf(x, ['a', 'b', 'a'], { classes: ['b', 'a'] })).toMatchObject({
      classes: ['b', 'a'],
      labels: [1, -1, 1],
    });
    expect(await examplesOf(x, ['a', 'b', 'a'], { classes: ['b', 'c', 'a'] })).toMatchObject({
      classes: ['b', 'c', 'a'],
      labels: [2, 0, 2],
    });
    expect(await examplesOf(x, ['a', 'b', 'c'], { positive: 'b' })).toMatchObject({
      classes: ['not b', 'b'],
      labels: [-1, 1, -1],
    });
    expect(await examplesOf(x, [1, 2, 1], { positive: 1 })).toMatchObject({ classes: ['2', '1'], labels: [1, -1, 1] });
    await expect(examplesOf(x, ['a', 'b', 'x'], { classes: ['a', 'b'] })).rejects.toThrow(
      'arrays, row 3: expected "a" or "b"; got "x"',
    );
    await expect(examplesOf(x, ['a', 'b', 'a'], { classes: ['a', 'a'] })).rejects.toMatchObject({
      code: 'label-classes',
    });
    await expect(examplesOf(x, ['a', 'b', 'a'], { positive: 'x' })).rejects.toMatchObject({ code: 'option-invalid' });
  });

  it('count rows as their importance says', async () => {
    const x = [[1], [2], [-1]];
    const weighted = arrays([[9], ...x], [0, 1, 0, 0], { importance: [0, 1, 1, 1] });
    expect((await modelOf(weighted)).training.examples).toBe(3);
    await expect(examplesOf(x, [1, 0, 0], { importance: [1, -1, 1] })).rejects.toThrow(
      'arrays, row 2: expected an importance weight in [0, ∞); got -1',
    );
    await expect(examplesOf(x, [1, 0, 0], { importance: [1] })).rejects.toMatchObject({ code: 'row-malformed' });
  });

  it('are read for a model of as many features, with its classes', async () => {
    const model = await modelOf(
      arrays(
        [
          [1, 0],
          [0, 1],
          [2, 0],
        ],
        ['b', 'a', 'b'],
      ),
    );
    // Only one class, and in another form.
    const { examples, accuracy } = await evaluate(
      model,
      arrays({ data: Float64Array.of(5, 0, 0, 5), shape: [2, 2] }, ['b', 'b']),
    );
    expect([examples, accuracy]).toEqual([2, 0.5]);
    expect(new Predictor(model).predict([5, 0])).toBe('b');
    await expect(evaluate(model, arrays([[1], [2]], ['a', 'b']))).rejects.toThrow(
      'expected rows of 2 numbers, as many as the model has features; got 1',
    );
    await expect(evaluate(model, arrays([[1, 2]], ['c']))).rejects.toThrow(
      "arrays: expected labels of the model's classes, a, b; got only c",
    );
    const rest = await modelOf(arrays([[1], [2], [3]], ['x', 'y', 'z'], { positive: 'y' }));
    expect((await evaluate(rest, arrays([[1], [3]], ['x', 'elsewhere']))).examples).toBe(2);
  });

  it.each([
    [null, [1], 'expected nested arrays, { data, shape } or { rows, columns, values, shape }; got null'],
    [[[1], [1, 2]], [0, 1], 'arrays, row 2: expected 1 values; got 2'],
    [[[1], [Number.NaN]], [0, 1], 'arrays, row 2: expected a finite number; got NaN'],
    [[[1], ['2']], [0, 1], 'arrays, row 2: expected a finite number; got "2"'],
    [[1, 2], [0, 1], 'arrays, row 1: expected a row of numbers; got 1'],
    [[], [], 'arrays: expected rows; got none'],
    [[[1], [2]], [0], 'arrays: expected 2 labels in y, one per row; got 1'],
    [[[1], [2]], null, 'arrays: expected 2 labels in y, one per row; got null'],
    [[[1], [2]], [0, null], 'arrays, row 2: expected a label; got none'],
    [[[1], [2]], [0, Number.NaN], 'arrays, row 2: expected a label; got none'],
    [[[1], [2]], [0, ''], 'arrays, row 2: expected a label; got none'],
    [[[1], [2]], [0, {}], 'arrays, row 2: expected the name of a class; got {}'],
    [[[1], [2]], [1, 1], 'expected two classes; got one, "1" (2)'],
    [{ data: [1, 2], shape: [2, 1] }, [0, 1], 'arrays: expected data as a Float64Array or a Float32Array; got [1,2]'],
    [
      { data: Float64Array.of(1, 2), shape: [2, 2] },
      [0, 1],
      'arrays: expected 2 · 2 numbers in data, as the shape says; got 2',
    ],
    [
      { data: Float64Array.of(1, 2, 3, Infinity), shape: [2, 2] },
      [0, 1],
      'arrays, row 2: expected a finite number; got Infinity',
    ],
    [
      { data: Float64Array.of(1, 2), shape: [2] },
      [0, 1],
      'arrays: expected a shape [rows, columns] of whole numbers; got [2]',
    ],
    [{ data: Float64Array.of(1, 2) }, [0, 1], 'arrays: expected a shape [rows, columns] of whole numbers; got nothing'],
    [
      { rows: [0, 2], columns: [0, 0], values: [1, 2], shape: [2, 1] },
      [0, 1],
      'expected whole numbers in [0, 2) in rows; got 2 at position 1',
    ],
    [
      { rows: [0, 1], columns: [0, -1], values: [1, 2], shape: [2, 1] },
      [0, 1],
      'expected whole numbers in [0, 1) in columns; got -1 at position 1',
    ],
    [
      { rows: [0], columns: [0, 0], values: [1, 2], shape: [2, 1] },
      [0, 1],
      'expected as many rows as values, 2; got 1',
    ],
    [{ rows: [0, 1], values: [1, 2], shape: [2, 1] }, [0, 1], 'expected as many columns as values, 2; got nothing'],
    [
      { rows: [1, 1], columns: [0, 0], values: [1e308, 1e308], shape: [2, 1] },
      [0, 1],
      'arrays, row 2: expected a finite number; got Infinity',
    ],
  ])('are refused with the place: %j, %j', async (x, y, message) => {
    await expect(examplesOf(x as never, y as never)).rejects.toThrow(message);
  });

  it('are checked when they are opened, but options at once', async () => {
    expect(() => arrays([], [], { clases: ['a', 'b'] } as never)).toThrow('expected options that arrays has');
    expect(arrays(null as never, null as never, { name: 'mine' }).name).toBe('mine');
  });
});
