import { bitLength, gcd } from './whole.ts';

/**
 * Returns the whole numbers n without a common divisor for which Σ nᵢ·columnᵢ = 0, if n is unique up to its sign.
 *
 * Uses Dixon's lifting (Numerische Mathematik 40, 1982). Elimination modulo a prime p finds the independent columns and
 * rows and inverts their square part B modulo p. The solution of B·x = r is then computed modulo p, p², p³, …, each
 * step with numbers of the size of the data, until quotients of small whole numbers fit it. These are verified on all
 * rows, so a wrong guess is never returned.
 *
 * @param columns of one length, sparse: entries by row.
 * @returns null if the columns are independent, or if there is more than one such vector (modulo p).
 */
export function kernelVector(columns: readonly ReadonlyMap<number, bigint>[]): bigint[] | null {
  const square = eliminate(columns);
  if (square === null) return null;
  const { pivotRows, pivotColumns, free, inverse } = square;
  const r = pivotRows.length;
  if (r === 0) return columns.length === 1 ? [1n] : null;
  const entries = pivotRows.map((row) => {
    const cells: { column: number; value: bigint }[] = [];
    pivotColumns.forEach((c, k) => {
      const value = columns[c]!.get(row);
      if (value !== undefined && value !== 0n) cells.push({ column: k, value });
    });
    return cells;
  });
  const residual = pivotRows.map((row) => -(columns[free]!.get(row) ?? 0n));
  const solution: bigint[] = new Array(r).fill(0n);
  let modulus = 1n;
  let tryAt = 4;
  // Hadamard's bound: a minor of B, also with the right side as one of its columns, is at most the product of the norms
  // of its rows.
  const most = entries.reduce((bits, cells, i) => {
    const largest = cells.reduce((size, { value }) => Math.max(size, bitLength(value)), bitLength(residual[i]!));
    return bits + largest + Math.log2(r + 1) / 2;
  }, 0);
  const steps = Math.ceil((2 * most + 80) / 25) + 2;
  const small = new Float64Array(r);
  for (let step = 1; step <= steps; step++) {
    for (let i = 0; i < r; i++) small[i] = modulo(residual[i]!);
    const digits = multiply(inverse, small);
    for (let i = 0; i < r; i++) {
      if (digits[i] !== 0) solution[i]! += BigInt(digits[i]!) * modulus;
      let sum = residual[i]!;
      for (const { column, value } of entries[i]!) if (digits[column] !== 0) sum -= value * BigInt(digits[column]!);
      residual[i] = sum / bigPrime;
    }
    modulus *= bigPrime;
    if (step < tryAt && step < steps) continue;
    tryAt = Math.ceil(step * 1.4);
    const found = reconstruct(solution, modulus);
    if (found === null) continue;
    const n: bigint[] = new Array(columns.length).fill(0n);
    n[free] = found.denominator;
    pivotColumns.forEach((c, k) => {
      n[c] = found.numerators[k]!;
    });
    if (!vanishes(columns, n)) continue;
    const divisor = n.reduce(gcd, 0n);
    return n.map((each) => each / divisor);
  }
  return null;
}

/** A prime below 2²⁶, so that a product plus a residue is exact in a double. */
const prime = 67_108_859;
const bigPrime = BigInt(prime);
const perPrime = 1 / prime;

/** Returns x modulo the prime, for whole x from 0 to 2⁵³. The operator % takes ten times as long. */
function residue(x: number): number {
  const rest = x - Math.floor(x * perPrime) * prime;
  return rest < 0 ? rest + prime : rest >= prime ? rest - prime : rest;
}

function modulo(value: bigint): number {
  const rest = Number(value % bigPrime);
  return rest < 0 ? rest + prime : rest;
}

interface Square {
  readonly pivotRows: number[];
  readonly pivotColumns: number[];
  /** The one column that depends on the pivot columns. */
  readonly free: number;
  /** Rows of the inverse of the square part, modulo the prime. */
  readonly inverse: Float64Array[];
}

/**
 * Eliminates modulo the prime, row by row, the sparsest first, until all columns but one have a pivot. The other rows
 * are only checked for agreement. Returns null unless all columns but one are independent.
 */
