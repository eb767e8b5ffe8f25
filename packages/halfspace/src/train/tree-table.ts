import { type StoredBatch, storedValues } from '../batch.ts';
import { labelPosition } from '../model/scorer.ts';
import type { TreeTable } from '../model/tree/columns.ts';
import type { EncodedColumns } from '../model/tree/encoded-columns.ts';
import { type Pausable, WorkCounter } from '../model/tree/pausable.ts';

/**
 * Puts examples into columns, as a tree is grown from them: 8 bytes for a number, 4 for a category. Pauses between batches.
 *
 * @param batches examples, `rows` of them together; labels −1 and +1, or positions of more than two classes.
 */
export function* treeTable(
  batches: Iterable<StoredBatch>,
  rows: number,
  columns: EncodedColumns,
  { classes, weigh }: { readonly classes: readonly string[]; readonly weigh: (batch: StoredBatch) => StoredBatch },
): Pausable<TreeTable> {
  const outputs = classes.length === 2 ? 1 : classes.length;
  const values = columns.allocate(rows);
  const labels = new Int32Array(rows);
  const importance = new Float64Array(rows);
  const work = new WorkCounter();
  let at = 0;
  for (const stored of batches) {
    const batch = weigh(stored);
    columns.decodeInto(batch, values, at);
    for (let i = 0; i < batch.rows; i++) {
      labels[at + i] = labelPosition(batch.labels[i]!, outputs);
      importance[at + i] = batch.importance?.[i] ?? 1;
    }
    at += batch.rows;
    if (work.add(storedValues(batch))) yield;
  }
  const counts = importance.every((h) => h === 1) ? null : importance;
  return { rows, columns: columns.columns, values, classes, labels, importance: counts };
}
