import type { Axes } from '../../picture/axes.ts';
import { inPixels, lineInBox } from '../../picture/clip.ts';
import { arrowMark, halfPlaneMarks, lineMark, textMark } from '../../picture/marks.ts';
import type { Mark, Pen, Role, Spot } from '../../picture/picture.ts';
import type { Slice } from './projection.ts';

/** Draws the two sides of a line; nothing if all scores are 0. */
export function sides(axes: Axes, slice: Slice): Mark[] {
  const [a, b, c] = inPixels(axes, slice);
  if (a === 0 && b === 0 && c === 0) return [];
  return [
    ...halfPlaneMarks(axes, [a, b, c], { fill: 'positive-region', id: 'positive side' }),
    ...halfPlaneMarks(axes, [-a, -b, -c], { fill: 'negative-region', id: 'negative side' }),
  ];
}

interface LineStyle extends Pen {
  readonly id: string;
  readonly stroke: Role;
  /** A name at one end of the line. */
  readonly name?: string;
  /** Size of text. */
  readonly text?: number;
  /** The end of the name; default the second. */
  readonly end?: 0 | 1;
}

/** Draws the line where a score is `level`; nothing if it is out of sight. */
export function levelLine(axes: Axes, [a, b, c]: Slice, level: number, style: LineStyle): Mark[] {
  const ends = lineInBox(...inPixels(axes, [a, b, c - level]), axes);
  if (ends === null) return [];
  const { name, text = 13, end = 1, ...pen } = style;
  const line = lineMark(ends[0], ends[1], pen);
  if (name === undefined) return [line];
  const { stroke, id } = pen;
  return [line, nameAt(axes, ends[end], ends[1 - end]!, name, { stroke, text, id: `${id} name` })];
}

/** Writes a name beside an end of a line, inside the box, with a halo so that it can be read over anything. */
function nameAt(
  { left, right, top, bottom }: Axes,
  [x, y]: Spot,
  [otherX, otherY]: Spot,
  name: string,
  { stroke, text, id }: { readonly stroke: Role; readonly text: number; readonly id: string },
): Mark {
  const length = Math.hypot(otherX - x, otherY - y) || 1;
  // The name stands a little along the line, to its side.
  const [ux, uy] = [(otherX - x) / length, (otherY - y) / length];
  const [alongX, alongY] = [x + ux * text * 1.4 - uy * text * 0.9, y + uy * text * 1.4 + ux * text * 0.9];
  const half = name.length * text * 0.3;
  return textMark(
    [
      Math.min(Math.max(alongX, left + half + 2), right - half - 2),
      Math.min(Math.max(alongY, top + text * 0.7), bottom - text * 0.7),
    ],
    name,
    text,
    { anchor: 'middle', weight: 'bold', fill: stroke, stroke: 'paper', width: 3, id },
  );
}

/** Draws an arrow from the middle of a line to its positive side, at right angles. */
export function normalArrow(axes: Axes, slice: Slice, length: number): Mark[] {
  const [a, b, c] = inPixels(axes, slice);
  const ends = lineInBox(a, b, c, axes);
  const size = Math.hypot(a, b);
  if (ends === null || !(size > 0)) return [];
  const from: Spot = [(ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2];
  const to: Spot = [from[0] + (a / size) * length, from[1] + (b / size) * length];
  return [arrowMark(from, to, { stroke: 'line', width: 2, id: 'normal' })];
}
