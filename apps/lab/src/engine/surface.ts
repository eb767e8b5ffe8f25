import type { DenseBatch } from 'halfspace/rules';
import { loadKernels } from 'halfspace/rules';
import type { SurfaceRequest, SurfaceScores } from './engine.ts';
import type { Examples } from './examples.ts';
import type { Recording } from './recording.ts';
import { type Scorer, scorerAt } from './scorer.ts';

/** Number of values in a batch. */
const mostNumbers = 1 << 18;

/** Returns the scores of a grid and of the drawn examples. It yields to other tasks between batches. */
export async function surfaceOf(
  recording: Recording,
  { vectors, shown, dimension }: Pick<Examples, 'vectors' | 'shown' | 'dimension'>,
  request: SurfaceRequest,
  isWanted: () => boolean = () => true,
): Promise<SurfaceScores> {
  const { step, columns, rows } = request;
  const grid = new Float64Array(columns * rows);
  const own = new Float64Array(shown.length);
  const scorer = scorerAt(recording, step, await loadKernels());
  if (scorer === null) return { grid, shown: step === 0 ? own : new Float64Array(0) };
  try {
    await scoreAll(scorer, { out: grid, dimension: request.at.length, fill: cellsOf(request), isWanted });
    await scoreAll(scorer, {
      out: own,
      dimension,
      fill: (values, first, count) => values.set(vectors.subarray(first * dimension, (first + count) * dimension)),
      isWanted,
    });
  } finally {
    scorer.free();
  }
  return { grid, shown: own };
}

interface Work {
  /** One score per vector. */
  readonly out: Float64Array;
  readonly dimension: number;
  /** Writes the vectors first … first + count − 1 one after the other. */
  readonly fill: (values: Float64Array, first: number, count: number) => void;
  readonly isWanted: () => boolean;
}

async function scoreAll(scorer: Scorer, { out, dimension, fill, isWanted }: Work): Promise<void> {
  const size = Math.max(1, Math.min(out.length, 512, Math.floor(mostNumbers / Math.max(1, dimension))));
  for (let first = 0; first < out.length && isWanted(); first += size) {
    const count = Math.min(size, out.length - first);
    const values = new Float64Array(count * dimension);
    fill(values, first, count);
    const labels = new Float64Array(count).fill(1);
    const batch: DenseBatch = { kind: 'dense', rows: count, dimension, values, labels, importance: null };
    scorer.scoreInto(batch, out.subarray(first, first + count));
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Returns a function that writes the vectors of cells, row by row from the bottom left. */
function cellsOf({ features: [h, v], at, from, to, columns, rows }: SurfaceRequest): Work['fill'] {
  const dimension = at.length;
  const along = (k: number, axis: 0 | 1, count: number) =>
    count === 1 ? (from[axis] + to[axis]) / 2 : from[axis] + ((to[axis] - from[axis]) * k) / (count - 1);
  return (values, first, count) => {
    for (let k = 0; k < count; k++) {
      const [column, row] = [(first + k) % columns, Math.floor((first + k) / columns)];
      values.set(at, k * dimension);
      if (h >= 0 && h < dimension) values[k * dimension + h] = along(column, 0, columns);
      if (v >= 0 && v < dimension && v !== h) values[k * dimension + v] = along(row, 1, rows);
    }
  };
}
