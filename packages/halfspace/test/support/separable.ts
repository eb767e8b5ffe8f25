import fc from 'fast-check';
import type { Example } from '../oracles/oracle.ts';
import { dyadic } from './examples.ts';

/** A data set with a known separator, in dyadic numbers of few bits, so that inequalities can be checked exactly. */
export interface Separable {
  readonly data: readonly Example[];
  /** w*, through the origin; its length is the integer `norm`. */
  readonly separator: readonly number[];
  readonly norm: number;
  /** min y(w*·x) > 0; the margin is γ = least / norm. */
  readonly least: number;
  /** R² = max‖x‖². */
  readonly squaredRadius: number;
}

/** Integer vectors of integer length. */
const separators = [
  { separator: [1], norm: 1 },
  { separator: [3, -4], norm: 5 },
  { separator: [1, 2, 2], norm: 3 },
  { separator: [-2, 3, 6], norm: 7 },
  { separator: [1, 1, -1, 1], norm: 2 },
  { separator: [2, 4, -5, 6, 0], norm: 9 },
];

export function dot(w: ArrayLike<number>, x: ArrayLike<number>): number {
  let sum = 0;
  for (let j = 0; j < x.length; j++) sum += w[j]! * x[j]!;
  return sum;
}

/** Points of the grid at least `gap` beyond w*·x = 0 (in units of w*·x), labelled by their side. */
export function separable({ rows = 16, gap = 1 / 4 } = {}): fc.Arbitrary<Separable> {
  return fc.constantFrom(...separators).chain(({ separator, norm }) =>
    fc
      .array(fc.array(dyadic, { minLength: separator.length, maxLength: separator.length }), {
        minLength: 2,
        maxLength: rows,
      })
      .map((points) => {
        const far = points.filter((x) => Math.abs(dot(separator, x)) >= gap);
        // Mirrored copies make sure of both classes.
        far.push(
          separator.slice(),
          separator.map((component) => -component),
        );
        const data = far.map((x): Example => ({ x, y: dot(separator, x) > 0 ? 1 : -1 }));
        const least = Math.min(...data.map(({ x, y }) => y * dot(separator, x)));
        const squaredRadius = Math.max(...data.map(({ x }) => dot(x, x)));
        return { data, separator, norm, least, squaredRadius };
      }),
  );
}
