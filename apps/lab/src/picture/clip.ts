import type { Spot } from './picture.ts';
import type { Scale } from './scale.ts';

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Returns the corners of a box in turn, from the top left. */
export function cornersOf({ left, right, top, bottom }: Box): Spot[] {
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}

/** Returns the part of a polygon where a·x + b·y + c ≥ 0: one cut of Sutherland & Hodgman's algorithm. */
export function cutHalfPlane(polygon: readonly Spot[], a: number, b: number, c: number): Spot[] {
  const kept: Spot[] = [];
  const height = ([x, y]: Spot) => a * x + b * y + c;
  polygon.forEach((spot, i) => {
    const next = polygon[(i + 1) % polygon.length]!;
    const [here, there] = [height(spot), height(next)];
    if (here >= 0) kept.push(spot);
    if (here >= 0 !== there >= 0) {
      const share = here / (here - there);
      kept.push([spot[0] + share * (next[0] - spot[0]), spot[1] + share * (next[1] - spot[1])]);
    }
  });
  return kept;
}

/** Returns the ends of the line a·x + b·y + c = 0 inside a box; null: the line misses the box. */
export function lineInBox(a: number, b: number, c: number, box: Box): [Spot, Spot] | null {
  const corners = cornersOf(box);
  const met: Spot[] = [];
  corners.forEach((from, i) => {
    const to = corners[(i + 1) % 4]!;
    const [here, there] = [a * from[0] + b * from[1] + c, a * to[0] + b * to[1] + c];
    if (here === there || here > 0 === there > 0) return;
    const share = here / (here - there);
    met.push([from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]);
  });
  return met.length < 2 ? null : [met[0]!, met[1]!];
}

/** Rewrites a·u + b·v + c, of numbers along two scales, as a function of their pixels. */
export function inPixels(
  { x, y }: { readonly x: Scale; readonly y: Scale },
  [a, b, c]: readonly [a: number, b: number, c: number],
): [a: number, b: number, c: number] {
  const [x0, y0] = [x.invert(0), y.invert(0)];
  return [a * (x.invert(1) - x0), b * (y.invert(1) - y0), a * x0 + b * y0 + c];
}
