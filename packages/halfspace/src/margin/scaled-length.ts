/** Below this a sum of squares may have lost digits, or all of it, under the range of doubles. */
export const leastSquares = 2 ** -960;

/** √Σ x² of numbers whose squares may leave the range of doubles: their sum is taken of x / 2^k. ∞ where the length itself leaves it. */
export function scaledLength(values: Iterable<number>): number {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  if (largest === 0 || largest === Infinity) return largest;
  // A power of two, so that the quotients are exact.
  const scale = 2 ** Math.max(-1022, Math.floor(Math.log2(largest)));
  let sum = 0;
  for (const value of values) sum += (value / scale) * (value / scale);
  return scale * Math.sqrt(sum);
}
