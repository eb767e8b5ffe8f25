import { Random } from 'halfspace/runs';
import { describe, expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';
import { clockUntil } from '../../src/clock.ts';
import { kernelVector } from '../../src/exact/kernel-vector.ts';
import { endless } from '../support/examples.ts';

/** Rank and a basis of the kernel by elimination over the rationals, as fractions of whole numbers; slow and plain. */
function kernel(columns: readonly (readonly bigint[])[]): bigint[][] {
  const size = columns[0]?.length ?? 0;
  const rows = Array.from({ length: size }, (_, i) => columns.map((column) => ({ a: column[i]!, b: 1n })));
  const minus = (x: Fraction, y: Fraction) => reduce({ a: x.a * y.b - y.a * x.b, b: x.b * y.b });
  const times = (x: Fraction, y: Fraction) => reduce({ a: x.a * y.a, b: x.b * y.b });
  const pivots: number[] = [];
  for (let c = 0; c < columns.length; c++) {
    const at = rows.findIndex((row, i) => i >= pivots.length && row[c]!.a !== 0n);
    if (at < 0) continue;
    const place = pivots.length;
    [rows[place], rows[at]] = [rows[at]!, rows[place]!];
    const { a, b } = rows[place]![c]!;
    rows[place] = rows[place]!.map((each) => times(each, { a: b, b: a }));
    rows.forEach((row, i) => {
      if (i === place) return;
      const factor = row[c]!;
      rows[i] = row.map((each, k) => minus(each, times(factor, rows[place]![k]!)));
    });
    pivots.push(c);
  }
  return columns.flatMap((_, free) => {
    if (pivots.includes(free)) return [];
    const entries = columns.map((_, c) => {
      const place = pivots.indexOf(c);
      return c === free
        ? { a: 1n, b: 1n }
        : place < 0
          ? { a: 0n, b: 1n }
          : minus({ a: 0n, b: 1n }, rows[place]![free]!);
    });
    const common = entries.reduce((product, { b }) => product * (b < 0n ? -b : b), 1n);
    const whole = entries.map(({ a, b }) => (a * common) / b);
    const divisor = whole.reduce(gcd, 0n);
    return [whole.map((each) => each / divisor)];
  });
}

interface Fraction {
  readonly a: bigint;
  readonly b: bigint;
}

function reduce({ a, b }: Fraction): Fraction {
  const divisor = gcd(a, b);
  return divisor === 0n ? { a, b } : { a: a / divisor, b: b / divisor };
}

function gcd(a: bigint, b: bigint): bigint {
  if (b !== 0n) return gcd(b, a % b);
  return a < 0n ? -a : a;
}

const sparse = (columns: readonly (readonly bigint[])[]) =>
  columns.map((column) => new Map(column.flatMap((value, row) => (value === 0n ? [] : [[row, value] as const]))));

/** Columns of which the last is a combination of the others. */
const dependent = fc.integer({ min: 1, max: 7 }).chain((k) =>
  fc
    .tuple(
      fc.array(fc.array(fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }), { minLength: 8, maxLength: 8 }), {
        minLength: k,
        maxLength: k,
      }),
      fc.array(fc.bigInt({ min: -(2n ** 40n), max: 2n ** 40n }), { minLength: k, maxLength: k }),
    )
    .map(([columns, factors]) => [
      ...columns,
      Array.from({ length: 8 }, (_, i) => columns.reduce((sum, column, c) => sum + column[i]! * factors[c]!, 0n)),
    ]),
);

const small = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 })).chain(([k, size]) =>
  fc.array(fc.array(fc.bigInt({ min: -3n, max: 3n }), { minLength: size, maxLength: size }), {
    minLength: k,
    maxLength: k,
  }),
);

describe('the vector that a set of columns annihilates', () => {
  test.each([
    ['large numbers, dependent', dependent],
    ['small numbers, dependent or not', small],
  ])('%s: that of elimination over the rationals', async (_, columns) => {
    await forAllAsync(500, columns, async (given) => {
      const expected = kernel(given);
      const found = await kernelVector(sparse(given), endless);
      if (expected.length !== 1) {
        expect(found).toBeNull();
        return;
      }
      const [vector] = expected as [bigint[]];
      const sign = found?.some((each, i) => each !== vector[i]) ? -1n : 1n;
      expect(found?.map((each) => sign * each)).toEqual(vector);
    });
  });

  test('entries of very different size', async () => {
    const columns = [
      [2n ** 500n, 1n],
      [3n, 2n ** 450n],
      [5n * 2n ** 500n + 21n, 5n + 7n * 2n ** 450n],
    ];
    const found = await kernelVector(sparse(columns), endless);
    expect(found?.map((each) => (each < 0n ? -each : each))).toEqual([5n, 7n, 1n]);
  });

  test('the solution of a dense system of 60 equations, by its residual', async () => {
    const random = new Random(1);
    const draw = () => BigInt(random.below(2 ** 26)) * 2n ** 27n + BigInt(random.below(2 ** 27)) - 2n ** 52n;
    const columns = Array.from({ length: 61 }, () => Array.from({ length: 60 }, draw));
    const found = (await kernelVector(sparse(columns), endless))!;
    for (let i = 0; i < 60; i++) expect(columns.reduce((sum, column, c) => sum + column[i]! * found[c]!, 0n)).toBe(0n);
    expect(found.reduce(gcd, 0n)).toBe(1n);
    expect(found.some((each) => each !== 0n)).toBe(true);
  });

  test('none is found once time is over', async () => {
    expect(await kernelVector(sparse([[1n], [2n]]), clockUntil(-Infinity, {}))).toBeNull();
  });
});
