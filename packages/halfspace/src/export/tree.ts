import type { Model } from '../model/model.ts';
import { type EncodedColumn, encodedColumns } from '../model/tree/encoded-columns.ts';

export type TreeModel = Extract<Model, { kind: 'tree' }>;

/** Returns the scores of each node: for two classes the positive share minus the other, else the share of each. */
export function nodeScores({ tree }: TreeModel): number[][] {
  return tree.nodes.map(({ counts }) => {
    const total = counts.reduce((sum, count) => sum + count, 0);
    return counts.length === 2 ? [(counts[1]! - counts[0]!) / total] : counts.map((count) => count / total);
  });
}

/** Returns the columns that a tree asks for, and the position among them of the column of each feature; −1: none. */
export function treeColumns({ features }: TreeModel): {
  readonly columns: readonly EncodedColumn[];
  readonly owners: readonly number[];
} {
  const owners: number[] = [];
  const columns = encodedColumns(features);
  columns.forEach(({ column, first, indicator }, c) => {
    const width = column.kind === 'category' ? column.levels.length : 1;
    for (let j = first; j < first + width; j++) owners[j] = c;
    if (indicator >= 0) owners[indicator] = c;
  });
  // Feature 0 does not exist if indices start at 1.
  return { columns, owners: Array.from(owners, (owner) => owner ?? -1) };
}
