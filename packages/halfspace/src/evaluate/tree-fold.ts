import type { Scorer } from '../model/scorer.ts';
import { TreeScorer } from '../model/tree-scorer.ts';
import { treeTable } from '../train/tree-table.ts';
import { EncodedColumns } from '../tree/encoded-columns.ts';
import { growTree } from '../tree/grow.ts';
import type { TreeOptions } from '../tree/options.ts';
import type { Arena, Contestant, Folds } from './candidate.ts';

/** Grows a tree from all folds but one. @throws HalfspaceError as `trainTree` does. */
export function treeOfFold(
  { options }: Contestant,
  { classes, weighing, encoding }: Arena,
  examples: Folds,
  fold: number,
): Scorer {
  let rows = 0;
  for (const batch of examples.learnedFrom(fold)) rows += batch.rows;
  const names = Array.from({ length: classes }, (_, k) => String(k));
  const features = encoding();
  const columns = new EncodedColumns(features);
  const table = treeTable(examples.learnedFrom(fold), rows, columns, { classes: names, weighing });
  return new TreeScorer({ tree: growTree(table, options as TreeOptions), features, classes: names });
}
