import { HalfspaceError } from 'halfspace';
import { type Dataset, type PointSet, pointColumns, pointLabel } from './dataset.ts';
import type { ReadTable } from './read-table.ts';
import type { ReadOptions } from './table-text.ts';

/**
 * Reads a dataset as `halfspace train` reads its CSV. The code for tables is loaded with the first table.
 * @throws HalfspaceError with a message for the user.
 */
export async function readDataset(dataset: Dataset, options: ReadOptions = {}): Promise<ReadTable> {
  if (dataset.kind === 'points') return readPoints(dataset);
  const { readTable } = await import('./read-table.ts');
  return readTable(dataset, options);
}

/** Returns the same cells as reading the CSV of drawn points would. */
function readPoints({ dimension, points }: PointSet): ReadTable {
  checkPoints(points);
  const { column, negative, positive } = pointLabel;
  const count = points.filter(({ label }) => label > 0).length;
  const words = [negative, positive];
  return {
    rows: points.length,
    format: 'csv',
    header: true,
    columns: pointColumns.slice(0, dimension).map((name, c) => ({
      name,
      kind: 'number',
      // + 0: text has no negative zero.
      cells: Float64Array.from(points, ({ x, y }) => (c === 0 ? x : y) + 0),
    })),
    dropped: [],
    label: {
      column,
      cells: { codes: Uint8Array.from(points, ({ label }) => (label > 0 ? 1 : 0)), words },
      counts: new Map([
        [negative, points.length - count],
        [positive, count],
      ]),
    },
    positive: null,
    scale: 'none',
    notes: [],
    isDrawn: true,
  };
}

function checkPoints(points: readonly { readonly label: number }[]): void {
  if (points.length === 0)
    throw new HalfspaceError('source-empty', 'There are no points yet: add at least one of each class.');
  const first = points[0]!.label;
  if (points.every(({ label }) => label === first))
    throw new HalfspaceError('label-classes', 'All points are of one class: add at least one of the other.');
}

/** Options of a run that determine the encoding of a table. */
export interface EncodingOptions {
  readonly scale: 'none' | 'standard';
  /** Share of the rows of each class, drawn by seed, that are held out from fitting the encoding; 0: none. */
  readonly holdout: number;
  readonly seed: number;
}