function eliminate(columns: readonly ReadonlyMap<number, bigint>[]): Square | null {
  const k = columns.length;
  const byName = new Map<number, { column: number; value: number }[]>();
  columns.forEach((entries, column) => {
    for (const [name, entry] of entries) {
      const value = modulo(entry);
      const row = byName.get(name);
      if (row === undefined) byName.set(name, [{ column, value }]);
      else row.push({ column, value });
    }
  });
  const names = [...byName.keys()].sort((a, b) => byName.get(a)!.length - byName.get(b)!.length || a - b);
  /** Rows in echelon form by pivot column, with 1 at the pivot. */
  const pivots: (Float64Array | null)[] = new Array(k).fill(null);
  const pivotRows: number[] = [];
  for (const name of names) {
    if (pivotRows.length === k - 1) break;
    const row = new Float64Array(k);
    for (const { column, value } of byName.get(name)!) row[column] = value;
    if (reduce(row, pivots)) pivotRows.push(name);
  }
  if (pivotRows.length !== k - 1) return null;
  const free = pivots.indexOf(null);
  const vector = new Float64Array(k);
  vector[free] = 1;
  for (let c = k - 1; c >= 0; c--) {
    if (c === free) continue;
    let sum = 0;
    for (let j = c + 1; j < k; j++) sum = residue(sum + pivots[c]![j]! * vector[j]!);
    vector[c] = sum === 0 ? 0 : prime - sum;
  }
  for (const row of byName.values())
    if (row.reduce((sum, { column, value }) => residue(sum + value * vector[column]!), 0) !== 0) return null;
  const pivotColumns = Array.from({ length: k }, (_, c) => c).filter((c) => c !== free);
  const square = pivotRows.map((row) => Float64Array.from(pivotColumns, (c) => modulo(columns[c]!.get(row) ?? 0n)));
  return { pivotRows, pivotColumns, free, inverse: invertMatrix(square) };
}

/** Reduces a row by the pivots. If something remains, it becomes a pivot, and the result is true. */
function reduce(row: Float64Array, pivots: (Float64Array | null)[]): boolean {
  const k = row.length;
  for (let c = 0; c < k; c++) {
    if (row[c] === 0) continue;
    const pivot = pivots[c]!;
    if (pivot === null) {
      const inverse = invert(row[c]!);
      for (let j = c; j < k; j++) row[j] = residue(row[j]! * inverse);
      pivots[c] = row;
      return true;
    }
    const factor = prime - row[c]!;
    for (let j = c; j < k; j++) row[j] = residue(row[j]! + factor * pivot[j]!);
  }
  return false;
}

function invertMatrix(matrix: readonly Float64Array[]): Float64Array[] {
  const r = matrix.length;
  const rows = matrix.map((row, i) => {
    const wide = new Float64Array(2 * r);
    wide.set(row);
    wide[r + i] = 1;
    return wide;
  });
  for (let c = 0; c < r; c++) {
    const pivot = rows.findIndex((row, i) => i >= c && row[c] !== 0);
    [rows[c], rows[pivot]] = [rows[pivot]!, rows[c]!];
    const source = rows[c]!;
    const inverse = invert(source[c]!);
    for (let j = c; j < 2 * r; j++) source[j] = residue(source[j]! * inverse);
    for (let i = 0; i < r; i++) {
      const row = rows[i]!;
      if (i === c || row[c] === 0) continue;
      const factor = prime - row[c]!;
      for (let j = c; j < 2 * r; j++) if (source[j] !== 0) row[j] = residue(row[j]! + factor * source[j]!);
    }
  }
  return rows.map((row) => row.slice(r));
}

function multiply(matrix: readonly Float64Array[], vector: Float64Array): Float64Array {
  return Float64Array.from(matrix, (row) => {
    let sum = 0;
    for (let j = 0; j < vector.length; j++) sum = residue(sum + row[j]! * vector[j]!);
    return sum;
  });
}

/** Returns a⁻¹ modulo the prime, by Euclid's algorithm. */
function invert(a: number): number {
  let [r, s, u, v] = [prime, a, 0, 1];
  while (s !== 0) {
    const q = Math.floor(r / s);
    [r, s, u, v] = [s, r - q * s, v, u - q * v];
  }
  return u < 0 ? u + prime : u;
}

/**
 * Returns the unique small quotients with a common denominator that are equal to x modulo `modulus`; null if there are
 * none.
 */
function reconstruct(x: readonly bigint[], modulus: bigint): { numerators: bigint[]; denominator: bigint } | null {
  const limit = 1n << BigInt(Math.floor((bitLength(modulus) - 8) / 2));
  let denominator = 1n;
  for (const each of x) {
    const rest = (((each * denominator) % modulus) + modulus) % modulus;
    if (rest < limit || modulus - rest < limit) continue;
    // Euclid on (modulus, rest): every remainder is rest times the cofactor, modulo the modulus.
    let [r, s, u, v] = [modulus, rest, 0n, 1n];
    while (s >= limit) {
      const q = r / s;
      [r, s, u, v] = [s, r - q * s, v, u - q * v];
    }
    if (v === 0n) return null;
    denominator *= v < 0n ? -v : v;
    if (denominator >= limit) return null;
  }
  const numerators = x.map((each) => {
    const rest = (((each * denominator) % modulus) + modulus) % modulus;
    return rest < limit ? rest : rest - modulus;
  });
  return numerators.every((each) => -limit < each && each < limit) ? { numerators, denominator } : null;
}

function vanishes(columns: readonly ReadonlyMap<number, bigint>[], n: readonly bigint[]): boolean {
  const sums = new Map<number, bigint>();
  columns.forEach((column, c) => {
    if (n[c] !== 0n) for (const [row, value] of column) sums.set(row, (sums.get(row) ?? 0n) + value * n[c]!);
  });
  for (const sum of sums.values()) if (sum !== 0n) return false;
  return true;
}
