import type { FeatureEncoding } from '../features/encoding.ts';
import { columnWidth, type TableColumn } from '../features/table-encoding.ts';

/** The row that an explanation compares with. */
export interface ReferenceRow {
  /** Value of feature j. */
  readonly at: (j: number) => number;
  /** True if every value is the mean of the training rows; see `Explanation.isMean`. */
  readonly isMean: boolean;
}

/**
 * Returns the mean row of the training rows, if the model has it. Else columns that are read as one number are at the
 * mean that the encoding has, and all other features at 0.
 *
 * @param means of all features; undefined: the model has none.
 */
export function referenceRow(features: FeatureEncoding, means: Float64Array | undefined): ReferenceRow {
  if (means !== undefined) return { at: (j) => means[j] ?? 0, isMean: true };
  if (features.kind !== 'table') return { at: () => 0, isMean: false };
  const known = new Map<number, number>();
  let first = 0;
  for (const column of features.columns) {
    const isScaled = features.scale === 'standard' && column.kind !== 'boolean';
    // A standardised number has the mean 0.
    if (hasMean(column) && !isScaled) known.set(first, column.mean);
    first += columnWidth(column);
  }
  const isMean =
    features.crosses === undefined && features.columns.every((column) => hasMean(column) && columnWidth(column) === 1);
  return { at: (j) => known.get(j) ?? 0, isMean };
}

/** Tests if the first feature of a column is its number. */
function hasMean(column: TableColumn): column is Extract<TableColumn, { mean: number }> {
  return 'mean' in column && !('edges' in column && column.edges !== undefined);
}
