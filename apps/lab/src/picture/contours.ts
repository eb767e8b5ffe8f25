import { contours } from 'd3-contour';
import type { Box } from './clip.ts';
import { pathMark } from './marks.ts';
import type { Mark, Role, Spot } from './picture.ts';

interface ContourOptions {
  readonly box: Box;
  readonly columns: number;
  readonly rows: number;
  /** Row by row from the bottom left, at the centres of the cells. */
  readonly values: Float64Array;
  /** Falling levels: the area below each level is filled, one layer over the other. */
  readonly levels: readonly number[];
  readonly fill: Role;
  readonly opacity: number;
}

/**
 * Returns the areas where the values of a grid are at most a level, one layer for each level, and lines around them.
 */
export function contourMarks({ box, columns, rows, values, levels, fill, opacity }: ContourOptions): Mark[] {
  const { left, right, top, bottom } = box;
  const marks: Mark[] = [];
  const depths = Array.from(values, (value) => -value);
  const spotOf = (c: number, r: number): Spot => [
    left + (c / columns) * (right - left),
    bottom + (r / rows) * (top - bottom),
  ];
  const make = contours().size([columns, rows]);
  levels.forEach((level, k) => {
    const { coordinates } = make.contour(depths, -level);
    const [area, lines]: [Mark[], Mark[]] = [[], []];
    for (const polygon of coordinates) {
      const rings = polygon.map((ring) => ring.map(([c, r]) => spotOf(c!, r!)));
      area.push(pathMark(oneRing(rings), { closed: true, fill, opacity, id: `below ${k}` }));
      for (const ring of polygon)
        for (const piece of innerPieces(ring, columns, rows))
          lines.push(
            pathMark(
              piece.map(([c, r]) => spotOf(c, r)),
              { stroke: fill, width: 0.8, opacity: 0.55 },
            ),
          );
    }
    marks.push(...area, ...lines);
  });
  return marks;
}

/**
 * Returns a ring and its holes as one path, which goes to each hole and back on the same way. Holes turn in the other
 * direction, so they stay empty.
 */
function oneRing(rings: readonly (readonly Spot[])[]): Spot[] {
  const [outer, ...holes] = rings;
  const spots = [...outer!];
  for (const hole of holes) spots.push(...hole, outer!.at(-1)!);
  return spots;
}

/** Returns the pieces of a ring of d3-contour that do not run along the edge of the grid. */
export function innerPieces(ring: readonly (readonly number[])[], columns: number, rows: number): Spot[][] {
  const pieces: Spot[][] = [];
  let piece: Spot[] = [];
  const onEdge = ([c, r]: Spot) => c <= 0.5 || c >= columns - 0.5 || r <= 0.5 || r >= rows - 0.5;
  const spots = ring.map(([c, r]): Spot => [c!, r!]);
  spots.forEach((here, k) => {
    const before = spots[k - 1];
    if (before !== undefined && onEdge(before) && onEdge(here)) {
      if (piece.length > 1) pieces.push(piece);
      piece = [];
    }
    piece.push(here);
  });
  if (piece.length > 1) pieces.push(piece);
  return pieces;
}
