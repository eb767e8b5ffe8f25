/**
 * The straight line a + b·x with the least squared relative deviations: a point that is ten times as far is not trusted
 * more.
 *
 * @param {{ x: number, y: number }[]} points at least two, y > 0
 * @returns {{ start: number, slope: number, r2: number, largestDeviation: number, at: number }} the largest of |y −
 * line| / y, and the x
 *   where it is; R² is that of the times themselves
 */
export function straightLine(points) {
  let w = 0;
  let wx = 0;
  let wy = 0;
  let wxx = 0;
  let wxy = 0;
  for (const { x, y } of points) {
    const weight = 1 / (y * y);
    w += weight;
    wx += weight * x;
    wy += weight * y;
    wxx += weight * x * x;
    wxy += weight * x * y;
  }
  const slope = (w * wxy - wx * wy) / (w * wxx - wx * wx);
  const start = (wy - slope * wx) / w;
  const line = (x) => start + slope * x;
  const mean = points.reduce((sum, { y }) => sum + y, 0) / points.length;
  const squares = (of) => points.reduce((sum, point) => sum + of(point) ** 2, 0);
  const r2 = 1 - squares(({ x, y }) => y - line(x)) / squares(({ y }) => y - mean);
  const deviations = points.map(({ x, y }) => Math.abs(y - line(x)) / y);
  const largestDeviation = Math.max(...deviations);
  return { start, slope, r2, largestDeviation, at: points[deviations.indexOf(largestDeviation)].x };
}
