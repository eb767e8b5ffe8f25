import type { TableEncoding } from 'halfspace';
import type { Dataset } from '../data/dataset.ts';

/** An encoded dataset, and the examples of it that are drawn. */
export interface Examples {
  /** Number of examples. */
  readonly rows: number;
  /** Number of features, without the constant. */
  readonly dimension: number;
  readonly featureNames: readonly string[];
  readonly encoding: TableEncoding;
  /** Names of the negative and the positive class. */
  readonly classes: readonly [negative: string, positive: string];
  /** Label of every example: −1 or 1. */
  readonly labels: Int8Array;
  /** The drawn examples, by their numbers in the data, rising: all, or an even sample of large data. */
  readonly shown: Uint32Array;
  /**
   * Features of the drawn examples: `shown.length · dimension` numbers, example by example. As encoded; a run may
   * divide them, see `Recording.divisor`.
   */
  readonly vectors: Float64Array;
  /** Notes for the user about how the data were read, in sentences. */
  readonly notes: readonly string[];
}

/** Returns an example's position in `shown`; −1: it is not drawn. */
export function shownAt({ shown, rows }: Examples, row: number): number {
  if (shown.length === rows) return row;
  let [low, high] = [0, shown.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (shown[middle]! < row) low = middle + 1;
    else high = middle;
  }
  return shown[low] === row ? low : -1;
}

/** Returns the features of the example at a position in `shown`, as a view. */
export function vectorAt({ vectors, dimension }: Examples, position: number): Float64Array {
  return vectors.subarray(position * dimension, (position + 1) * dimension);
}

/**
 * Returns the examples with the present places of their points, so that a dragged point follows at once while the run
 * still has its earlier place. Returns the same examples if their number differs from that of the points, or if
 * features are not coordinates.
 */
export function movedExamples(examples: Examples, dataset: Dataset): Examples {
  const { rows, dimension, shown } = examples;
  if (dataset.kind !== 'points' || dataset.dimension !== dimension || dataset.points.length !== rows) return examples;
  const vectors = new Float64Array(shown.length * dimension);
  shown.forEach((row, k) => {
    const { x, y } = dataset.points[row]!;
    vectors[k * dimension] = x;
    if (dimension === 2) vectors[k * dimension + 1] = y;
  });
  return { ...examples, vectors, labels: Int8Array.from(dataset.points, ({ label }) => label) };
}
