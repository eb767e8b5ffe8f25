import type { Clock } from '../clock.ts';
import { gcd } from './whole.ts';

/** One of both: λ of a contradiction by column, or (w, b) in the order of the rows that separates all columns. */
export type ExactOutcome =
  | { readonly contradiction: readonly bigint[]; readonly separator: null }
  | { readonly contradiction: null; readonly separator: readonly bigint[] };

/**
 * Decides without rounding whether λ ≥ 0, Σλ = 1, Σ λᵢ·columnᵢ = 0 has a solution. Runs the first phase of the simplex
 * method on a tableau of whole numbers with one denominator (Edmonds 1967; Bareiss 1968) with Bland's rule (1977),
 * which never cycles. It is for a few nearly degenerate examples that floating point cannot decide.
 *
 * @param columns yᵢ(xᵢ, 1) of each example, in whole numbers, all of one length.
 * @returns null if time runs out.
 */
export async function decideExactly(
  columns: readonly (readonly bigint[])[],
  clock: Clock,
): Promise<ExactOutcome | null> {
  const n = columns.length;
  const size = (columns[0]?.length ?? 0) + 1;
  const width = n + size + 1;
  // Rows: the features and the constant, then Σλ = 1. Columns: λ, one artificial for each row, the right side.
  const tableau = Array.from({ length: size }, (_, row) => {
    const cells: bigint[] = new Array(width).fill(0n);
    for (let c = 0; c < n; c++) cells[c] = row < size - 1 ? columns[c]![row]! : 1n;
    cells[n + row] = 1n;
    cells[width - 1] = row < size - 1 ? 0n : 1n;
    return cells;
  });
  // The objective is the sum of the artificial variables. These are its reduced costs while the artificials are basic.
  const costs: bigint[] = new Array(width).fill(0n);
  for (const row of tableau) for (let c = 0; c < width; c++) if (c < n || c === width - 1) costs[c]! -= row[c]!;
  const basis = Array.from({ length: size }, (_, row) => n + row);
  let denominator = 1n;
  for (;;) {
    // Only λ may enter; an artificial variable that left the basis stays out.
    let entering = 0;
    while (entering < n && costs[entering]! >= 0n) entering++;
    if (entering === n) break;
    let leaving = -1;
    for (let row = 0; row < size; row++) {
      const cell = tableau[row]![entering]!;
      if (cell <= 0n) continue;
      if (leaving < 0) {
        leaving = row;
        continue;
      }
      const order = tableau[row]![width - 1]! * tableau[leaving]![entering]! - tableau[leaving]![width - 1]! * cell;
      if (order < 0n || (order === 0n && basis[row]! < basis[leaving]!)) leaving = row;
    }
    // The sum is bounded below, so there is a leaving row.
    const source = tableau[leaving]!;
    const pivot = source[entering]!;
    for (const row of [...tableau, costs]) {
      if (!(await clock.breathe())) return null;
      if (row === source) continue;
      const factor = row[entering]!;
      for (let c = 0; c < width; c++) row[c] = (row[c]! * pivot - factor * source[c]!) / denominator;
    }
    denominator = pivot;
    basis[leaving] = entering;
  }
  if (costs[width - 1] === 0n) {
    const contradiction: bigint[] = new Array(n).fill(0n);
    basis.forEach((column, row) => {
      if (column < n) contradiction[column] = tableau[row]![width - 1]!;
    });
    return { contradiction, separator: null };
  }
  // The reduced cost of an artificial variable is 1 − π. For every column π·(column, 1) ≤ 0, and the last π is above 0.
  const separator = Array.from({ length: size - 1 }, (_, row) => costs[n + row]! - denominator);
  const divisor = separator.reduce(gcd, 0n);
  return { contradiction: null, separator: divisor === 0n ? separator : separator.map((each) => each / divisor) };
}
