import type { ClassRun } from '../../engine/class-recording.ts';
import type { Axes } from '../../picture/axes.ts';
import { cornersOf, cutHalfPlane, inPixels, lineInBox } from '../../picture/clip.ts';
import { lineMark, pathMark } from '../../picture/marks.ts';
import type { Mark, Pen, Role, Spot } from '../../picture/picture.ts';
import type { Weights } from './moment.ts';

/** The roles and symbols of up to three classes, by their positions. They differ in shape, not only in colour. */
export const classLooks = [
  { role: 'negative', region: 'negative-region', shape: 'square' },
  { role: 'positive', region: 'positive-region', shape: 'disc' },
  { role: 'third', region: 'third-region', shape: 'triangle' },
] as const satisfies readonly { readonly role: Role; readonly region: Role; readonly shape: string }[];

/** A score over the plane of two features: a·u + b·v + c. */
export type Slice = readonly [a: number, b: number, c: number];

/** Returns the score of each class over two features; all others are those of an example. */
export function slicesOf(
  run: ClassRun,
  weights: Weights,
  [h, v]: readonly [number, number],
  at: Float64Array,
): Slice[] {
  const { dimension, divisor, biasConstant } = run;
  return run.classes.map((_, k) => {
    const first = k * (dimension + 1);
    let rest = weights[first]! * biasConstant;
    for (let j = 0; j < dimension; j++) if (j !== h && j !== v) rest += (weights[first + 1 + j]! * at[j]!) / divisor;
    return [weights[first + 1 + h]! / divisor, weights[first + 1 + v]! / divisor, rest];
  });
}

const less = (a: Slice, b: Slice): Slice => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/** Draws where each class has the highest score; the first of equal ones has it, as in the model. */
export function regionMarks(axes: Axes, slices: readonly Slice[]): Mark[] {
  return slices.flatMap((own, k) => {
    let spots: readonly Spot[] = cornersOf(axes);
    slices.forEach((other, j) => {
      const [a, b, c] = inPixels(axes, less(own, other));
      // Classes with the same score everywhere: the first one has all of it.
      if (a === 0 && b === 0 && c === 0) spots = j < k ? [] : spots;
      else if (j !== k) spots = cutHalfPlane(spots, a, b, c);
    });
    const { region } = classLooks[k]!;
    return spots.length < 3 ? [] : [pathMark(spots, { closed: true, fill: region, id: `region ${k}` })];
  });
}

/** Draws where two classes have the highest score together. */
export function boundaryMarks(axes: Axes, slices: readonly Slice[], pen: Pen & { readonly id: string }): Mark[] {
  const marks: Mark[] = [];
  for (let k = 0; k < slices.length; k++)
    for (let j = 0; j < k; j++) {
      const line = lineInBox(...inPixels(axes, less(slices[k]!, slices[j]!)), axes);
      if (line === null) continue;
      const others = slices
        .filter((_, i) => i !== j && i !== k)
        .map((other) => inPixels(axes, less(slices[k]!, other)));
      const piece = others.reduce<readonly [Spot, Spot] | null>((left, cut) => left && cutLine(left, cut), line);
      if (piece !== null) marks.push(lineMark(piece[0], piece[1], pen));
    }
  return marks;
}

/** Returns the part of a line where a·x + b·y + c ≥ 0; null: there is none. */
function cutLine([from, to]: readonly [Spot, Spot], [a, b, c]: Slice): readonly [Spot, Spot] | null {
  const [here, there] = [a * from[0] + b * from[1] + c, a * to[0] + b * to[1] + c];
  if (here < 0 && there < 0) return null;
  if (here >= 0 && there >= 0) return [from, to];
  const share = here / (here - there);
  const met: Spot = [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
  return here >= 0 ? [from, met] : [met, to];
}
