/** A smaller sum of squares may have lost digits to underflow. */
export const leastSquares = 2 ** -960;

/** Returns √Σ x² without overflow or underflow of the squares, by scaling. ∞ if the length itself overflows. */
export function scaledLength(values: Iterable<number>): number {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  if (largest === 0 || largest === Infinity) return largest;
  // The quotients are exact, because the scale is a power of 2.
  const scale = 2 ** Math.max(-1022, Math.floor(Math.log2(largest)));
  let sum = 0;
  for (const value of values) sum += (value / scale) * (value / scale);
  return scale * Math.sqrt(sum);
}
