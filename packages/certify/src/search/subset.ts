import type { SparseBatch } from 'halfspace';
import type { Contradiction } from '../certificate.ts';

/** Some of the examples as examples of their own, of those features only that occur in them. */
export interface Subset {
  readonly examples: SparseBatch;
  /** Which example of all each one is. */
  readonly members: readonly number[];
  /** Which feature of all each one is. */
  readonly features: readonly number[];
}

/**
 * @param members positions of examples, rising.
 * @param factors what feature j is multiplied by; a power of two, which contradictions do not notice.
 */
export function subsetOf(examples: SparseBatch, members: readonly number[], factors?: Float64Array): Subset {
  const { dimension, offsets, indices, values, labels } = examples;
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
    },
  };
}

/** A contradiction of the subset, told of all examples. */
export function inAll(contradiction: Contradiction, { members }: Subset): Contradiction {
  return { ...contradiction, rows: contradiction.rows.map((row) => members[row - 1]! + 1) };
}
