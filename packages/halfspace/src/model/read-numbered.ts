import type { SparseRow } from '../batch.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { listLength } from '../features/dimension.ts';
import type { IndexedEncoding } from '../features/encoding.ts';
import { finiteField } from '../features/record.ts';
import type { FeatureList, FeatureReader } from './raw-features.ts';

/** Reads rows of numbered features: lists with a number for each index, or indices and values. */
export function readNumbered(encoding: IndexedEncoding): FeatureReader {
  const length = listLength(encoding);
  return numberReader(indexedPosition(encoding), (list) => {
    if (list.length !== length) throw otherLength(length, list.length);
  });
}

/** Creates a reader of lists of numbers, and of indices and values. @param check refuses lists of a wrong length. */
export function numberReader(
  positionOf: (index: number) => number,
  check: (list: ArrayLike<number>) => void,
): FeatureReader {
  return (row, into) => {
    const { indices, values } = (row ?? {}) as Partial<SparseRow>;
    if (isList(indices) && isList(values)) readSparse(indices, values, positionOf, into);
    else if (isList(row)) {
      for (let j = 0; j < row.length; j++) into.add(positionOf(j), finiteField(row[j], j));
      check(row);
    } else throw new HalfspaceError('row-malformed', `expected numbers, or indices and values; got ${quote(row)}`);
  };
}

/** Makes the error for a list with too few or too many numbers. */
export function otherLength(expected: number, got: number): HalfspaceError {
  return new HalfspaceError(
    'row-malformed',
    `expected ${expected} numbers, one for each index from 0, or { indices, values } of some; got ${got}`,
  );
}

/** Returns a function from a feature's index in the data to its position in the encoding; −1 if it is unknown. */
export function indexedPosition({ dimension, far }: IndexedEncoding): (index: number) => number {
  if (far === undefined) return (index) => (index < dimension ? index : -1);
  const { direct, indices } = far;
  const positions = new Map(indices.map((index, k) => [index, direct + k]));
  return (index) => (index < direct ? index : (positions.get(index) ?? -1));
}

export function isList(value: unknown): value is ArrayLike<number> {
  return typeof value === 'object' && value !== null && Number.isSafeInteger((value as { length?: unknown }).length);
}

/** Adds the features of a sparse row. Values of a repeated index are added up at its first position. */
function readSparse(
  indices: ArrayLike<number>,
  values: ArrayLike<number>,
  positionOf: (index: number) => number,
  into: FeatureList,
): void {
  const { length } = indices;
  if (values.length !== length)
    throw new HalfspaceError(
      'row-malformed',
      `expected as many values as indices; got ${values.length} values and ${length} indices`,
    );
  let rising = true;
  for (let k = 0, previous = -1; k < length; k++) {
    const index = indices[k]!;
    if (!(Number.isSafeInteger(index) && index >= 0))
      throw new HalfspaceError('index-invalid', `expected a feature index, a whole number from 0; got ${quote(index)}`);
    into.add(positionOf(index), finiteField(values[k], index));
    if (index <= previous) rising = false;
    previous = index;
  }
  if (rising) return;
  const sums = new Map<number, number>();
  for (let k = 0; k < length; k++) {
    const before = sums.get(indices[k]!);
    sums.set(indices[k]!, before === undefined ? values[k]! : finiteField(before + values[k]!, indices[k]!));
  }
  into.count = 0;
  for (const [index, value] of sums) into.add(positionOf(index), value);
}
