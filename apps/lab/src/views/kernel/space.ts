import type { LiftMap } from '../../engine/companion.ts';
import type { Examples } from '../../engine/examples.ts';
import { liftedFeature } from '../../engine/lift-maps.ts';
import type { Line } from '../../engine/recording.ts';
import { rangeOf } from '../../picture/axes.ts';
import { type Point3, planeInBox } from '../../picture/space.ts';

/** The space of two features and the lifted one, as a box of lengths. */
export interface KernelSpace {
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
export interface FloorGrid {
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
