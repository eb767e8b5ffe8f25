import type { Scorer } from '../model/scorer.ts';
import { growFrom } from '../model/tree/grow-from-batches.ts';
import type { TreeOptions } from '../model/tree/options.ts';
import { TreeScorer } from '../model/tree/scorer.ts';
import type { Candidate, FoldContext, Folds } from './candidate.ts';

/** Grows a tree from all folds but one. @throws HalfspaceError as `trainTree` does. */
export async function treeOfFold(
  { options }: Candidate,
  { classes: count, weighing, encoding, breathe }: FoldContext,
  folds: Folds,
  fold: number,
): Promise<Scorer> {
  let rows = 0;
  for (const batch of folds.learnedFrom(fold)) rows += batch.rows;
  const classes = Array.from({ length: count }, (_, k) => String(k));
  const features = encoding();
  const tree = await growFrom(
    { batches: () => folds.learnedFrom(fold), rows },
    { features, classes, weigh: (batch) => weighing.weigh(batch), options: options as TreeOptions, breathe },
  );
  return new TreeScorer({ tree, features, classes });
}
