import type { Clock } from '../clock.ts';
import { commonFractions } from './common-fractions.ts';
import { LimbMatrix } from './limb-matrix.ts';
import { independentSquare, invertMatrix, multiply, prime, residueOf } from './prime-field.ts';
import { bitLength, gcd } from './whole.ts';

const bigPrime = BigInt(prime);

/** After a reconstruction that failed, the number of digits for the next one grows by this factor. */
const growth = 1.4;

/**
 * Returns the whole numbers n without a common divisor for which Σ nᵢ·columnᵢ = 0, if n is unique up to its sign.
 *
 * Uses Dixon's lifting (Numerische Mathematik 40, 1982). Elimination modulo a prime p finds the independent columns and
 * rows, and their square part B is inverted modulo p. The solution of B·x = r is then computed digit by digit in base
 * p, each step with numbers of the size of the data, until quotients of small whole numbers fit it. These are verified
 * on all rows, so a wrong guess is never returned.
 *
 * @param columns of one length, sparse: entries by row.
 * @returns null if the columns are independent, if there is more than one such vector (modulo p), or if time runs out.
 */
export async function kernelVector(
  columns: readonly ReadonlyMap<number, bigint>[],
  clock: Clock,
): Promise<bigint[] | null> {
  const square = await independentSquare(columns, clock);
  if (square === null) return null;
  const { pivotRows, pivotColumns, free } = square;
  const size = pivotRows.length;
  if (size === 0) return columns.length === 1 ? [1n] : null;
  const inverse = pivotRows.map((row) => Float64Array.from(pivotColumns, (c) => residueOf(columns[c]!.get(row) ?? 0n)));
  if (!(await invertMatrix(inverse, clock))) return null;
  const entries = pivotRows.map((row) =>
    pivotColumns.flatMap((c, column) => {
      const value = columns[c]!.get(row) ?? 0n;
      return value === 0n ? [] : [{ column, value }];
    }),
  );
  const matrix = new LimbMatrix(entries, size);
  const residual = pivotRows.map((row) => -(columns[free]!.get(row) ?? 0n));
  // Hadamard's bound: a minor of B, also with the right side as one of its columns, is at most the product of the norms
  // of its rows.
  const most = entries.reduce((bits, cells, i) => {
    const largest = cells.reduce((size, { value }) => Math.max(size, bitLength(value)), bitLength(residual[i]!));
    return bits + largest + Math.log2(size + 1) / 2;
  }, 0);
  const steps = Math.ceil((2 * most + 80) / 25.9) + 2;
  const digits: Float64Array[] = [];
  for (let step = 1, tryAt = 4; step <= steps; step++) {
    if (!(await clock.breathe())) return null;
    digits.push(nextDigits(residual, inverse, matrix));
    if (step < tryAt && step < steps) continue;
    tryAt = Math.ceil(step * growth);
    const found = await commonFractions(size, (k) => numberOf(digits, k), bigPrime ** BigInt(step), clock);
    if (found === null) continue;
    const n: bigint[] = new Array(columns.length).fill(0n);
    n[free] = found.denominator;
    pivotColumns.forEach((c, k) => {
      n[c] = found.numerators[k]!;
    });
    if (!(await vanishes(columns, n, clock))) continue;
    const divisor = n.reduce(gcd, 0n);
    return divisor === 1n ? n : n.map((each) => each / divisor);
  }
  return null;
}

/** Returns the lowest digits x of the solution of B·x = residual, and replaces the residual by (residual − B·x)/p. */
function nextDigits(residual: bigint[], inverse: readonly Float64Array[], matrix: LimbMatrix): Float64Array {
  const x = multiply(inverse, Float64Array.from(residual, residueOf));
  for (let i = 0; i < residual.length; i++) residual[i] = (residual[i]! - matrix.product(i, x)) / bigPrime;
  return x;
}

/** Returns the number with the k-th number of each of these vectors as its digits in base p, the lowest first. */
function numberOf(digits: readonly Float64Array[], k: number): bigint {
  let numbers: bigint[] = [];
  // Two digits fit into a double.
  for (let at = 0; at < digits.length; at += 2)
    numbers.push(BigInt(digits[at]![k]! + (digits[at + 1]?.[k] ?? 0) * prime));
  for (let base = bigPrime ** 2n; numbers.length > 1; base *= base) {
    const pairs: bigint[] = [];
    for (let at = 0; at < numbers.length; at += 2) pairs.push(numbers[at]! + (numbers[at + 1] ?? 0n) * base);
    numbers = pairs;
  }
  return numbers[0]!;
}

/** Tests if Σ nᵢ·columnᵢ = 0. Returns false if time runs out. */
async function vanishes(
  columns: readonly ReadonlyMap<number, bigint>[],
  n: readonly bigint[],
  clock: Clock,
): Promise<boolean> {
  const sums = new Map<number, bigint>();
  for (const [c, column] of columns.entries()) {
    if (!(await clock.breathe())) return false;
    if (n[c] !== 0n) for (const [row, value] of column) sums.set(row, (sums.get(row) ?? 0n) + value * n[c]!);
  }
  for (const sum of sums.values()) if (sum !== 0n) return false;
  return true;
}
