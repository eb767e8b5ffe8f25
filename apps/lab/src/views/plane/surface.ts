import { contours } from 'd3-contour';
import { innerPieces } from '../../picture/contours.ts';
import { pathMark } from '../../picture/marks.ts';
import type { Mark, Spot } from '../../picture/picture.ts';
import { remember } from '../cache.ts';
import type { Surface } from '../view.ts';
import type { Ground } from './ground.ts';

interface Drawing {
  /** Row by row from the top, in [−1, 1]. */
  readonly values: Float64Array;
  /** Pieces of the line where the score is 0, in cells from the top left. */
  readonly boundary: readonly (readonly Spot[])[];
}

/** Draws the sides of a boundary that is no line. The last known surface stays until the next one is known. */
export function surfaceMarks(surface: Surface, { axes, at, projection }: Ground): Mark[] {
  const { from, to, columns: across, rows } = surface;
  const drawing = drawingOf(surface);
  const flat = projection.kind === 'line';
  const [left, bottom] = flat ? [axes.x(from[0]), axes.bottom] : at(from[0], from[1]);
  const [right, top] = flat ? [axes.x(to[0]), axes.top] : at(to[0], to[1]);
  const [cellX, cellY] = [(right - left) / (across - 1), (bottom - top) / (rows - 1)];
  const clip = (x: number, y: number): Spot => [
    Math.min(Math.max(x, axes.left), axes.right),
    Math.min(Math.max(y, axes.top), axes.bottom),
  ];
  const start = clip(left - cellX / 2, top - cellY / 2);
  const end = clip(right + cellX / 2, bottom + cellY / 2);
  return [
    {
      kind: 'cells',
      at: start,
      size: [end[0] - start[0], end[1] - start[1]],
      columns: across,
      rows,
      values: drawing.values,
      id: 'surface',
    },
    ...drawing.boundary.map(
      (spots): Mark =>
        pathMark(
          spots.map(([x, y]) => clip(left + (x - 0.5) * cellX, top + (y - 0.5) * cellY)),
          { stroke: 'line', width: 2.5, id: 'boundary' },
        ),
    ),
  ];
}

const drawingOf = remember(({ columns: across, rows, scores }: Surface): Drawing => {
  const turned = new Float64Array(scores.length);
  let largest = 0;
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < across; c++) {
      const score = scores[r * across + c]!;
      turned[(rows - 1 - r) * across + c] = score;
      largest = Math.max(largest, Math.abs(score));
    }
  const [above] = contours().size([across, rows]).thresholds([0])(Array.from(turned));
  // Rings also run along the edge of the grid; only their inner parts are boundary.
  const boundary = (above?.coordinates ?? []).flat().flatMap((ring) => innerPieces(ring, across, rows));
  // Square roots make differences near the boundary visible.
  return { values: turned.map((v) => (largest === 0 ? 0 : Math.sign(v) * Math.sqrt(Math.abs(v) / largest))), boundary };
});
