import type { Highs } from 'highs';
import { type Clock, within } from '../clock.ts';
import type { Frame } from './frame.ts';
import { lowest, positive } from './pick.ts';
import { mostSecondsPerCall, optimal } from './run-model.ts';
import { signedVectors } from './signed-vectors.ts';

export interface Widest {
  /** Weights of the frame's features. */
  readonly u: Float64Array;
  /** λ > 0 by example. */
  readonly lambda: Map<number, number>;
}

/**
 * Computes the line of largest margin (hard-margin support vector machine; Boser, Guyon and Vapnik 1992) by a quadratic
 * programme over a growing set of examples:
 *
 *   minimise  ½‖w‖²    subject to  yᵢ(w·xᵢ + b) ≥ 1.
 *
 * Examples that violate the constraint join until there are none. The dual values, divided by their sum, are the λ with
 * the smallest ‖Σ λᵢyᵢxᵢ‖. All this is floating point: the caller rounds the result and proves it.
 *
 * @param start a separator of the frame's features.
 * @returns null if the solver fails.
 */
export async function widestLine(
  highs: Highs,
  frame: Frame,
  start: { u: Float64Array; bias: number },
  clock: Clock,
): Promise<Widest | null> {
  const { rows, dimension } = frame.examples;
  const most = frame.factors.reduce((a, b) => Math.max(a, b), -Infinity);
  // w = factor·u, so the norm of w weighs each uⱼ by the square of its factor.
  const squares = frame.factors.map((factor) => (factor / most) ** 2);
  const scores = new Float64Array(rows);
  const scoreAll = (u: Float64Array, bias: number) => {
    for (let i = 0; i < rows; i++) scores[i] = frame.signedScore(i, u, bias);
  };
  scoreAll(start.u, start.bias);
  const least = scores.reduce((a, b) => Math.min(a, b), Infinity);
  const unit = least > 0 ? least : 1;
  const members = lowest(scores, 4 * Math.min(dimension, 500) + 100, Infinity, new Set());
  const isMember = new Set(members);
  let best: Widest | null = null;
  for (let round = 0; round < 100 && (await clock.breathe()); round++) {
    const solved = highs.withModel((model) => {
      // If margins are near the rounding of doubles, the solver may cycle until then.
      model.options.set({ output_flag: false, time_limit: within(mostSecondsPerCall, clock).left() });
      const columns = dimension + 1;
      model.passModel({
        numCols: columns,
        numRows: members.length,
        colCost: new Float64Array(columns),
        colLower: new Float64Array(columns).fill(-highs.infinity),
        colUpper: new Float64Array(columns).fill(highs.infinity),
        rowLower: new Float64Array(members.length).fill(1),
        rowUpper: new Float64Array(members.length).fill(highs.infinity),
        matrix: {
          format: 'csr',
          numRows: members.length,
          numCols: columns,
          ...signedVectors(frame, members, (label) => [dimension, label]),
        },
        hessian: {
          format: 'triangular',
          dimension: columns,
          starts: Int32Array.from({ length: columns + 1 }, (_, j) => Math.min(j, dimension)),
          indices: Int32Array.from({ length: dimension }, (_, j) => j),
          values: squares,
        },
      });
      model.setSolution({
        colValue: [...start.u, start.bias].map((each) => each / unit),
      });
      try {
        model.run();
      } catch {
        // The solver fails if margins are near the rounding of doubles. The earlier result stands.
        return null;
      }
      if (model.getModelStatus() !== optimal) return null;
      const { colValue, rowDual } = model.getSolution();
      return { colValue, rowDual };
    });
    if (solved === null) return best;
    const u = solved.colValue.slice(0, dimension);
    scoreAll(u, solved.colValue[dimension]!);
    best = { u, lambda: positive(solved.rowDual, members) };
    const joining = lowest(scores, 200 + dimension, 1 - 1e-9, isMember);
    if (joining.length === 0) return best;
    for (const i of joining) {
      members.push(i);
      isMember.add(i);
    }
  }
  return best;
}
