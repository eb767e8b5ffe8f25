import type { Confusion } from 'halfspace';

/**
 * Returns the pairs of a true class i and another predicted class j, with the number n of rows, the most frequent pair
 * first.
 */
export function confusedPairs(confusion: Confusion): { i: number; j: number; n: number }[] {
  return confusion
    .flatMap((row, i) => row.map((n, j) => ({ i, j, n })))
    .filter(({ i, j, n }) => i !== j && n > 0)
    .sort((a, b) => b.n - a.n || a.i - b.i || a.j - b.j);
}
