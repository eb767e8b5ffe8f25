import type { StoredBatch } from '../../batch.ts';
import { HalfspaceError } from '../../errors.ts';
import type { FeatureEncoding } from '../../features/encoding.ts';
import { featureNames } from '../../features/names.ts';
import {
  columnWidth,
  hasTerms,
  isOneHot,
  type TableEncoding,
  dimension as tableDimension,
} from '../../features/table-encoding.ts';
import { BatchView } from '../../kernels/batch-view.ts';
import type { TreeColumn, TreeValues } from './columns.ts';

/** The largest number of columns, because a tree searches them one by one. Text, with a column per word, has more. */
const mostTreeColumns = 4096;

/** A column and the features that encode it. */
export interface EncodedColumn {
  readonly column: TreeColumn;
  /** The first feature: the number, or the first level. */
  readonly first: number;
  /** The feature that is 1 if the value is missing; −1: none. */
  readonly indicator: number;
  /** The number is feature · deviation + mean. */
  readonly mean: number;
  readonly deviation: number;
}

/**
 * Turns examples that are encoded for linear models back into columns. The features of a category become one column,
 * numbers lose their scaling, and an indicator becomes a missing value. A number that was never missing in training has
 * no indicator; if it is missing later, it is replaced by the mean, as for other models.
 */
export class EncodedColumns {
  readonly columns: readonly TreeColumn[];
  readonly #encoded: readonly EncodedColumn[];
  /** The column of each feature. */
  readonly #ownerOf: Int32Array;
  #buffers: readonly TreeValues[] = [];

  /** @throws HalfspaceError `option-invalid` for more than {@link mostTreeColumns} columns. */
  constructor(encoding: FeatureEncoding) {
    const count = columnCount(encoding);
    if (count > mostTreeColumns)
      throw new HalfspaceError(
        'option-invalid',
        `expected at most ${mostTreeColumns} columns for a tree, which looks at them one by one; got ${count}`,
      );
    this.#encoded = encodedColumns(encoding);
    this.columns = this.#encoded.map(({ column }) => column);
    const owners: number[] = [];
    this.#encoded.forEach(({ first, indicator, column }, c) => {
      const width = column.kind === 'category' ? column.levels.length : 1;
      for (let j = first; j < first + width; j++) owners[j] = c;
      if (indicator >= 0) owners[indicator] = c;
    });
    this.#ownerOf = Int32Array.from(owners);
  }

  /** Makes new arrays for this number of rows, one per column. */
  allocate(rows: number): TreeValues[] {
    return this.columns.map(({ kind }) => (kind === 'category' ? new Int32Array(rows) : new Float64Array(rows)));
  }

  /** Returns the values of a batch. The arrays are reused by the next call. */
  decode(batch: StoredBatch): readonly TreeValues[] {
    if ((this.#buffers[0]?.length ?? -1) < batch.rows) this.#buffers = this.allocate(batch.rows);
    this.decodeInto(batch, this.#buffers, 0);
    return this.#buffers;
  }

  /** Writes the values of a batch from row `at` on. Skips features beyond the encoding, which training did not see. */
  decodeInto(batch: StoredBatch, values: readonly TreeValues[], at: number): void {
    this.#encoded.forEach(({ column, mean }, c) => {
      values[c]!.fill(column.kind === 'category' ? -1 : mean, at, at + batch.rows);
    });
    const row = new BatchView(batch);
    for (let i = 0; i < batch.rows; i++) {
      row.open(i);
      for (let k = 0; k < row.count; k++)
        if (row.feature(k) < this.#ownerOf.length) this.#put(values, at + i, row.feature(k), row.value(k));
    }
  }

  /** Writes one feature. An indicator comes after its number, so it overwrites it. */
  #put(values: readonly TreeValues[], row: number, feature: number, value: number): void {
    const c = this.#ownerOf[feature]!;
    const { column, first, indicator, mean, deviation } = this.#encoded[c]!;
    if (column.kind === 'category') {
      if (value !== 0) values[c]![row] = feature === indicator ? -1 : feature - first;
    } else if (feature !== indicator) values[c]![row] = value * deviation + mean;
    else if (value !== 0) values[c]![row] = Number.NaN;
  }
}

/** Returns the number of columns without making them: there may be 2²⁸. */
function columnCount(encoding: FeatureEncoding): number {
  switch (encoding.kind) {
    case 'indexed':
      return Math.max(0, encoding.dimension - encoding.firstIndex);
    case 'named':
      return encoding.names.length;
    case 'hashed':
      return 2 ** encoding.bits;
    case 'table': {
      // The levels of a category, or a number and its indicator, form one column.
      const merged = encoding.columns.reduce((sum, column) => {
        if (column.kind === 'category' || isOneHot(column)) return sum + columnWidth(column) - 1;
        return sum + (!hasTerms(column) && column.missing.indicator ? 1 : 0);
      }, 0);
      return tableDimension(encoding) - merged;
    }
  }
}

/** Returns the columns of an encoding, with their features. */
export function encodedColumns(encoding: FeatureEncoding): EncodedColumn[] {
  if (encoding.kind === 'table') return tableColumns(encoding);
  const names = featureNames(encoding);
  const none = encoding.kind === 'indexed' ? encoding.firstIndex : 0; // if indices start at 1, feature 0 does not exist
  return names.slice(none).map((name, j) => plain(name, none + j));
}

function tableColumns(encoding: TableEncoding): EncodedColumn[] {
  const names = featureNames(encoding);
  const columns: EncodedColumn[] = [];
  let first = 0;
  for (const column of encoding.columns) {
    const { kind, name } = column;
    const end = first + columnWidth(column);
    const indicator = column.missing.indicator ? end - 1 : -1;
    const last = column.missing.indicator ? end - 1 : end;
    if (kind === 'category' || isOneHot(column)) {
      // The levels of a category, or the intervals of a number.
      const levels = names
        .slice(first, last)
        .map((each) => (each.startsWith(`${name}=`) ? each.slice(name.length + 1) : each));
      columns.push({ column: { kind: 'category', name, levels }, first, indicator, mean: 0, deviation: 1 });
    } else if (hasTerms(column)) for (let j = first; j < end; j++) columns.push(plain(names[j]!, j));
    else {
      const scaled = encoding.scale === 'standard' && kind !== 'boolean';
      const [mean, deviation] = scaled ? [column.mean, column.deviation] : [0, 1];
      columns.push({ column: { kind: column.kind, name }, first, indicator, mean, deviation });
      // The parts of a date.
      for (let j = first + 1; j < last; j++) columns.push(plain(names[j]!, j));
    }
    first = end;
  }
  for (; first < names.length; first++) columns.push(plain(names[first]!, first));
  return columns;
}

/** Returns a column that consists of one feature. */
function plain(name: string, feature: number): EncodedColumn {
  return { column: { kind: 'number', name }, first: feature, indicator: -1, mean: 0, deviation: 1 };
}
