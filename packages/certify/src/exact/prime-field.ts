import type { Clock } from '../clock.ts';

/**
 * Arithmetic modulo one prime, in doubles. Residues are centred: whole numbers of at most half the prime, 2²⁵, in size.
 * So the sum of seven products is below 2⁵³, hence exact.
 */
export const prime = 67_108_859;
const bigPrime = BigInt(prime);
const perPrime = 1 / prime;

/** Returns the centred residue of a whole number below 2⁵³ in size; 0 if and only if the prime divides it. */
function centred(x: number): number {
  return x - Math.floor(x * perPrime + 0.5) * prime;
}

/** Returns the centred residue of a whole number. */
export function residueOf(value: bigint): number {
  return centred(Number(value % bigPrime));
}

/** Returns a⁻¹, by Euclid's algorithm. */
function invert(a: number): number {
  let [r, s, u, v] = [prime, a < 0 ? a + prime : a, 0, 1];
  while (s !== 0) {
    const q = Math.floor(r / s);
    [r, s, u, v] = [s, r - q * s, v, u - q * v];
  }
  return centred(u);
}

/** Replaces `row` by row − factor·source, from place `from` on. */
function subtract(row: Float64Array, factor: number, source: Float64Array, from: number): void {
  for (let j = from; j < row.length; j++) row[j] = centred(row[j]! - factor * source[j]!);
}

/** Columns of which all but one are independent, and rows that show it. */
export interface Square {
  readonly pivotRows: readonly number[];
  readonly pivotColumns: readonly number[];
  /** The one column that depends on the pivot columns. */
  readonly free: number;
}

/**
 * Eliminates row by row, the sparsest first, until all columns but one have a pivot. The other rows are only checked
 * for agreement. Returns null unless all columns but one are independent, or if time runs out.
 */
export async function independentSquare(
  columns: readonly ReadonlyMap<number, bigint>[],
  clock: Clock,
): Promise<Square | null> {
  const k = columns.length;
  const byName = new Map<number, { column: number; value: number }[]>();
  for (const [column, entries] of columns.entries()) {
    if (!(await clock.breathe())) return null;
    for (const [name, entry] of entries) {
      const value = residueOf(entry);
      const row = byName.get(name);
      if (row === undefined) byName.set(name, [{ column, value }]);
      else row.push({ column, value });
    }
  }
  const names = [...byName.keys()].sort((a, b) => byName.get(a)!.length - byName.get(b)!.length || a - b);
  /** Rows in echelon form by pivot column, with 1 at the pivot. */
  const pivots: (Float64Array | null)[] = new Array(k).fill(null);
  const pivotRows: number[] = [];
  for (const name of names) {
    if (pivotRows.length === k - 1) break;
    if (!(await clock.breathe())) return null;
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
    for (let j = c + 1; j < k; j++) sum = centred(sum + pivots[c]![j]! * vector[j]!);
    vector[c] = -sum;
  }
  for (const row of byName.values())
    if (row.reduce((sum, { column, value }) => centred(sum + value * vector[column]!), 0) !== 0) return null;
  return { pivotRows, pivotColumns: Array.from({ length: k }, (_, c) => c).filter((c) => c !== free), free };
}

/** Reduces a row by the pivots. If something remains, it becomes a pivot, and the result is true. */
function reduce(row: Float64Array, pivots: (Float64Array | null)[]): boolean {
  for (let c = 0; c < row.length; c++) {
    if (row[c] === 0) continue;
    const pivot = pivots[c]!;
    if (pivot === null) {
      const inverse = invert(row[c]!);
      for (let j = c; j < row.length; j++) row[j] = centred(row[j]! * inverse);
      pivots[c] = row;
      return true;
    }
    subtract(row, row[c]!, pivot, c);
  }
  return false;
}

/**
 * Replaces a regular matrix, given by its rows, by its inverse (Gauss and Jordan). Returns false if time runs out.
 */
export async function invertMatrix(rows: Float64Array[], clock: Clock): Promise<boolean> {
  const size = rows.length;
  const swapped: number[] = [];
  for (let c = 0; c < size; c++) {
    if (!(await clock.breathe())) return false;
    let pivot = c;
    while (rows[pivot]![c] === 0) pivot++;
    swapped.push(pivot);
    [rows[c], rows[pivot]] = [rows[pivot]!, rows[c]!];
    const source = rows[c]!;
    const inverse = invert(source[c]!);
    source[c] = 1;
    for (let j = 0; j < size; j++) source[j] = centred(source[j]! * inverse);
    for (let i = 0; i < size; i++) {
      const row = rows[i]!;
      const factor = row[c]!;
      if (i === c || factor === 0) continue;
      row[c] = 0;
      subtract(row, factor, source, 0);
    }
  }
  // The inverse of the matrix with swapped rows has the columns swapped.
  for (let c = size - 1; c >= 0; c--) {
    const other = swapped[c]!;
    if (other !== c) for (const row of rows) [row[c], row[other]] = [row[other]!, row[c]!];
  }
  return true;
}

/** Returns the product of a matrix, given by its rows, with a vector. */
export function multiply(rows: readonly Float64Array[], x: Float64Array): Float64Array {
  const size = x.length;
  const whole = size - (size % 7);
  return Float64Array.from(rows, (a) => {
    // Sums of seven products do not wait for each other.
    let sum = 0;
    for (let j = 0; j < whole; j += 7)
      sum += centred(
        a[j]! * x[j]! +
          a[j + 1]! * x[j + 1]! +
          (a[j + 2]! * x[j + 2]! + a[j + 3]! * x[j + 3]!) +
          (a[j + 4]! * x[j + 4]! + a[j + 5]! * x[j + 5]! + a[j + 6]! * x[j + 6]!),
      );
    for (let j = whole; j < size; j++) sum += centred(a[j]! * x[j]!);
    return centred(sum);
  });
}
