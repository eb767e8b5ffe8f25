import type { TableEncoding } from 'halfspace';
import type { Dataset } from '../data/dataset.ts';

/** A dataset as learners see it, and the part of it that is drawn. */
export interface Examples {
  /** Examples in all. */
  readonly rows: number;
  /** Features; the constant is not one of them. */
  readonly dimension: number;
  readonly featureNames: readonly string[];
  readonly encoding: TableEncoding;
  /** The negative and the positive class. */
  readonly classes: readonly [negative: string, positive: string];
  /** −1 or 1, of every example. */
  readonly labels: Int8Array;
  /** Which examples are drawn, by their number in the data, rising: all, or an even sample of large data. */
  readonly shown: Uint32Array;
  /** Their features, example by example: `shown.length · dimension` numbers. As encoded; a run may divide them, see `Recording.divisor`. */
  readonly vectors: Float64Array;
  /** What a person should know of how the data were read, in sentences. */
  readonly notes: readonly string[];
}

/** The position in `shown` of an example of the data, or −1 where it is not drawn. */
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

/** The features of the example at a position in `shown`; a view, not a copy. */
export function vectorAt({ vectors, dimension }: Examples, position: number): Float64Array {
  return vectors.subarray(position * dimension, (position + 1) * dimension);
}

/**
 * The examples where their points are now, while those of a run are still where they were: so that what is dragged follows at once. The same
 * examples where the points do not tell so: another number of them, or features that are not their coordinates.
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
