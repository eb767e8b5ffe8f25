import { shownAt, vectorAt } from '../../engine/examples.ts';
import type { NotSeparable } from '../../engine/verdict.ts';
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
