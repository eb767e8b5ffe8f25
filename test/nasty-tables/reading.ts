import type { TableColumn, TableEncoding } from 'halfspace';
import type { StoredBatch } from '../../packages/halfspace/src/batch.ts';
import { columnWidth, numberLevels } from '../../packages/halfspace/src/features/table-encoding.ts';
import { forEachNonzero } from '../../packages/halfspace/src/kernels/batch-view.ts';

import { joined } from './table.ts';

/** How a reader read a table. */
export interface Reading {
  /** Null: the format has no line of names. */
  readonly header: boolean | null;
  readonly rows: number;
  readonly label: string;
  readonly classes: readonly string[];
  readonly columns: ReadonlyMap<string, ReadColumn>;
  readonly notes: readonly string[];
}

export type ReadColumn =
  | { readonly kind: 'left out'; readonly reason: string }
  /** Dates are days since 1970-01-01; the cells of a text are null. */
  | { readonly kind: TableColumn['kind']; readonly cells: readonly Cell[] };

export type Cell = number | string | null;

/** Reads the cells back from the features of a table, which are not scaled. */
export async function readingOf(
  encoding: TableEncoding,
  batches: AsyncIterable<StoredBatch> | Iterable<StoredBatch>,
): Promise<Omit<Reading, 'notes'>> {
  const cells = encoding.columns.map((): Cell[] => []);
  let rows = 0;
  for await (const batch of batches)
    for (let i = 0; i < batch.rows; i++, rows++) {
      const features = new Map<number, number>();
      forEachNonzero(batch, i, (feature, value) => features.set(feature, value));
      let first = 0;
      encoding.columns.forEach((column, c) => {
        const width = columnWidth(column);
        const own = Array.from({ length: width }, (_, k) => features.get(first + k) ?? 0);
        cells[c]!.push(cellOf(column, own));
        first += width;
      });
    }
  const { header, label } = encoding;
  return {
    header,
    rows,
    label: label.column,
    classes: label.classes,
    columns: new Map<string, ReadColumn>([
      ...encoding.columns.map(({ name, kind }, c) => [name, { kind, cells: cells[c]! }] as const),
      ...encoding.leftOut.map(({ name, reason }) => [name, { kind: 'left out', reason }] as const),
    ]),
  };
}

/** Returns the cell of a column that has these features. */
function cellOf(column: TableColumn, features: readonly number[]): Cell {
  if (column.kind === 'text' || (column.missing.indicator && features.at(-1) === 1)) return null;
  if (column.kind === 'set') return joined(column.levels.filter((_, l) => features[l] === 1));
  if (column.kind === 'category') return column.levels[features.indexOf(1)] ?? '(rare)';
  return numberLevels(column)[features.indexOf(1, 1) - 1] ?? features[0]!;
}
