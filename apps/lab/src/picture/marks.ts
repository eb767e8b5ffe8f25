import { type Box, cornersOf, cutHalfPlane } from './clip.ts';
import type {
  ArrowMark,
  CellsMark,
  LineMark,
  Mark,
  PathMark,
  Pen,
  Role,
  Spot,
  SymbolMark,
  TextMark,
} from './picture.ts';

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

/** A mark of the three kinds that every format has; symbols are discs and rings. */
export type PlainMark = PathMark | SymbolMark | TextMark;

/** Returns marks that look the same, for formats that are text. */
export function plainMarks(mark: Mark): PlainMark[] {
  if (mark.kind === 'text' || mark.kind === 'path') return [mark];
  if (mark.kind === 'cells') return cellMarks(mark);
  if (mark.kind === 'line' || mark.kind === 'arrow') {
    const { kind, from, to, ...pen } = mark;
    const line = pathMark([from, to], pen);
    if (kind === 'line') return [line];
    const { stroke = 'ink', width = 1.5, opacity } = mark;
    const head = { closed: true, fill: stroke, ...(opacity === undefined ? {} : { opacity }) };
    return [line, pathMark(arrowHead(from, to, width), head)];
  }
  const { kind: _, shape, at, size, ...pen } = mark;
  if (shape === 'disc' || shape === 'ring') return [mark];
  if (shape === 'triangle') return [pathMark(triangleCorners(at, size), { ...pen, closed: true })];
  // The square has the same area as a disc of this size.
  const half = (size / 2) * (shape === 'square' ? 0.886 : 1);
  const corners = boxCorners([at[0] - half, at[1] - half], [2 * half, 2 * half]);
  if (shape === 'square') return [pathMark(corners, { ...pen, closed: true })];
  return [0, 1].map((k) => pathMark([corners[k]!, corners[k + 2]!], pen));
}

function cellMarks({ at, size, columns, rows, values, opacity = 1 }: CellsMark): PathMark[] {
  const [width, height] = [size[0] / columns, size[1] / rows];
  return Array.from(values, (value, k) => {
    const corner: Spot = [at[0] + (k % columns) * width, at[1] + Math.floor(k / columns) * height];
    // Neighbours overlap a little, so that no paper shows between them.
    return pathMark(boxCorners(corner, [width + 0.6, height + 0.6]), {
      closed: true,
      fill: value > 0 ? 'positive-region' : 'negative-region',
      opacity: opacity * Math.min(1, 0.25 + 0.75 * Math.abs(value)),
    });
  });
}

/** Returns the corners of a box from the top left, clockwise. */
const boxCorners = ([x, y]: Spot, [width, height]: Spot): Spot[] => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
];

/** Returns the three corners of an arrow's head. */
export function arrowHead([x1, y1]: Spot, [x2, y2]: Spot, width: number): Spot[] {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length === 0) return [];
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const size = Math.min(4 + 2.5 * width, length);
  const [bx, by] = [x2 - ux * size, y2 - uy * size];
  return [
    [x2, y2],
    [bx - (uy * size) / 2, by + (ux * size) / 2],
    [bx + (uy * size) / 2, by - (ux * size) / 2],
  ];
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
