import { shownAt, vectorAt } from '../../engine/examples.ts';
import type { NotSeparable } from '../../engine/verdict.ts';
import { cutHalfPlane } from '../../picture/clip.ts';
import { classRole, pathMark, symbolMark } from '../../picture/marks.ts';
import type { Mark, Spot } from '../../picture/picture.ts';
import type { Scene } from '../view.ts';
import type { Ground } from './ground.ts';
import { project } from './projection.ts';

/** Returns the proof that no line separates; null: there is none, or it is of other data than are drawn. */
function contradictionOf({ verdict, examples, dataset }: Scene): NotSeparable | null {
  if (verdict?.kind !== 'not-separable' || verdict.meeting.length !== examples.dimension) return null;
  if (dataset.kind === 'points' && dataset.points.length !== examples.rows) return null;
  return verdict;
}

/** Draws the convex hulls of the examples in the proof, one for each class. */
export function hullMarks(scene: Scene, { projection, at }: Ground): Mark[] {
  const verdict = contradictionOf(scene);
  if (verdict === null) return [];
  const { examples } = scene;
  const spots: Record<'positive' | 'negative', Spot[]> = { positive: [], negative: [] };
  const marks: Mark[] = [];
  for (const { row, weight } of verdict.combination) {
    const position = shownAt(examples, row);
    if (position < 0 || weight === 0) continue;
    spots[classRole(examples.labels[row]!)].push(at(...project(projection, vectorAt(examples, position))));
  }
  for (const role of ['positive', 'negative'] as const) {
    const hull = convexHull(spots[role]);
    if (hull.length < 2) continue;
    if (hull.length > 2)
      marks.push(pathMark(hull, { closed: true, fill: role, opacity: 0.16, id: `${role} hull area` }));
    marks.push(
      pathMark(hull, {
        closed: hull.length > 2,
        stroke: role,
        width: 2,
        ...(role === 'negative' ? { dash: [7, 4] } : {}),
        id: `${role} hull`,
      }),
    );
  }
  return marks;
}

/** Draws the point where both hulls meet. */
export function meetingMarks(scene: Scene, { projection, at }: Ground, text: number): Mark[] {
  const verdict = contradictionOf(scene);
  if (verdict === null) return [];
  const meeting = at(...project(projection, verdict.meeting));
  return [
    symbolMark('ring', meeting, text * 1.5, { stroke: 'paper', width: 5, id: 'meeting ground' }),
    symbolMark('ring', meeting, text * 1.5, { stroke: 'bound', width: 2.5, id: 'meeting' }),
    symbolMark('cross', meeting, text * 0.8, { stroke: 'bound', width: 2.5, id: 'meeting cross' }),
  ];
}

/**
 * Draws where all lines that separate the examples agree, if all examples are points of the plane: beyond each class,
 * as seen from the other one.
 */
export function forcedMarks({ verdict, examples }: Scene, { projection, drawn, axes, at }: Ground): Mark[] {
  if (verdict?.kind !== 'separable' || projection.kind !== 'flat' || drawn.rows.length !== examples.rows) return [];
  const spots: Record<'positive' | 'negative', Spot[]> = { positive: [], negative: [] };
  drawn.labels.forEach((label, k) => {
    spots[classRole(label)].push(at(drawn.spots[2 * k]!, drawn.spots[2 * k + 1]!));
  });
  const { left, right, top, bottom } = axes;
  return (['positive', 'negative'] as const).flatMap((role) => {
    const whole = forcedRegion(spots[role], spots[role === 'positive' ? 'negative' : 'positive']);
    const edges: [number, number, number][] = [
      [1, 0, -left],
      [-1, 0, right],
      [0, 1, -top],
      [0, -1, bottom],
    ];
    const seen = edges.reduce<readonly Spot[]>((polygon, edge) => cutHalfPlane(polygon, ...edge), whole);
    return seen.length < 3 ? [] : [pathMark(seen, { closed: true, fill: role, opacity: 0.3, id: `${role} forced` })];
  });
}

/** Length of rays, in sizes of the examples, that is as good as none. */
const far = 1e6;

/**
 * Returns the region that every line with all of `own` on one side and all of `others` on the other side puts with
 * `own`: all p̄ + t(p̄ − n̄) with t ≥ 0 and means p̄, n̄ of the two. By Farkas's lemma some line disagrees elsewhere.
 * The polygon ends far away.
 */
export function forcedRegion(own: readonly Spot[], others: readonly Spot[]): Spot[] {
  const [near, opposite] = [convexHull(own), convexHull(others)];
  const size = Math.max(
    ...[...near, ...opposite].map(([x, y]) => Math.abs(x - near[0]![0]) + Math.abs(y - near[0]![1])),
  );
  const ends = near.flatMap(([x, y]) =>
    opposite.map(([a, b]): Spot => {
      const share = (far * size) / Math.hypot(x - a, y - b);
      return [x + share * (x - a), y + share * (y - b)];
    }),
  );
  return convexHull([...near, ...ends]);
}

/**
 * Returns the corners of the convex hull in turn: Andrew's monotone chain (1979). For points on one line these are
 * its two ends.
 */
export function convexHull(spots: readonly Spot[]): Spot[] {
  const sorted = [...spots]
    .sort(([x1, y1], [x2, y2]) => x1 - x2 || y1 - y2)
    .filter(([x, y], k, all) => k === 0 || x !== all[k - 1]![0] || y !== all[k - 1]![1]);
  if (sorted.length < 3) return sorted;
  const chain = (along: readonly Spot[]): Spot[] => {
    const kept: Spot[] = [];
    for (const spot of along) {
      while (kept.length >= 2 && cross(kept.at(-2)!, kept.at(-1)!, spot) <= 0) kept.pop();
      kept.push(spot);
    }
    return kept.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.toReversed())];
}

const cross = ([ax, ay]: Spot, [bx, by]: Spot, [cx, cy]: Spot): number => (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
