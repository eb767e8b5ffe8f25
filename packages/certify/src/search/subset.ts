import type { Contradiction } from '../certificate.ts';
import type { ExactBatch } from '../exact/values.ts';
import type { PlainLine } from './one-sided.ts';
import { scoreOf } from './pick.ts';

/** Some examples as a batch that has only their features. */
export interface Subset {
  readonly examples: ExactBatch;
  /** Position of each example in the whole batch. */
  readonly members: readonly number[];
  /** Index of each feature in the whole batch. */
  readonly features: readonly number[];
}

/**
 * Returns a subset of examples.
 *
 * @param members positions of examples in rising order.
 * @param factors a power of two for each feature, by which its values are multiplied. This does not change
 * contradictions. Then the values are for searches in floating point only.
 */
export function subsetOf(examples: ExactBatch, members: readonly number[], factors?: Float64Array): Subset {
  const { dimension, offsets, indices, values, labels, decimal } = examples;
  const place = new Int32Array(dimension).fill(-1);
  for (const i of members) for (let at = offsets[i]!; at < offsets[i + 1]!; at++) place[indices[at]!] = 0;
  const features: number[] = [];
  for (let j = 0; j < dimension; j++) if (place[j] === 0) place[j] = features.push(j) - 1;
  const starts = new Uint32Array(members.length + 1);
  members.forEach((i, k) => {
    starts[k + 1] = starts[k]! + offsets[i + 1]! - offsets[i]!;
  });
  const chosen = new Uint32Array(starts.at(-1)!);
  const numbers = new Float64Array(starts.at(-1)!);
  members.forEach((i, k) => {
    for (let from = offsets[i]!, at = from; at < offsets[i + 1]!; at++) {
      chosen[starts[k]! + at - from] = place[indices[at]!]!;
      numbers[starts[k]! + at - from] = values[at]! * (factors?.[indices[at]!] ?? 1);
    }
  });
  return {
    members,
    features,
    examples: {
      kind: 'sparse',
      rows: members.length,
      dimension: features.length,
      offsets: starts,
      indices: chosen,
      values: numbers,
      labels: Float64Array.from(members, (i) => labels[i]!),
      importance: null,
      decimal: factors === undefined && decimal ? Uint8Array.from(features, (j) => decimal[j]!) : undefined,
    },
  };
}

/** Returns a contradiction of a subset with the row numbers of the whole batch. */
export function inAll(contradiction: Contradiction, { members }: Subset): Contradiction {
  return { ...contradiction, rows: contradiction.rows.map((row) => members[row - 1]! + 1) };
}

/**
 * Returns a line of a subset's features as a line of all features of the data, scaled to a least functional margin of 1
 * if it separates the subset.
 *
 * @param factors those of {@link subsetOf}, if there were any.
 */
export function lineInAll(
  { w, bias }: PlainLine,
  { examples, features }: Subset,
  dimension: number,
  factors?: Float64Array,
): PlainLine {
  let least = Infinity;
  for (let k = 0; k < examples.rows; k++) least = Math.min(least, examples.labels[k]! * scoreOf(examples, k, w, bias));
  const unit = least > 0 ? least : 1;
  const all = new Float64Array(dimension);
  features.forEach((j, k) => {
    all[j] = (w[k]! / unit) * (factors?.[j] ?? 1);
  });
  return { w: all, bias: bias / unit };
}
