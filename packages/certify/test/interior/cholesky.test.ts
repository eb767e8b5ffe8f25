import { describe, expect, test } from 'vitest';
import { fc, forAll, forAllAsync } from '../../../../test/support/properties.ts';
import { factor, rowAt } from '../../src/interior/cholesky.ts';
import { plainMemory, type TileMemory, tileHeight, tileMemory, tileWidth } from '../../src/interior/dot-tile.ts';

const small = fc.integer({ min: -8, max: 8 });

/** Writes the lower half of Σ vvᵀ − shift·I for some vectors of whole numbers, which doubles hold exactly. */
function fill({ numbers }: TileMemory, size: number, vectors: readonly (readonly number[])[], shift: number): void {
  for (let i = 0; i < size; i++)
    for (let j = 0; j <= i; j++)
      numbers[rowAt(i) + j] = vectors.reduce((sum, v) => sum + v[i]! * v[j]!, i === j ? -shift : 0);
}

/** Vectors of one length; the lengths are those at the ends of tiles and blocks. */
const vectors = fc
  .constantFrom(1, 2, 3, 4, 5, 47, 48, 49, 97)
  .chain((size) =>
    fc.array(fc.array(small, { minLength: size, maxLength: size }), { minLength: 1, maxLength: 2 * size }),
  );

test('a tile has the same bits with and without WebAssembly', () => {
  const length = fc.integer({ min: 1, max: 20 }).map((half) => 2 * half);
  const values = fc.array(fc.double({ min: -4, max: 4, noNaN: true }), { minLength: 400, maxLength: 400 });
  forAll(length, values, fc.infiniteStream(fc.nat(359)), (count, numbers, places) => {
    const take = (rows: number) => Array.from({ length: rows }, () => places.next().value as number);
    const [p, q] = [take(tileHeight), take(tileWidth)];
    const [fast, plain] = [tileMemory, plainMemory].map((make) => {
      const memory = make(400);
      memory.numbers.set(numbers);
      const out = new Float64Array(tileHeight * tileWidth);
      memory.tile(p, q, count, out);
      return out;
    });
    expect(fast).toEqual(plain);
  });
});

describe('the factor of a matrix', () => {
  test('multiplied by itself is the matrix, within the bound', { timeout: 60_000 }, async () => {
    await forAllAsync(40, vectors, async (given) => {
      const size = given[0]!.length;
      const [memory, matrix] = [tileMemory(rowAt(size)), plainMemory(rowAt(size))];
      // Plus 1 on the diagonal, so that it is positive.
      for (const each of [memory, matrix]) fill(each, size, given, -1);
      expect(await factor(memory, size)).toBe(true);
      const [l, a] = [memory.numbers, matrix.numbers];
      for (let i = 0; i < size; i++)
        for (let j = 0; j <= i; j++) {
          let sum = 0;
          for (let k = 0; k <= j; k++) sum += l[rowAt(i) + k]! * l[rowAt(j) + k]!;
          const unit = Math.sqrt(a[rowAt(i) + i]! * a[rowAt(j) + j]!);
          expect(Math.abs(sum - a[rowAt(i) + j]!)).toBeLessThan(3 * (size + 2) * 2 ** -53 * unit);
        }
    });
  });

  test('does not exist if an eigenvalue is below 0', async () => {
    await forAllAsync(40, vectors, async (given) => {
      const size = given[0]!.length;
      const memory = tileMemory(rowAt(size));
      // Fewer vectors than places: the least eigenvalue of the sum is 0.
      fill(memory, size, given.slice(0, size - 1), 2 ** -20);
      expect(await factor(memory, size)).toBe(false);
    });
  });

  test('leaves out the rows that others give', async () => {
    const rows = [
      [1, 0, 2],
      [0, 1, 1],
      [1, 1, 3],
      [5, 0, 1],
    ];
    const memory = tileMemory(rowAt(4));
    fill(
      memory,
      4,
      [0, 1, 2].map((k) => rows.map((row) => row[k]!)),
      0,
    );
    const out: number[] = [];
    expect(await factor(memory, 4, { floor: 1e-9, leftOut: (row) => out.push(row) })).toBe(true);
    expect(out).toEqual([2]);
  });
});
