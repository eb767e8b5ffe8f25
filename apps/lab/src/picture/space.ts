import type { Spot } from './picture.ts';

/** A point or direction in space; the third coordinate is upwards. */
export type Point3 = readonly [x: number, y: number, z: number];

/** An orthographic view of space, turned about the vertical and tilted, in degrees. */
export interface Camera {
  readonly spot: (at: Point3) => Spot;
  /** Distance towards the viewer: larger is nearer. */
  readonly nearness: (at: Point3) => number;
  /** Direction towards the viewer. */
  readonly towards: Point3;
}

interface CameraOptions {
  readonly yaw: number;
  readonly pitch: number;
  /** The point in the middle of the frame. */
  readonly centre: Point3;
  readonly middle: Spot;
  /** Pixels per unit. */
  readonly scale: number;
}

export function orthographic({ yaw, pitch, centre, middle, scale }: CameraOptions): Camera {
  const [a, b] = [(yaw * Math.PI) / 180, (pitch * Math.PI) / 180];
  const [sinA, cosA, sinB, cosB] = [Math.sin(a), Math.cos(a), Math.sin(b), Math.cos(b)];
  return {
    spot: ([x, y, z]) => {
      const [dx, dy, dz] = [x - centre[0], y - centre[1], z - centre[2]];
      const away = dx * sinA + dy * cosA;
      return [middle[0] + scale * (dx * cosA - dy * sinA), middle[1] - scale * (away * sinB + dz * cosB)];
    },
    nearness: ([x, y, z]) => z * sinB - (x * sinA + y * cosA) * cosB,
    towards: [-sinA * cosB, -cosA * cosB, sinB],
  };
}

/** Returns the part of a polygon in space where n·p + c ≥ 0. */
export function cutSpace(polygon: readonly Point3[], n: Point3, c = 0): Point3[] {
  const height = (p: Point3) => n[0] * p[0] + n[1] * p[1] + n[2] * p[2] + c;
  const kept: Point3[] = [];
  polygon.forEach((here, i) => {
    const next = polygon[(i + 1) % polygon.length]!;
    const [a, b] = [height(here), height(next)];
    if (a >= 0) kept.push(here);
    if (a >= 0 !== b >= 0) {
      const share = a / (a - b);
      kept.push([
        here[0] + share * (next[0] - here[0]),
        here[1] + share * (next[1] - here[1]),
        here[2] + share * (next[2] - here[2]),
      ]);
    }
  });
  return kept;
}

/** Returns the part of the plane n·p = 0 inside a box; no corners if the plane misses the box or n is 0. */
export function planeInBox(n: Point3, from: Point3, to: Point3): Point3[] {
  const length = Math.hypot(...n);
  if (!(length > 0)) return [];
  const unit: Point3 = [n[0] / length, n[1] / length, n[2] / length];
  // Two directions in the plane: at right angles to the normal, and to the axis that is farthest from it.
  const sizes = unit.map(Math.abs);
  const least = sizes.indexOf(Math.min(...sizes));
  const u = cross(unit, [least === 0 ? 1 : 0, least === 1 ? 1 : 0, least === 2 ? 1 : 0]);
  const v = cross(unit, u);
  const far = 4 * Math.max(...from.map(Math.abs), ...to.map(Math.abs));
  const corner = (p: number, q: number): Point3 => [
    far * (p * u[0] + q * v[0]),
    far * (p * u[1] + q * v[1]),
    far * (p * u[2] + q * v[2]),
  ];
  let polygon: Point3[] = [corner(1, 1), corner(-1, 1), corner(-1, -1), corner(1, -1)];
  for (const axis of [0, 1, 2] as const) {
    const along: Point3 = [axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0];
    polygon = cutSpace(polygon, along, -from[axis]);
    polygon = cutSpace(polygon, [-along[0], -along[1], -along[2]], to[axis]);
  }
  return polygon;
}

function cross(a: Point3, b: Point3): Point3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
