import { featureNames, type StoredBatch } from 'halfspace';
import { type ReadTable, sourceOf } from '../data/read.ts';
import type { Examples } from './examples.ts';

/** The most examples drawn, and the most numbers that they may have together. */
const mostShown = 2000;
const mostNumbers = 4_000_000;

export async function encodeExamples(table: ReadTable): Promise<Examples> {
  const source = sourceOf(table);
  const { label } = table.encoding;
  const names = featureNames(table.encoding);
  const dimension = names.length;
  const batches: StoredBatch[] = [];
  let rows = 0;
  for await (const batch of source.batches()) {
    batches.push(batch);
    rows += batch.rows;
  }
  const count = Math.max(1, Math.min(rows, mostShown, Math.floor(mostNumbers / Math.max(1, dimension))));
  const shown = Uint32Array.from({ length: count }, (_, k) => Math.floor((k * rows) / count));
  const labels = new Int8Array(rows);
  const vectors = new Float64Array(count * dimension);
  let [first, next] = [0, 0];
  for (const batch of batches) {
    for (let i = 0; i < batch.rows; i++) {
      labels[first + i] = batch.labels[i]! > 0 ? 1 : -1;
      if (shown[next] !== first + i) continue;
      copyRow(batch, i, vectors, next++ * dimension);
    }
    first += batch.rows;
  }
  const positive = label.positive ?? label.classes.at(-1)!;
  const notes = [...table.notes];
  if (count < rows)
    notes.push(
      `${count.toLocaleString('en')} of ${rows.toLocaleString('en')} examples are drawn; all are learned from.`,
    );
  return {
    rows,
    dimension,
    featureNames: names,
    encoding: table.encoding,
    classes: [label.negative ?? `not ${positive}`, positive],
    labels,
    shown,
    vectors,
    notes,
  };
}

function copyRow(batch: StoredBatch, i: number, into: Float64Array, at: number): void {
  if (batch.kind === 'dense') {
    for (let j = 0; j < batch.dimension; j++) into[at + j] = batch.values[i * batch.dimension + j]!;
    return;
  }
  for (let k = batch.offsets[i]!; k < batch.offsets[i + 1]!; k++)
    into[at + batch.indices[k]!] = batch.kind === 'compact' ? batch.values[k]! / 10 ** batch.places : batch.values[k]!;
}
