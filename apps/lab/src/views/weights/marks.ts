import { type Axes, axesIn, rangeOf } from '../../picture/axes.ts';
import { cornersOf, cutHalfPlane, inPixels, lineInBox } from '../../picture/clip.ts';
import {
  arrowMark,
  classRole,
  exampleMark,
  halfPlaneMarks,
  lineMark,
  pathMark,
  symbolMark,
  textMark,
} from '../../picture/marks.ts';
import type { Frame, Mark, Pen, Spot } from '../../picture/picture.ts';
import { spotsOf } from '../../picture/series.ts';
import { textWidth } from '../../picture/text-width.ts';
import { cacheOf } from '../cache.ts';
import { directionOfStar, spaceOf } from '../proof/bound.ts';
import { pathIndex, type RunPath, weightsAt } from '../run-path.ts';
import type { Scene } from '../view.ts';
import type { Components, Constraint } from './plane.ts';

/** Maximum number of half-planes that are shaded. */
export const mostShaded = 60;
/** Maximum number of lines; of more, every k-th is drawn, and those that bound the feasible region. */
const mostLines = 120;
/** Maximum number of weights that have dots on the path. */
const mostDots = 120;
/** The largest ratio of two ranges that share a unit. */
const mostUnlike = 6;

const cached = cacheOf<RunPath, Float64Array>();
const ranges = cacheOf<RunPath, [from: number, to: number]>();

/** The values of a component over a whole run. */
const alongRun = (path: RunPath, at: number): Float64Array =>
  cached(path, () => Float64Array.from(path.steps, (_, i) => path.numbers[i * path.width + at]!), String(at));

/** Returns axes that hold the whole run and the origin, so that they stay the same while the run is played. */
export function weightAxes(path: RunPath, { drawn: [h, v] }: Components, frame: Frame, top: number): Axes {
  const range = (at: number) => ranges(path, () => rangeOf([0, ...alongRun(path, at)], 0.3), String(at));
  const [x, y] = [range(h.at), range(v.at)];
  const shape = (y[1] - y[0]) / (x[1] - x[0]);
  return axesIn(frame, {
    horizontal: { from: x[0], to: x[1], title: h.name },
    vertical: { from: y[0], to: y[1], title: v.name },
    equal: shape < mostUnlike && shape > 1 / mostUnlike,
    room: { top },
  });
}

/** Returns a constraint in pixels: α·X + β·Y + γ ≥ 0. */
const constraintInPixels = ({ a, b, c }: Constraint, axes: Axes) => inPixels(axes, [a, b, c]);

/** Returns the region where all constraints hold, in pixels, and the constraints that bound it. */
export function feasibleRegion(
  constraints: readonly Constraint[],
  axes: Axes,
): { readonly spots: readonly Spot[]; readonly bounding: ReadonlySet<Constraint> } {
  let spots: readonly Spot[] = cornersOf(axes);
  const cuts: [Constraint, readonly [number, number, number]][] = [];
  for (const constraint of constraints) {
    const line = constraintInPixels(constraint, axes);
    const kept = cutHalfPlane(spots, ...line);
    if (kept.length !== spots.length || kept.some((spot, i) => spot !== spots[i])) cuts.push([constraint, line]);
    spots = kept;
    if (spots.length < 3) return { spots: [], bounding: new Set() };
  }
  const touches = (line: readonly [number, number, number]) =>
    spots.filter(([x, y]) => Math.abs(line[0] * x + line[1] * y + line[2]) < 1e-6 * Math.hypot(line[0], line[1]))
      .length > 1;
  return { spots, bounding: new Set(cuts.filter(([, line]) => touches(line)).map(([constraint]) => constraint)) };
}

/** Shades the half-planes that examples exclude: the darker, the more examples are wrong there. */
export function shades(constraints: readonly Constraint[], axes: Axes): Mark[] {
  if (constraints.length > mostShaded) return [];
  const opacity = Math.min(0.12, 1 / (2 + constraints.length));
  return constraints.flatMap((constraint) => {
    const [a, b, c] = constraintInPixels(constraint, axes);
    return halfPlaneMarks(axes, [-a, -b, -c], { fill: 'muted', opacity });
  });
}

/** Draws the boundaries of the half-planes. */
export function boundaries(constraints: readonly Constraint[], bounding: ReadonlySet<Constraint>, axes: Axes): Mark[] {
  const every = Math.ceil(constraints.length / mostLines);
  return constraints.flatMap((constraint, i): Mark[] => {
    const strong = bounding.has(constraint);
    if (!strong && i % every !== 0) return [];
    const ends = lineInBox(...constraintInPixels(constraint, axes), axes);
    if (ends === null) return [];
    return [
      lineMark(ends[0], ends[1], {
        ...classStroke(constraint),
        width: strong ? 2.25 : 1.2,
        opacity: strong ? 1 : constraints.length > mostLines ? 0.25 : 0.5,
        id: `half-space ${constraint.row}`,
      }),
    ];
  });
}

/** The stroke of a class: whole for positive examples, dashed for negative ones. */
const classStroke = ({ label }: Constraint): Pen => ({
  stroke: classRole(label),
  ...(label > 0 ? {} : { dash: [7.5, 4.5] }),
});

