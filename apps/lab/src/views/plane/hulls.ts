import { shownAt, vectorAt } from '../../engine/examples.ts';
import type { Mark, Spot } from '../../picture/picture.ts';
import type { Scene } from '../view.ts';
import type { Ground } from './ground.ts';
import { project } from './projection.ts';

/** The proof that no line separates: the examples in it, the hull of those of either class, and the point that both hulls have. */
export function contradictionMarks({ verdict, examples, dataset }: Scene, ground: Ground, text: number): Mark[] {
  if (verdict?.kind !== 'not-separable' || verdict.meeting.length !== examples.dimension) return [];
  const { projection, at } = ground;
  if (dataset.kind === 'points' && dataset.points.length !== examples.rows) return [];
  const spots: Record<'positive' | 'negative', Spot[]> = { positive: [], negative: [] };
  const marks: Mark[] = [];
  for (const { row, weight } of verdict.combination) {
    const position = shownAt(examples, row);
    if (position < 0 || weight === 0) continue;
    const role = examples.labels[row]! > 0 ? 'positive' : 'negative';
    spots[role].push(at(...project(projection, vectorAt(examples, position))));
  }
  for (const role of ['positive', 'negative'] as const) {
    const hull = convexHull(spots[role]);
    if (hull.length < 2) continue;
    if (hull.length > 2)
      marks.push({ kind: 'path', spots: hull, closed: true, fill: role, opacity: 0.16, id: `${role} hull area` });
    marks.push({
      kind: 'path',
      spots: hull,
      closed: hull.length > 2,
      stroke: role,
      width: 2,
      ...(role === 'negative' ? { dash: [7, 4] } : {}),
      id: `${role} hull`,
    });
  }
  const meeting = at(...project(projection, verdict.meeting));
  marks.push(
    {
      kind: 'symbol',
      shape: 'disc',
      at: meeting,
      size: text * 1.3,
      fill: 'paper',
      stroke: 'bound',
      width: 2,
      id: 'meeting',
    },
    { kind: 'symbol', shape: 'cross', at: meeting, size: text * 0.7, stroke: 'bound', width: 2.5, id: 'meeting cross' },
  );
  return marks;
}

/** The corners of the convex hull, in turn: Andrew's monotone chain (1979). Of points on one line its two ends. */
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
