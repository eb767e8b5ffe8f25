import { type TileMemory, tileHeight, tileWidth } from './dot-tile.ts';

/** Rows and columns of a block, and the length of the dot products between two roundings to the matrix. */
const block = 48;
const chunk = 20 * block;

/** Returns the position of a row of the lower half of a symmetric matrix, whose rows follow each other. */
export function rowAt(i: number): number {
  return (i * (i + 1)) / 2;
}

/** Options of {@link factor}. */
export interface FactorOptions {
  /** Pivots must be above this. Default 0. */
  readonly floor?: number | undefined;
  /** Called with each row whose pivot is not; the row is then left out. Without this, the factorisation fails. */
  readonly leftOut?: ((row: number) => void) | undefined;
  /** Called after each block with the share of the work that is done; may throw. */
  readonly onBlock?: ((share: number) => void | Promise<void>) | undefined;
}

/**
 * Replaces a symmetric matrix A by its Cholesky factor L, LLᵀ = A, in floating point (Higham, Accuracy and Stability of
 * Numerical Algorithms, 2002, algorithm 10.2, in blocks).
 *
 * Each entry of L is one sum of products in some order, and one quotient or square root. So if the result is true,
 * LLᵀ = A + Δ with |Δᵢⱼ| ≤ γ·√(aᵢᵢaⱼⱼ)/(1 − γ), where γ = (n + 1)u/(1 − (n + 1)u) and u = 2⁻⁵³ (theorem 10.3, which
 * holds for any order, and lemma 8.4), unless numbers are subnormal.
 *
 * @param memory holds the lower half of the matrix from position 0, row by row.
 * @param size number of rows n.
 * @returns false if a pivot is not above the floor.
 */
export async function factor(
  { numbers: a, tile }: TileMemory,
  size: number,
  { floor = 0, leftOut, onBlock }: FactorOptions = {},
): Promise<boolean> {
  const out = new Float64Array(tileHeight * tileWidth);
  const [p, q] = [new Array<number>(tileHeight), new Array<number>(tileWidth)];
  for (let top = 0; top < size; top += block) {
    const bottom = Math.min(size, top + block);
    for (let left = 0; left <= top; left += block) {
      const right = Math.min(size, left + block);
      subtract(top, bottom, left, right);
      if (left < top) divide(top, bottom, left, right);
      else if (!takeRoots(top, bottom)) return false;
      await onBlock?.(((top + ((bottom - top) * right) / bottom) / size) ** 3);
    }
  }
  return true;

  /** Subtracts from a block the products of its rows up to its left end. */
  function subtract(top: number, bottom: number, left: number, right: number): void {
    for (let from = 0; from < left; from += chunk) {
      const length = Math.min(left, from + chunk) - from;
      for (let i = top; i < bottom; i += tileHeight) {
        for (let r = 0; r < tileHeight; r++) p[r] = rowAt(Math.min(i + r, bottom - 1)) + from;
        for (let j = left; j < right && j < i + tileHeight; j += tileWidth) {
          for (let c = 0; c < tileWidth; c++) q[c] = rowAt(Math.min(j + c, right - 1)) + from;
          tile(p, q, length, out);
          for (let r = 0; r < tileHeight && i + r < bottom; r++)
            for (let c = 0; c < tileWidth && j + c < right && j + c <= i + r; c++)
              a[rowAt(i + r) + j + c]! -= out[r * tileWidth + c]!;
        }
      }
    }
  }

  /**
   * Finishes a block below its diagonal block, column by column. Four rows at once, because their sums do not wait for
   * each other.
   */
  function divide(top: number, bottom: number, left: number, right: number): void {
    let i = top;
    for (; i + 4 <= bottom; i += 4) {
      const [p0, p1, p2, p3] = [rowAt(i), rowAt(i + 1), rowAt(i + 2), rowAt(i + 3)];
      for (let j = left; j < right; j++) {
        const q = rowAt(j);
        let [rest0, rest1, rest2, rest3] = [a[p0 + j]!, a[p1 + j]!, a[p2 + j]!, a[p3 + j]!];
        for (let k = left; k < j; k++) {
          const factor = a[q + k]!;
          rest0 -= a[p0 + k]! * factor;
          rest1 -= a[p1 + k]! * factor;
          rest2 -= a[p2 + k]! * factor;
          rest3 -= a[p3 + k]! * factor;
        }
        const pivot = a[q + j]!;
        a[p0 + j] = rest0 / pivot;
        a[p1 + j] = rest1 / pivot;
        a[p2 + j] = rest2 / pivot;
        a[p3 + j] = rest3 / pivot;
      }
    }
    for (; i < bottom; i++)
      for (let j = left; j < right; j++) a[rowAt(i) + j] = remainder(i, j, left) / a[rowAt(j) + j]!;
  }

  /** Finishes a diagonal block, row by row. Returns false if a pivot is not above the floor. */
  function takeRoots(top: number, bottom: number): boolean {
    for (let i = top; i < bottom; i++) {
      for (let j = top; j < i; j++) a[rowAt(i) + j] = remainder(i, j, top) / a[rowAt(j) + j]!;
      const pivot = remainder(i, i, top);
      if (!(pivot > floor) && leftOut === undefined) return false;
      if (!(pivot > floor)) leftOut!(i);
      // Quotients by infinity are 0, so a row that is left out takes no part in what follows.
      a[rowAt(i) + i] = pivot > floor ? Math.sqrt(pivot) : Infinity;
    }
    return true;
  }

  /** Returns aᵢⱼ less the products of the places from `left` to j. */
  function remainder(i: number, j: number, left: number): number {
    const first = rowAt(i);
    const second = rowAt(j);
    let rest = a[first + j]!;
    for (let k = left; k < j; k++) rest -= a[first + k]! * a[second + k]!;
    return rest;
  }
}
