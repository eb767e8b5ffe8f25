import { textMark } from '../../picture/marks.ts';
import type { Mark } from '../../picture/picture.ts';

/** A square picture of pixels. */
interface Image {
  readonly left: number;
  readonly top: number;
  readonly side: number;
  /** Number of pixels in a row, and of rows. */
  readonly pixels: number;
  readonly id: string;
}

/** Draws ink: a share in [0, 1] for each pixel, row by row from the top left. */
export function inkMarks(image: Image, ink: ArrayLike<number>): Mark[] {
  return squares(image, (k) => ({ role: 'ink', strength: ink[k]! }));
}

/**
 * Draws weights by their signs: positive ones in the colour of the positive class, with a plus where there is room, the
 * others with a minus. Their strength is that beside the largest one.
 */
export function weightMarks(image: Image, weights: Float64Array): Mark[] {
  const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) || 1;
  const marks = squares(image, (k) => ({
    role: weights[k]! >= 0 ? 'positive' : 'negative',
    strength: Math.abs(weights[k]!) / largest,
  }));
  const cell = image.side / image.pixels;
  if (cell < 13) return marks;
  weights.forEach((weight, k) => {
    if (Math.abs(weight) / largest < 0.35) return;
    const at = [
      image.left + cell * ((k % image.pixels) + 0.5),
      image.top + cell * (Math.floor(k / image.pixels) + 0.5),
    ] as const;
    marks.push(textMark(at, weight > 0 ? '+' : '−', cell * 0.7, { anchor: 'middle', fill: 'paper', weight: 'bold' }));
  });
  return marks;
}

type Shade = { readonly role: 'ink' | 'positive' | 'negative'; readonly strength: number };

function squares({ left, top, side, pixels, id }: Image, shadeOf: (pixel: number) => Shade): Mark[] {
  const cell = side / pixels;
  const corners = (x: number, y: number, size: number) =>
    [
      [x, y],
      [x + size, y],
      [x + size, y + size],
      [x, y + size],
    ] as const;
  const marks: Mark[] = [
    { kind: 'path', spots: corners(left, top, side), closed: true, stroke: 'muted', width: 1, id },
  ];
  for (let k = 0; k < pixels * pixels; k++) {
    const { role, strength } = shadeOf(k);
    if (strength < 0.02) continue;
    const spots = corners(left + cell * (k % pixels), top + cell * Math.floor(k / pixels), cell);
    marks.push({ kind: 'path', spots, closed: true, fill: role, opacity: strength });
  }
  return marks;
}
