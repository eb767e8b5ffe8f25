import { type StoredBatch, storedValues } from '../../batch.ts';
import type { FeatureEncoding } from '../../features/encoding.ts';
import { labelPosition } from '../scorer.ts';
import type { TreeTable } from './columns.ts';
import type { DecisionTree } from './decision-tree.ts';
import { EncodedColumns } from './encoded-columns.ts';
import { growing } from './grow.ts';
import type { TreeOptions } from './options.ts';
import { type Pausable, runWithPauses, WorkCounter } from './pausable.ts';

/** Options of growing a tree, besides the examples. */
export interface Growing {
  readonly features: FeatureEncoding;
  readonly classes: readonly string[];
  /** Returns a batch with the importance of its examples in learning; valid until the next call. */
  readonly weigh: (batch: StoredBatch) => StoredBatch;
  readonly options: TreeOptions;
  /** Called often; may throw to end the work. */
  readonly breathe: () => Promise<void>;
}

/**
 * Grows a tree from encoded examples. First decodes them into columns: 8 bytes per number, 4 per category. Labels are
 * −1 and +1, or positions for more than two classes.
 */
export async function growFrom(
  { batches, rows }: { readonly batches: () => Iterable<StoredBatch>; readonly rows: number },
  { features, classes, weigh, options, breathe }: Growing,
): Promise<DecisionTree> {
  const columns = new EncodedColumns(features);
  const table = await runWithPauses(treeTable(batches(), rows, columns, { classes, weigh }), breathe);
  const tree = await runWithPauses(growing(table, options), breathe);
  await breathe();
  return tree;
}

function* treeTable(
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
