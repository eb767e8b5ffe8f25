import type { Axes } from '../../picture/axes.ts';
import { cutHalfPlane, lineInBox } from '../../picture/clip.ts';
import { arrowMark, lineMark, pathMark, textMark } from '../../picture/marks.ts';
import type { Mark, Role, Spot } from '../../picture/picture.ts';
import type { Slice } from './projection.ts';

/** A score in pixels: a·x + b·y + c. */
export function inPixels({ x, y }: Axes, [a, b, c]: Slice): Slice {
  const [fromX, fromY] = [x.invert(0), y.invert(0)];
  return [a * (x.invert(1) - fromX), b * (y.invert(1) - fromY), a * fromX + b * fromY + c];
}

export function corners({ left, right, top, bottom }: Axes): Spot[] {
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}

/** The two sides of a line. Where all scores are 0 there are none. */
export function sides(axes: Axes, slice: Slice): Mark[] {
  const [a, b, c] = inPixels(axes, slice);
  if (a === 0 && b === 0 && c === 0) return [];
  const side = (sign: 1 | -1, id: string): Mark[] => {
    const spots = cutHalfPlane(corners(axes), sign * a, sign * b, sign * c);
    if (spots.length < 3) return [];
    return [pathMark(spots, { closed: true, fill: sign > 0 ? 'positive-region' : 'negative-region', id })];
  };
  return [...side(1, 'positive side'), ...side(-1, 'negative side')];
}

export interface LineStyle {
  readonly id: string;
  readonly stroke: Role;
  readonly width: number;
  readonly dash?: readonly number[];
  readonly opacity?: number;
  /** Written at an end of the line. */
  readonly name?: string;
  /** Size of text. */
  readonly text?: number;
  /** At which of its ends; default the second. */
  readonly end?: 0 | 1;
}

/** Where a score is `level`; nothing where that is out of sight. */
export function levelLine(axes: Axes, [a, b, c]: Slice, level: number, style: LineStyle): Mark[] {
  const ends = lineInBox(...inPixels(axes, [a, b, c - level]), axes);
  if (ends === null) return [];
  const { id, stroke, width, dash, opacity, name, text = 13, end = 1 } = style;
  const marks: Mark[] = [
    lineMark(ends[0], ends[1], {
      stroke,
      width,
      id,
      ...(dash === undefined ? {} : { dash }),
      ...(opacity === undefined ? {} : { opacity }),
    }),
  ];
  if (name !== undefined) marks.push(nameAt(axes, ends[end], ends[1 - end]!, name, { stroke, text, id: `${id} name` }));
  return marks;
}

/** A name beside an end of a line, inside the box, on paper so that it can be read over anything. */
function nameAt(
  { left, right, top, bottom }: Axes,
  [x, y]: Spot,
  [otherX, otherY]: Spot,
  name: string,
  { stroke, text, id }: { readonly stroke: Role; readonly text: number; readonly id: string },
): Mark {
  const length = Math.hypot(otherX - x, otherY - y) || 1;
  // A little way along the line, then to its side.
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

/** From the middle of a line to its positive side, at right angles, so long. */
export function normalArrow(axes: Axes, slice: Slice, length: number): Mark[] {
  const [a, b, c] = inPixels(axes, slice);
  const ends = lineInBox(a, b, c, axes);
  const size = Math.hypot(a, b);
  if (ends === null || !(size > 0)) return [];
  const from: Spot = [(ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2];
  const to: Spot = [from[0] + (a / size) * length, from[1] + (b / size) * length];
  return [arrowMark(from, to, { stroke: 'line', width: 2, id: 'normal' })];
}
