import type { Label, Point, PointSet } from './dataset.ts';
import { Chance } from './generate.ts';

/** Maximum number of drawn points: a screen can show them, and a run after each edit takes no noticeable time. */
export const mostPoints = 2000;

const withPoints = (set: PointSet, points: readonly Point[]): PointSet => ({ ...set, points });
/** Sets the second coordinate to 0 for points on a line. */
const within = (set: PointSet, point: Point): Point => (set.dimension === 1 ? { ...point, y: 0 } : point);

/** Appends points, up to {@link mostPoints} in total. */
export function addPoints(set: PointSet, points: readonly Point[]): PointSet {
  const room = Math.max(0, mostPoints - set.points.length);
  return withPoints(set, [...set.points, ...points.slice(0, room).map((point) => within(set, point))]);
}

export function removePoints(set: PointSet, rows: ReadonlySet<number>): PointSet {
  return withPoints(
    set,
    set.points.filter((_, row) => !rows.has(row)),
  );
}

/** Moves points to the places that `to` returns. */
export function movePoints(
  set: PointSet,
  rows: ReadonlySet<number>,
  to: (point: Point) => { readonly x: number; readonly y: number },
): PointSet {
  return withPoints(
    set,
    set.points.map((point, row) => (rows.has(row) ? within(set, { ...to(point), label: point.label }) : point)),
  );
}

export function relabelPoints(set: PointSet, rows: ReadonlySet<number>, label: Label): PointSet {
  return withPoints(
    set,
    set.points.map((point, row) => (rows.has(row) ? { ...point, label } : point)),
  );
}

/** Moves a point from one position of the order to another. */
export function reorderPoint(set: PointSet, from: number, to: number): PointSet {
  const points = [...set.points];
  const [moved] = points.splice(from, 1);
  if (moved !== undefined) points.splice(to, 0, moved);
  return withPoints(set, points);
}

/** Sorts one class before the other; the order within a class stays. */
export function classFirst(set: PointSet, first: Label): PointSet {
  return withPoints(set, [
    ...set.points.filter(({ label }) => label === first),
    ...set.points.filter(({ label }) => label !== first),
  ]);
}

/** Orders the points by alternating classes, as long as both have points; the order within a class stays. */
export function alternating(set: PointSet): PointSet {
  const positive = set.points.filter(({ label }) => label > 0);
  const negative = set.points.filter(({ label }) => label < 0);
  const points: Point[] = [];
  for (let k = 0; k < Math.max(positive.length, negative.length); k++) {
    if (k < positive.length) points.push(positive[k]!);
    if (k < negative.length) points.push(negative[k]!);
  }
  return withPoints(set, points);
}

export function shuffled(set: PointSet, seed: number): PointSet {
  return withPoints(
    set,
    new Chance(seed).permutation(set.points.length).map((row) => set.points[row]!),
  );
}

/** Returns points at random places around a point. @param radius of the spray. @param decimals of coordinates. */
export function spray(
  { x, y, label }: Point,
  { radius, count, decimals, chance }: { radius: number; count: number; decimals: number; chance: Chance },
): Point[] {
  return Array.from({ length: count }, () => {
    const [dx, dy] = chance.disc();
    return { x: toDecimals(x + radius * dx, decimals), y: toDecimals(y + radius * dy, decimals), label };
  });
}

/** Rounds to `decimals` decimals; −1 rounds to tens. */
export function toDecimals(value: number, decimals: number): number {
  if (decimals > 15) return value;
  const unit = 10 ** Math.abs(decimals);
  // + 0: no negative zero, which a file would show.
  return (decimals >= 0 ? Math.round(value * unit) / unit : Math.round(value / unit) * unit) + 0;
}

/** Tests if a point lies within a loop drawn by hand: a ray from the point crosses the loop an odd number of times. */
export function inLoop(loop: readonly (readonly [number, number])[], x: number, y: number): boolean {
  let inside = false;
  loop.forEach(([x1, y1], k) => {
    const [x2, y2] = loop[(k + 1) % loop.length]!;
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) inside = !inside;
  });
  return inside;
}

/** Returns the number of points of each class. */
export function countClasses({ points }: PointSet): { readonly positive: number; readonly negative: number } {
  let positive = 0;
  for (const { label } of points) if (label > 0) positive++;
  return { positive, negative: points.length - positive };
}

/** Tests if there are points of both classes. */
export function hasBothClasses(set: PointSet): boolean {
  const { positive, negative } = countClasses(set);
  return positive > 0 && negative > 0;
}
