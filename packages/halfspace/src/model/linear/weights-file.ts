import { dimensionOf } from '../../features/dimension.ts';
import type { FeatureEncoding } from '../../features/encoding.ts';
import { check, isObject, unfit, whole } from '../../json.ts';
import { decodeBytes, encodeBytes, mostWrittenOut } from '../../numbers.ts';
import type { LinearFunction } from './model.ts';
import { denseWeights, isKeptSparse, type SparseWeights, sparseFunction } from './sparse-weights.ts';

/** Weights in a file: numbers; or base64 of little-endian doubles, with positions if only nonzero ones are stored. */
type EncodedWeights =
  | readonly number[]
  | { readonly length: number; readonly float64: string; readonly positions?: string };

export function encodeWeights(linear: LinearFunction): EncodedWeights {
  if (linear.sparse !== undefined) {
    const { length, values, positions } = linear.sparse;
    return { length, float64: encodeBytes(values), positions: encodeBytes(positions) };
  }
  const { weights } = linear;
  const { length } = weights;
  if (length <= mostWrittenOut) return Array.from(weights, (weight) => weight + 0);
  const all = new Float64Array(length);
  let nonzero = 0;
  for (let j = 0; j < length; j++) {
    all[j] = weights[j]! + 0;
    if (all[j] !== 0) nonzero++;
  }
  // A position takes 4 bytes, a weight 8.
  if (nonzero * 1.5 > length) return { length, float64: encodeBytes(all) };
  const positions = new Uint32Array(nonzero);
  const values = new Float64Array(nonzero);
  for (let j = 0, k = 0; j < length; j++) {
    if (all[j] === 0) continue;
    positions[k] = j;
    values[k++] = all[j]!;
  }
  return { length, float64: encodeBytes(values), positions: encodeBytes(positions) };
}

/** Reads the weights of one function. @throws HalfspaceError `model-invalid`. */
export function decodeWeights(value: unknown, features: FeatureEncoding): Float64Array | SparseWeights {
  const dimension = dimensionOf(features);
  const checkLength = (length: number) =>
    check(length === dimension, 'weights', `${dimension} weights, one per feature`, length);
  if (Array.isArray(value)) {
    if (!value.every(Number.isFinite)) throw unfit('weights', 'finite numbers', 'others');
    checkLength(value.length);
    return Float64Array.from(value);
  }
  if (!isObject(value)) throw unfit('weights', 'numbers or an object', value);
  const length = whole(value.length, 'length');
  checkLength(length);
  const values = decodeBytes(value.float64, Float64Array);
  if (values === null) throw unfit('weights.float64', 'base64 of doubles', 'other text');
  check(values.every(Number.isFinite), 'weights', 'finite numbers', 'others');
  const count = values.length;
  if (value.positions === undefined) {
    check(count === length, 'weights.float64', `${length} numbers`, count);
    return values;
  }
  const positions = decodeBytes(value.positions, Uint32Array);
  if (positions === null) throw unfit('weights.positions', 'base64 of 32-bit whole numbers', 'other text');
  check(positions.length === count, 'weights.positions', `${count} positions`, positions.length);
  positions.forEach((position, k) => {
    const rises = position < length && (k === 0 || position > positions[k - 1]!);
    check(rises, 'weights.positions', `rising positions below ${length}`, position);
  });
  return { length, positions, values };
}

/** Adds weights to the other members; sparse ones become dense when read. @param functions number of functions. */
export function withWeights<T extends object>(
  rest: T,
  weights: Float64Array | SparseWeights,
  functions: number,
): T & Pick<LinearFunction, 'weights' | 'sparse'> {
  if (weights instanceof Float64Array) return { ...rest, weights };
  if (!isKeptSparse(weights, functions)) return { ...rest, weights: denseWeights(weights) };
  const lazily = Object.getOwnPropertyDescriptors(sparseFunction(weights));
  return Object.defineProperties({ ...rest }, lazily) as T & Pick<LinearFunction, 'weights' | 'sparse'>;
}
