import type { LiftMap } from '../../engine/companion.ts';
import type { Examples } from '../../engine/examples.ts';
import { liftedFeature, liftNames } from '../../engine/lift-maps.ts';
import type { Line, Moment } from '../../engine/recording.ts';
import { rangeOf } from '../../picture/axes.ts';
import { eased } from '../../picture/ease.ts';
import { classRole, exampleMark, lineMark, pathMark, symbolMark, textMark } from '../../picture/marks.ts';
import type { Frame, Mark } from '../../picture/picture.ts';
import { type Camera, orthographic, type Point3, planeInBox } from '../../picture/space.ts';
import type { Scene } from '../view.ts';

/** Number of lines of the surface in each direction. */
const meshLines = 9;

/** Draws the surface with the examples on it, the plane that separates them, and its curve on the ground. */
export function drawKernelSpace(
  scene: Scene,
  { map, moment }: { readonly map: LiftMap; readonly moment: Moment },
  { width, height, text }: Frame,
): Mark[] {
  // First the points rise from the ground, then the plane comes between them.
  const { entrance = 1 } = scene;
  const space = kernelSpace(scene.examples, map, eased(entrance / 0.75));
  const cut = eased((entrance - 0.7) / 0.3);
  const { from, to } = space;
  const tilt = (scene.look.turn.pitch * Math.PI) / 180;
  const reach = Math.hypot(to[0] - from[0], to[1] - from[1]) / 2;
  const tall = reach * Math.sin(tilt) + ((to[2] - from[2]) / 2) * Math.cos(tilt);
  const top = text * 1.8;
  const camera = orthographic({
    ...scene.look.turn,
    centre: [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2],
    middle: [width / 2, (height + top) / 2],
    scale: Math.min((width / 2 - text * 1.6) / reach, ((height - top) / 2 - text * 1.2) / tall),
  });
  const plane = moment.present === null ? [] : separatingPlane(space, moment.present);
  return [
    ...groundMarks(space, map, cut === 0 ? { ...moment, present: null } : moment, camera),
    ...axisMarks(space, map, camera, text),
    ...meshMarks(space, camera),
    ...(plane.length < 3
      ? []
      : [
          pathMark(plane.map(camera.spot), { closed: true, fill: 'line', opacity: 0.14 * cut, id: 'plane' }),
          pathMark(plane.map(camera.spot), { closed: true, stroke: 'line', width: 1.2, opacity: 0.6 * cut }),
        ]),
    ...exampleMarks(scene, space, moment, camera, text),
  ];
}

/** Draws the sides of the curve on the ground: where the plane is below the surface, and where above. */
function groundMarks(space: KernelSpace, map: LiftMap, { present }: Moment, { spot }: Camera): Mark[] {
  const low = space.from[2];
  const [unit] = space.units;
  const on = (u: number, v: number) => spot([u / unit, v / unit, low]);
  const { from, to } = space;
  const corners: Point3[] = [
    [from[0], from[1], low],
    [to[0], from[1], low],
    [to[0], to[1], low],
    [from[0], to[1], low],
  ];
  const edge = pathMark(corners.map(spot), { closed: true, stroke: 'muted', width: 1, opacity: 0.7 });
  if (present === null || present.weights.every((weight) => weight === 0)) return [edge];
  const grid = floorGrid(space, map, present);
  const { cells, x, y, scores } = grid;
  const marks: Mark[] = [];
  for (let r = 0; r < cells; r++) {
    // Neighbours with the same sign are one area, so that no seams are seen.
    for (let c = 0; c < cells; ) {
      const sign = (at: number) => {
        const row = r * (cells + 1) + at;
        return scores[row]! + scores[row + 1]! + scores[row + cells + 1]! + scores[row + cells + 2]! > 0;
      };
      let end = c + 1;
      while (end < cells && sign(end) === sign(c)) end++;
      const spots = [on(x[c]!, y[r]!), on(x[end]!, y[r]!), on(x[end]!, y[r + 1]!), on(x[c]!, y[r + 1]!)];
      const fill = sign(c) ? 'positive-region' : 'negative-region';
      marks.push(pathMark(spots, { closed: true, fill, stroke: fill, width: 0.7 }));
      c = end;
    }
  }
  for (const [here, there] of zeroPieces(grid))
    marks.push(lineMark(on(...here), on(...there), { stroke: 'line', width: 2.5, id: 'boundary' }));
  return [...marks, edge];
}

