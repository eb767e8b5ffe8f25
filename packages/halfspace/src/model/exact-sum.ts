/**
 * Returns the sum of doubles, which is added up without any rounding and rounded at the end. Infinite or NaN if a
 * partial sum overflows.
 *
 * @see Shewchuk (1997), Adaptive precision floating-point arithmetic, theorem 10.
 */
export function exactSum(values: Iterable<number>): number {
  /** Doubles whose exact sum is that of the values so far; none overlaps another, and their sizes rise. */
  const parts: number[] = [];
  for (const value of values) {
    let high = value;
    let kept = 0;
    for (const part of parts) {
      const sum = high + part;
      const [large, small] = Math.abs(high) < Math.abs(part) ? [part, high] : [high, part];
      const low = small - (sum - large);
      if (low !== 0) parts[kept++] = low;
      high = sum;
    }
    parts.length = kept;
    parts.push(high);
  }
  return parts.reduce((sum, part) => sum + part, 0);
}
