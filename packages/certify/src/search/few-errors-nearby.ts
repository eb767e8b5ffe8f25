import type { Random } from 'halfspace/runs';
import type { Highs } from 'highs';
import { type Clock, within } from '../clock.ts';
import type { Frame } from './frame.ts';
import type { Line } from './line-search.ts';
import { mostSecondsPerCall, optimal } from './run-model.ts';
import { signedVectors } from './signed-vectors.ts';

/** Bound of the weights. The nearest example on the right side has a score of 1 or more. */
const bound = 100;

/** Maximum number of nodes of a programme. Time ends those that need more of it per node. */
const mostNodes = 500;

/**
 * Searches for a line with fewer errors than one line near it, by a mixed-integer programme:
 *
 *   minimise  Σ zᵢ    subject to  yᵢ(u·x'ᵢ + b) + Mᵢzᵢ ≥ 1,  zᵢ ∈ {0, 1},  |u|, |b| ≤ 100.
 *
 * Only some examples near the line, `size` on each side, have a variable. Of the others, those that the line
 * misclassifies are left out, and the rest has to stay correct. Which examples these are is drawn, the nearest ones
 * most often.
 *
 * @returns null if there is none, or if none is found within the limits.
 */
export async function fewerErrorsNear(
  highs: Highs,
  frame: Frame,
  { u, bias }: Line,
  size: number,
  random: Random,
  clock: Clock,
): Promise<Line | null> {
  const { rows, dimension } = frame.examples;
  const distances = Float64Array.from({ length: rows }, (_, i) => frame.signedScore(i, u, bias));
  const drawn = distances.map((each) => Math.abs(each) * (0.3 + random.uniform()));
  const all = Array.from({ length: rows }, (_, i) => i).sort((a, b) => drawn[a]! - drawn[b]!);
  const right = all.filter((i) => distances[i]! > 0);
  const wrong = all.filter((i) => !(distances[i]! > 0)).slice(0, size);
  const kept = right.slice(size);
  const free = [...wrong, ...right.slice(0, size)];
  const members = [...kept, ...free];
  const columns = dimension + 1 + free.length;
  const isBinary = (column: number) => column > dimension;
  // M makes the constraint true for all weights within the bound.
  const slack = (i: number) => {
    let sum = 1;
    frame.forEach(i, (_, value) => {
      sum += Math.abs(value);
    });
    return 1 + bound * sum;
  };
  const vectors = signedVectors(frame, members, (label, k) =>
    k < kept.length ? [dimension, label] : [dimension, label, dimension + 1 + k - kept.length, slack(members[k]!)],
  );
  if (!(await clock.breathe())) return null;
  return highs.withModel((model) => {
    model.options.set({
      output_flag: false,
      mip_max_nodes: mostNodes,
      time_limit: Math.max(0.01, within(mostSecondsPerCall, clock).left()),
    });
    model.passModel({
      numCols: columns,
      numRows: members.length,
      colCost: Float64Array.from({ length: columns }, (_, column) => (isBinary(column) ? 1 : 0)),
      colLower: Float64Array.from({ length: columns }, (_, column) => (isBinary(column) ? 0 : -bound)),
      colUpper: Float64Array.from({ length: columns }, (_, column) => (isBinary(column) ? 1 : bound)),
      rowLower: new Float64Array(members.length).fill(1),
      rowUpper: new Float64Array(members.length).fill(highs.infinity),
      integrality: Int32Array.from({ length: columns }, (_, column) => (isBinary(column) ? 1 : 0)),
      matrix: { format: 'csr', numRows: members.length, numCols: columns, ...vectors },
    });
    // Lines that are no better are cut off.
    model.addRows({
      lower: Float64Array.of(0),
      upper: Float64Array.of(wrong.length - 1),
      matrix: {
        format: 'csr',
        numRows: 1,
        numCols: columns,
        starts: Int32Array.of(0, free.length),
        indices: Int32Array.from(free, (_, k) => dimension + 1 + k),
        values: new Float64Array(free.length).fill(1),
      },
    });
    try {
      model.run();
    } catch {
      return null;
    }
    const { colValue } = model.getSolution();
    if (model.getModelStatus() !== optimal && colValue.every((each) => each === 0)) return null;
    return { u: colValue.slice(0, dimension), bias: colValue[dimension]! };
  });
}