/** Names the axes at the edges of the ground. */
function axisMarks({ from, to }: KernelSpace, map: LiftMap, { spot }: Camera, text: number): Mark[] {
  const style = { anchor: 'middle', fill: 'muted', stroke: 'paper', width: 3 } as const;
  const middle = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2] as const;
  const corner: Point3 = [from[0], to[1], from[2]];
  const above: Point3 = [from[0], to[1], to[2]];
  const [x, y] = spot(above);
  return [
    lineMark(spot(corner), spot(above), { stroke: 'muted', width: 1.2 }),
    textMark(spot([middle[0], from[1] - 0.12, from[2]]), 'x1', text * 0.9, style),
    textMark(spot([to[0] + 0.12, middle[1], from[2]]), 'x2', text * 0.9, style),
    textMark([x, y - text * 0.6], liftNames[map], text * 0.9, style),
  ];
}

/** Draws the surface as lines of equal x1 and of equal x2. */
function meshMarks({ from, to, units, on }: KernelSpace, { spot }: Camera): Mark[] {
  const steps = 24;
  const line = (place: (share: number) => readonly [number, number]) =>
    pathMark(
      Array.from({ length: steps + 1 }, (_, k) => {
        const [u, v] = place(k / steps);
        return spot(on(u * units[0], v * units[1]));
      }),
      { stroke: 'muted', width: 1, opacity: 0.45, id: 'surface' },
    );
  const between = (axis: 0 | 1, share: number) => from[axis] + share * (to[axis] - from[axis]);
  return Array.from({ length: meshLines }, (_, k) => k / (meshLines - 1)).flatMap((at) => [
    line((share) => [between(0, at), between(1, share)]),
    line((share) => [between(0, share), between(1, at)]),
  ]);
}

/** Draws the examples on the surface, far ones first, with their heights over the ground where there are few. */
function exampleMarks(scene: Scene, space: KernelSpace, moment: Moment, camera: Camera, text: number): Mark[] {
  const { vectors, shown, labels } = scene.examples;
  const few = shown.length <= 60;
  const size = text * (few ? 0.85 : 0.6);
  const points = Array.from(shown, (row, k) => {
    const at = space.on(vectors[2 * k]!, vectors[2 * k + 1]!);
    return { row, at, near: camera.nearness(at) };
  }).sort((a, b) => a.near - b.near);
  return points.flatMap(({ row, at }): Mark[] => {
    const spot = camera.spot(at);
    const foot = camera.spot([at[0], at[1], space.from[2]]);
    const role = classRole(labels[row]!);
    return [
      ...(few ? [lineMark(foot, spot, { stroke: role, width: 1, opacity: 0.35 })] : []),
      exampleMark(labels[row]!, spot, size, { stroke: 'paper', width: 1.2, id: `example ${row}` }),
      ...(row === moment.row
        ? [symbolMark('ring', spot, size * 1.9, { stroke: moment.updated ? 'update' : 'ink', width: 2, id: 'shown' })]
        : []),
    ];
  });
}

/** The space of two features and the lifted one, as a box of lengths. */
interface KernelSpace {
  readonly from: Point3;
  readonly to: Point3;
  /** Feature values per unit of length, along each axis. */
  readonly units: Point3;
  /** Returns the place of two features on the surface, in lengths. */
  readonly on: (x1: number, x2: number) => Point3;
}

