import { type StoredBatch, storedValues } from '../../batch.ts';
import type { Chain } from '../../features/number/bend.ts';
import type { Block } from '../../kernels/block.ts';
import { decodeInto } from '../../kernels/decimal-places.ts';
import type { Kernels } from '../../kernels/kernels.ts';

/** Examples in compressed sparse rows, for {@link minimise}, which visits them many times, and frees them. */
export interface LogisticExamples {
  readonly rows: number;
  /** 1 for two classes, else their number. */
  readonly outputs: number;
  /** Number of features of the data. */
  readonly dimension: number;
  /** The features that occur, and those of chains, rising. The others have no row here and weight 0. */
  readonly features: Uint32Array;
  readonly offsets: Block<Uint32Array>;
  /** Positions in `features`, rising in each row. */
  readonly indices: Block<Uint32Array>;
  readonly values: Block<Float64Array>;
  /** The class of each row: 0 or 1 for two classes, the negative and the positive one; else its position. */
  readonly labels: Block<Uint32Array>;
  /** Share of each row in the sum of the importance, above 0. */
  readonly shares: Block<Float64Array>;
  /** Sum of the importance. */
  readonly importance: number;
  /** True if squares of values overflow. */
  readonly isTooLarge: boolean;
}

/**
 * Copies examples of importance above 0.
 *
 * @param batches yields the same batches twice, with the importance in learning.
 * @param classes 2 for labels −1 and +1; else labels are positions.
 * @param chains whose features are kept also where none occurs.
 */
export function gatherExamples(
  kernels: Kernels,
  batches: () => Iterable<StoredBatch>,
  {
    classes,
    dimension,
    chains,
  }: { readonly classes: number; readonly dimension: number; readonly chains: readonly Chain[] },
): LogisticExamples {
  let [mostRows, mostValues] = [0, 0];
  for (const batch of batches()) {
    mostRows += batch.rows;
    mostValues += storedValues(batch);
  }
  const blocks = {
    offsets: kernels.uint32(mostRows + 1, false),
    indices: kernels.uint32(mostValues, false),
    values: kernels.float64(mostValues, false),
    labels: kernels.uint32(mostRows, false),
    shares: kernels.float64(mostRows, false),
  };
  const [offsets, indices, labelOf] = [blocks.offsets.array, blocks.indices.array, blocks.labels.array];
  const [values, shares] = [blocks.values.array, blocks.shares.array];
  const occurs = new Uint8Array(dimension);
  for (const { first, length } of chains) occurs.fill(1, first, first + length);
  let [rows, at, largest] = [0, 0, 0];
  let isTooLarge = false;
  offsets[0] = 0;
  for (const batch of batches()) {
    copyInto(batch, indices, values, at);
    const { importance, labels } = batch;
    const ends = batch.kind === 'dense' ? null : batch.offsets;
    let [next, end] = [at, at];
    for (let i = 0; i < batch.rows; i++) {
      end += ends === null ? batch.dimension : ends[i + 1]! - ends[i]!;
      const h = importance === null ? 1 : importance[i]!;
      if (h === 0) {
        next = end;
        continue;
      }
      const from = at;
      let rising = true;
      for (; next < end; next++) {
        const value = values[next]!;
        if (value === 0) continue;
        const feature = indices[next]!;
        if (at > from && feature <= indices[at - 1]!) rising = false;
        if (value * value === Infinity) isTooLarge = true;
        occurs[feature] = 1;
        indices[at] = feature;
        values[at++] = value;
      }
      if (!rising) sortRow(indices, values, from, at);
      largest = Math.max(largest, h);
      shares[rows] = h;
      const label = labels[i]!;
      labelOf[rows] = classes > 2 ? label : label > 0 ? 1 : 0;
      offsets[++rows] = at;
    }
  }
  const features = Uint32Array.from(occurs.keys()).filter((j) => occurs[j] === 1);
  const places = new Uint32Array(dimension);
  for (let place = 0; place < features.length; place++) places[features[place]!] = place;
  for (let n = 0; n < at; n++) indices[n] = places[indices[n]!]!;
  let sum = 0;
  // Relative to the largest, so that a sum of huge numbers is finite.
  for (let i = 0; i < rows; i++) sum += shares[i]! /= largest;
  for (let i = 0; i < rows; i++) shares[i]! /= sum;
  const outputs = classes > 2 ? classes : 1;
  return { rows, outputs, dimension, features, ...blocks, importance: largest * sum, isTooLarge };
}

/** Writes all stored values of a batch from a position on, and their features. */
function copyInto(batch: StoredBatch, indices: Uint32Array, values: Float64Array, at: number): void {
  const stored = storedValues(batch);
  if (batch.kind === 'dense') {
    values.set(batch.values.subarray(0, stored), at);
    for (let n = 0; n < stored; n++) indices[at + n] = n % batch.dimension;
    return;
  }
  const first = batch.offsets[0]!;
  indices.set(batch.indices.subarray(first, first + stored), at);
  if (batch.kind === 'compact') decodeInto(batch.values, first, stored, batch.places, values, at);
  else values.set(batch.values.subarray(first, first + stored), at);
}

function sortRow(indices: Uint32Array, values: Float64Array, from: number, to: number): void {
  const order = Array.from({ length: to - from }, (_, k) => from + k).sort((a, b) => indices[a]! - indices[b]!);
  const sorted = order.map((k) => [indices[k]!, values[k]!] as const);
  sorted.forEach(([index, value], k) => {
    indices[from + k] = index;
    values[from + k] = value;
  });
}
