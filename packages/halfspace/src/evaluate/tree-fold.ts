import type { Scorer } from '../model/scorer.ts';
import { EncodedColumns } from '../model/tree/encoded-columns.ts';
import { growing } from '../model/tree/grow.ts';
import type { TreeOptions } from '../model/tree/options.ts';
import { runWithPauses } from '../model/tree/pausable.ts';
import { TreeScorer } from '../model/tree/scorer.ts';
import { treeTable } from '../train/tree-table.ts';
import type { Candidate, FoldContext, Folds } from './candidate.ts';

/** Grows a tree from all folds but one. @throws HalfspaceError as `trainTree` does. */
export async function treeOfFold(
  { options }: Candidate,
  { classes, weighing, encoding, breathe }: FoldContext,
  examples: Folds,
  fold: number,
): Promise<Scorer> {
  let rows = 0;
  for (const batch of examples.learnedFrom(fold)) rows += batch.rows;
  const names = Array.from({ length: classes }, (_, k) => String(k));
  const features = encoding();
  const columns = new EncodedColumns(features);
  const reading = treeTable(examples.learnedFrom(fold), rows, columns, { classes: names, weighing });
  const table = await runWithPauses(reading, breathe);
  const tree = await runWithPauses(growing(table, options as TreeOptions), breathe);
  return new TreeScorer({ tree, features, classes: names });
}
