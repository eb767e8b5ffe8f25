import type { Frame } from './frame.ts';

/**
 * Returns the vectors yᵢ(x'ᵢ, …) of some examples one after the other, as HiGHS takes the rows or columns of a matrix.
 *
 * @param more returns what follows the features of a vector: an index and a value, or several such pairs.
 * @param placeOf returns the index of a feature in the vectors. Default: the same index.
 */
export function signedVectors(
  frame: Frame,
  members: readonly number[],
  more: (label: number, k: number) => readonly number[],
  placeOf: (feature: number) => number = (feature) => feature,
): { readonly starts: Int32Array; readonly indices: Int32Array; readonly values: Float64Array } {
  const starts = new Int32Array(members.length + 1);
  const indices: number[] = [];
  const values: number[] = [];
  members.forEach((i, k) => {
    const label = frame.examples.labels[i]!;
    frame.forEach(i, (feature, value) => {
      indices.push(placeOf(feature));
      values.push(label * value);
    });
    more(label, k).forEach((each, n) => {
      (n % 2 === 0 ? indices : values).push(each);
    });
    starts[k + 1] = indices.length;
  });
  return { starts, indices: Int32Array.from(indices), values: Float64Array.from(values) };
}
