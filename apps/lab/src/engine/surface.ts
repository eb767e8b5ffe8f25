import { loadKernels } from 'halfspace/internal';
import type { DenseBatch } from 'halfspace/rules';
import type { SurfaceRequest } from './engine.ts';
import type { Recording } from './recording.ts';
import { scorerAt } from './scorer.ts';

/** Number of values in a batch of cells. */
const mostNumbers = 1 << 18;

/**
 * Returns the scores of a grid, row by row from the bottom left; all 0 if there is no model yet. It yields to other
 * tasks between batches.
 */
export async function surfaceOf(
  recording: Recording,
  { step, features, at, from, to, columns, rows }: SurfaceRequest,
  isWanted: () => boolean = () => true,
): Promise<Float64Array> {
  const scores = new Float64Array(columns * rows);
  const scorer = scorerAt(recording, step, await loadKernels());
  if (scorer === null) return scores;
  const dimension = at.length;
  const [h, v] = features;
  const size = Math.max(1, Math.min(scores.length, 512, Math.floor(mostNumbers / Math.max(1, dimension))));
  const along = (k: number, axis: 0 | 1, count: number) =>
    count === 1 ? (from[axis] + to[axis]) / 2 : from[axis] + ((to[axis] - from[axis]) * k) / (count - 1);
  try {
    for (let first = 0; first < scores.length && isWanted(); first += size) {
      const cells = Math.min(size, scores.length - first);
      const values = new Float64Array(cells * dimension);
      for (let k = 0; k < cells; k++) {
        const [column, row] = [(first + k) % columns, Math.floor((first + k) / columns)];
        values.set(at, k * dimension);
        if (h >= 0 && h < dimension) values[k * dimension + h] = along(column, 0, columns);
        if (v >= 0 && v < dimension && v !== h) values[k * dimension + v] = along(row, 1, rows);
      }
      const labels = new Float64Array(cells).fill(1);
      const batch: DenseBatch = { kind: 'dense', rows: cells, dimension, values, labels, importance: null };
      scorer.scoreInto(batch, scores.subarray(first, first + cells));
      await new Promise((resolve) => setTimeout(resolve));
    }
  } finally {
    scorer.free();
  }
  return scores;
}
