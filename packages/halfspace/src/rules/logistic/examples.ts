import type { StoredBatch } from '../../batch.ts';
import type { Chain } from '../../features/number/bend.ts';
import { BatchView } from '../../kernels/batch-view.ts';

/** Examples in compressed sparse rows, for {@link minimise}, which visits them many times. */
export interface LogisticExamples {
  readonly rows: number;
  /** 1 for two classes, else their number. */
  readonly outputs: number;
  /** Number of features of the data. */
  readonly dimension: number;
  /** The features that occur, and those of chains, rising. The others have no row here and weight 0. */
  readonly features: Uint32Array;
  readonly offsets: Uint32Array;
  /** Positions in `features`, rising in each row. */
  readonly indices: Uint32Array;
  readonly values: Float64Array;
  /** The class of each row: 0 or 1 for two classes, the negative and the positive one; else its position. */
  readonly labels: Uint32Array;
  /** Share of each row in the sum of the importance, above 0. */
  readonly shares: Float64Array;
  /** Sum of the importance. */
  readonly importance: number;
}

/**
 * Copies examples of importance above 0.
 *
 * @param batches yields the same batches twice, with the importance in learning.
 * @param classes 2 for labels −1 and +1; else labels are positions.
 * @param chains whose features are kept also where none occurs.
 */
export function gatherExamples(
  batches: () => Iterable<StoredBatch>,
  {
    classes,
    dimension,
    chains,
  }: { readonly classes: number; readonly dimension: number; readonly chains: readonly Chain[] },
): LogisticExamples {
  const occurs = new Uint8Array(dimension);
  for (const { first, length } of chains) occurs.fill(1, first, first + length);
  let [rows, stored, largest] = [0, 0, 0];
  for (const batch of batches()) {
    const view = new BatchView(batch);
    for (let i = 0; i < batch.rows; i++) {
      const h = importanceOf(batch, i);
      if (h === 0) continue;
      rows++;
      largest = Math.max(largest, h);
      view.open(i);
      for (let k = 0; k < view.count; k++) {
        if (view.value(k) === 0) continue;
        stored++;
        occurs[view.feature(k)] = 1;
      }
    }
  }
  const places = new Uint32Array(dimension);
  let kept = 0;
  for (let j = 0; j < dimension; j++) if (occurs[j] === 1) places[j] = kept++;
  const features = new Uint32Array(kept);
  for (let j = 0; j < dimension; j++) if (occurs[j] === 1) features[places[j]!] = j;

  const offsets = new Uint32Array(rows + 1);
  const indices = new Uint32Array(stored);
  const values = new Float64Array(stored);
  const labels = new Uint32Array(rows);
  const shares = new Float64Array(rows);
  let [row, at, sum] = [0, 0, 0];
  for (const batch of batches()) {
    const view = new BatchView(batch);
    for (let i = 0; i < batch.rows; i++) {
      const h = importanceOf(batch, i);
      if (h === 0) continue;
      const from = at;
      let rising = true;
      view.open(i);
      for (let k = 0; k < view.count; k++) {
        const value = view.value(k);
        if (value === 0) continue;
        const place = places[view.feature(k)]!;
        if (at > from && place <= indices[at - 1]!) rising = false;
        indices[at] = place;
        values[at++] = value;
      }
      if (!rising) sortRow(indices, values, from, at);
      const label = batch.labels[i]!;
      labels[row] = classes > 2 ? label : label > 0 ? 1 : 0;
      // Relative to the largest, so that a sum of huge numbers is finite.
      shares[row] = h / largest;
      sum += shares[row]!;
      offsets[++row] = at;
    }
  }
  for (let i = 0; i < rows; i++) shares[i]! /= sum;
  const outputs = classes > 2 ? classes : 1;
  return { rows, outputs, dimension, features, offsets, indices, values, labels, shares, importance: largest * sum };
}

function importanceOf({ importance }: StoredBatch, i: number): number {
  return importance === null ? 1 : importance[i]!;
}

function sortRow(indices: Uint32Array, values: Float64Array, from: number, to: number): void {
  const order = Array.from({ length: to - from }, (_, k) => from + k).sort((a, b) => indices[a]! - indices[b]!);
  const sorted = order.map((k) => [indices[k]!, values[k]!] as const);
  sorted.forEach(([index, value], k) => {
    indices[from + k] = index;
    values[from + k] = value;
  });
}