/** Draws the half-plane of one example: the excluded side, the boundary, and the direction of y·x. */
export function markedExample(constraint: Constraint, axes: Axes, { text }: Frame): Mark[] {
  const [a, b, c] = constraintInPixels(constraint, axes);
  const ends = lineInBox(a, b, c, axes);
  const fill = classRole(constraint.label);
  const marks: Mark[] = halfPlaneMarks(axes, [-a, -b, -c], { fill, opacity: 0.12, id: 'ruled out' });
  if (ends === null) return marks;
  const middle: Spot = [(ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2];
  const length = Math.hypot(a, b);
  const away = (distance: number): Spot => [middle[0] + (distance * a) / length, middle[1] + (distance * b) / length];
  marks.push(
    lineMark(ends[0], ends[1], {
      ...classStroke(constraint),
      width: 3,
      id: 'boundary of the example shown',
    }),
    arrowMark(middle, away(text * 1.6), { stroke: fill, width: 2 }),
    exampleMark(constraint.label, middle, text * 0.7, { stroke: 'paper' }),
  );
  return marks;
}

/** Draws the path of the weights, the last update, and the present weights. */
export function pathMarks(
  path: RunPath,
  { drawn: [h, v] }: Components,
  scene: Scene,
  axes: Axes,
  { text }: Frame,
): Mark[] {
  const index = pathIndex(path, scene);
  const way = { xs: alongRun(path, h.at), ys: alongRun(path, v.at) };
  const bold = spotsOf(way, axes, index + 1);
  const at = (i: number): Spot => [axes.x(way.xs[i]!), axes.y(way.ys[i]!)];
  const marks: Mark[] = [
    ...inPieces(spotsOf(way, axes)).map(
      (spots): Mark => pathMark(spots, { stroke: 'line', width: 1.35, opacity: 0.3, id: 'path of the run' }),
    ),
    ...inPieces(bold).map((spots): Mark => pathMark(spots, { stroke: 'line', width: 1.8, opacity: 0.75, id: 'path' })),
  ];
  if (path.steps.length <= mostDots)
    for (let i = 0; i <= index; i++) marks.push(symbolMark('disc', at(i), text * 0.3, { fill: 'line' }));
  if (scene.moment.updated && index > 0 && path.steps[index] === scene.moment.step)
    marks.push(arrowMark(at(index - 1), at(index), { stroke: 'update', width: 3, id: 'update' }));
  marks.push(symbolMark('disc', at(index), text * 0.8, { fill: 'line', stroke: 'paper', width: 2, id: 'w' }));
  marks.push(word('w', at(index), axes, text, 'line'));
  return marks;
}

/** Draws the direction of w*, as a ray from the origin to the edge. */
export function starRay(scene: Scene, { drawn: [h, v] }: Components, axes: Axes, { text }: Frame): Mark[] {
  const vector = directionOfStar(scene.verdict, scene.recording, spaceOf(scene.look));
  if (vector === null) return [];
  const from: Spot = [axes.x(0), axes.y(0)];
  const unit = Math.abs(axes.x(1) - axes.x(0));
  const tall = Math.abs(axes.y(1) - axes.y(0));
  const [dx, dy] = [vector[h.at]! * unit, -vector[v.at]! * tall];
  const reach = Math.min(
    dx > 0 ? (axes.right - from[0]) / dx : dx < 0 ? (axes.left - from[0]) / dx : Infinity,
    dy > 0 ? (axes.bottom - from[1]) / dy : dy < 0 ? (axes.top - from[1]) / dy : Infinity,
  );
  if (!Number.isFinite(reach)) return [];
  const to: Spot = [from[0] + dx * reach, from[1] + dy * reach];
  const short: Spot = [from[0] + dx * reach * 0.92, from[1] + dy * reach * 0.92];
  return [
    lineMark(from, to, { stroke: 'star', width: 2.1, dash: [3, 4.5], id: 'w*' }),
    word('w*', short, axes, text, 'star'),
  ];
}

/** Writes a word beside a spot, to the right where there is room. */
export function word(text: string, [x, y]: Spot, { right, top }: Axes, size: number, fill: 'line' | 'star'): Mark {
  const fits = x + size * 0.7 + textWidth(text, size) < right;
  return textMark([fits ? x + size * 0.65 : x - size * 0.65, Math.max(top + size * 0.6, y - size * 0.75)], text, size, {
    anchor: fits ? 'start' : 'end',
    weight: 'bold',
    fill,
    stroke: 'paper',
    width: 4.5,
  });
}

/** Returns the weights at the scene's moment, bias first. */
export function presentOf(path: RunPath, scene: Scene): Float64Array {
  return weightsAt(path, pathIndex(path, scene));
}

/**
 * The largest number of spots in a piece of a path. Painting a stroke that crosses itself takes more than linear
 * time.
 */
const pieceLength = 60;

/** Cuts a path into pieces, each of which begins where the one before ends. */
function inPieces(spots: readonly Spot[]): (readonly Spot[])[] {
  const pieces: (readonly Spot[])[] = [];
  for (let at = 0; at < Math.max(1, spots.length - 1); at += pieceLength)
    pieces.push(spots.slice(at, at + pieceLength + 1));
  return pieces;
}