/** @param risen share of the way from the ground to its height that the surface has risen. */
export function kernelSpace({ vectors, shown }: Examples, map: LiftMap, risen = 1): KernelSpace {
  const along = (axis: 0 | 1) => [0, ...Array.from(shown, (_, k) => vectors[2 * k + axis]!)];
  const [a, b] = [rangeOf(along(0), 0.12), rangeOf(along(1), 0.12)];
  // One unit for both features; the lifted one fills the same height, whatever its values are.
  const unit = Math.max(a[1] - a[0], b[1] - b[0]) / 2;
  const heights = [a[0], a[1], 0].flatMap((x) => [b[0], b[1], 0].map((y) => liftedFeature(map, x, y)));
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  const rise = (high - low) / 1.5 || 1;
  return {
    from: [a[0] / unit, b[0] / unit, low / rise],
    to: [a[1] / unit, b[1] / unit, high / rise],
    units: [unit, unit, rise],
    on: (x1, x2) => [x1 / unit, x2 / unit, (low + risen * (liftedFeature(map, x1, x2) - low)) / rise],
  };
}

/** Returns the part of the plane w·x + b = 0 inside the box; no corners if it misses the box. */
export function separatingPlane({ from, to, units }: KernelSpace, { weights, bias }: Line): Point3[] {
  const n: Point3 = [weights[0]! * units[0], weights[1]! * units[1], weights[2]! * units[2]];
  const square = n[0] ** 2 + n[1] ** 2 + n[2] ** 2;
  if (!(square > 0)) return [];
  // The plane through the origin, moved to the foot of the plane that is wanted.
  const foot: Point3 = [(-bias * n[0]) / square, (-bias * n[1]) / square, (-bias * n[2]) / square];
  const less = (p: Point3): Point3 => [p[0] - foot[0], p[1] - foot[1], p[2] - foot[2]];
  return planeInBox(n, less(from), less(to)).map((p): Point3 => [p[0] + foot[0], p[1] + foot[1], p[2] + foot[2]]);
}

/** A grid of scores over the two features, with the corners of its cells. */
interface FloorGrid {
  readonly cells: number;
  /** Values of a feature at the corners. */
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** Score at each corner, row by row. */
  readonly scores: readonly number[];
}

export function floorGrid(
  { from, to, units }: KernelSpace,
  map: LiftMap,
  { weights, bias }: Line,
  cells = 30,
): FloorGrid {
  const corners = (axis: 0 | 1) =>
    Array.from({ length: cells + 1 }, (_, k) => (from[axis] + ((to[axis] - from[axis]) * k) / cells) * units[axis]);
  const [x, y] = [corners(0), corners(1)];
  const scores = y.flatMap((v) =>
    x.map((u) => weights[0]! * u + weights[1]! * v + weights[2]! * liftedFeature(map, u, v) + bias),
  );
  return { cells, x, y, scores };
}

/** Returns the pieces of the curve where the score is 0, in feature values: at most two a cell. */
export function zeroPieces({
  cells,
  x,
  y,
  scores,
}: FloorGrid): (readonly [readonly [number, number], readonly [number, number]])[] {
  const pieces: (readonly [readonly [number, number], readonly [number, number]])[] = [];
  const at = (c: number, r: number) => scores[r * (cells + 1) + c]!;
  for (let r = 0; r < cells; r++)
    for (let c = 0; c < cells; c++) {
      const corners = [
        [c, r],
        [c + 1, r],
        [c + 1, r + 1],
        [c, r + 1],
      ] as const;
      const met: (readonly [number, number])[] = [];
      corners.forEach((here, i) => {
        const there = corners[(i + 1) % 4]!;
        const [a, b] = [at(...here), at(...there)];
        if (a > 0 === b > 0) return;
        const share = a / (a - b);
        const [u1, v1, u2, v2] = [x[here[0]]!, y[here[1]]!, x[there[0]]!, y[there[1]]!];
        met.push([u1 + share * (u2 - u1), v1 + share * (v2 - v1)]);
      });
      for (let k = 0; k + 1 < met.length; k += 2) pieces.push([met[k]!, met[k + 1]!]);
    }
  return pieces;
}
