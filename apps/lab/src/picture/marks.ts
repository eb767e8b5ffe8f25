import { type Box, cornersOf, cutHalfPlane } from './clip.ts';
import type { ArrowMark, LineMark, Mark, PathMark, Pen, Role, Spot, SymbolMark, TextMark } from './picture.ts';

/** A straight line between two spots. */
export const lineMark = (from: Spot, to: Spot, pen: Pen): LineMark => ({ kind: 'line', from, to, ...pen });

/** An arrow whose head is at `to`. */
export const arrowMark = (from: Spot, to: Spot, pen: Pen): ArrowMark => ({ kind: 'arrow', from, to, ...pen });

/** Straight pieces through spots. */
export const pathMark = (spots: readonly Spot[], pen: Omit<PathMark, 'kind' | 'spots'>): PathMark => ({
  kind: 'path',
  spots,
  ...pen,
});

/** A symbol with its middle at a spot. @param size its diameter in pixels. */
export const symbolMark = (shape: SymbolMark['shape'], at: Spot, size: number, pen: Pen): SymbolMark => ({
  kind: 'symbol',
  shape,
  at,
  size,
  ...pen,
});

/** A text at a spot. @param size height of its letters in pixels. */
export const textMark = (
  at: Spot,
  text: string,
  size: number,
  style: Omit<TextMark, 'kind' | 'at' | 'text' | 'size'> = {},
): TextMark => ({ kind: 'text', at, text, size, ...style });

/** Returns the colour role of a class, −1 or 1. */
export const classRole = (label: number): Extract<Role, 'positive' | 'negative'> =>
  label > 0 ? 'positive' : 'negative';

/** An example in the shape and colour of its class, −1 or 1. */
export const exampleMark = (label: number, at: Spot, size: number, pen: Pen = {}): SymbolMark =>
  symbolMark(label > 0 ? 'disc' : 'square', at, size, { fill: classRole(label), ...pen });

/** The part of a box where a·x + b·y + c ≥ 0, as an area; no mark if there is none. */
export function halfPlaneMarks(box: Box, [a, b, c]: readonly [number, number, number], pen: Pen): PathMark[] {
  const spots = cutHalfPlane(cornersOf(box), a, b, c);
  return spots.length < 3 ? [] : [pathMark(spots, { closed: true, ...pen })];
}

/** Returns a mark that is moved by some pixels. */
export function movedMark(mark: Mark, right: number, down: number): Mark {
  const move = ([x, y]: Spot): Spot => [x + right, y + down];
  if (mark.kind === 'line' || mark.kind === 'arrow') return { ...mark, from: move(mark.from), to: move(mark.to) };
  if (mark.kind === 'path') return { ...mark, spots: mark.spots.map(move) };
  return { ...mark, at: move(mark.at) };
}

/** Returns the corners of a triangle with the area of a disc of this size, from its top. */
export function triangleCorners([x, y]: Spot, size: number): Spot[] {
  const side = size * 1.347;
  const height = side * 0.866;
  return [
    [x, y - (2 / 3) * height],
    [x + side / 2, y + height / 3],
    [x - side / 2, y + height / 3],
  ];
}
