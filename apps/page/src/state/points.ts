import type { CurvePoint } from '../service/types.ts';

/** Number of points from which every second one goes. */
const mostPoints = 1200;

/** Returns points with another one at the end; of a number of examples that is known, the later one stays. */
export function addPoint(points: readonly CurvePoint[], point: CurvePoint): readonly CurvePoint[] {
  const earlier = points.filter(({ examples }) => examples < point.examples);
  const kept = earlier.length < mostPoints ? earlier : earlier.filter((_, k) => k % 2 === 0);
  return [...kept, point];
}
