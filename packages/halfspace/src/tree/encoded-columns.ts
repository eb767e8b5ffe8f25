import type { StoredBatch } from '../batch.ts';
import { HalfspaceError } from '../errors.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import { featureNames } from '../features/names.ts';
import { columnWidth, isOneHot, type TableEncoding, dimension as tableDimension } from '../features/table-encoding.ts';
import { valueReader } from '../kernels/decimal-places.ts';
import type { TreeColumn, TreeValues } from './columns.ts';

/** More columns than this are not looked at one by one: text has its words for columns, and a tree is no model for it. */
export const mostTreeColumns = 4096;

/** A column, and which features of an example it is made of. */
interface EncodedColumn {
  readonly column: TreeColumn;
  /** The first feature: the number itself, or the first level. */
  readonly first: number;
  /** The feature that is 1 where the value is missing; −1: there is none. */
  readonly indicator: number;
  /** A number is feature · deviation + mean. */
  readonly mean: number;
  readonly deviation: number;
}

/**
 * Examples as they are encoded for linear models, back as columns: the features of a category's levels become one column again, a
 * number gets its scale back, and where a feature tells that a value is missing, it is. A number that was never missing in training
 * has no such feature; where it is missing later, it is the mean, as for any other model.
 */
export class EncodedColumns {
  readonly columns: readonly TreeColumn[];
  readonly #encoded: readonly EncodedColumn[];
  /** Column that each feature belongs to. */
  readonly #ownerOf: Int32Array;
  #buffers: readonly TreeValues[] = [];

  /** @throws HalfspaceError `option-invalid` for more than {@link mostTreeColumns}. */
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

  /** New arrays for so many rows, one per column. */
  allocate(rows: number): TreeValues[] {
    return this.columns.map(({ kind }) => (kind === 'category' ? new Int32Array(rows) : new Float64Array(rows)));
  }

  /** The values of a batch, in arrays that are used again for the next one. */
  decode(batch: StoredBatch): readonly TreeValues[] {
    if ((this.#buffers[0]?.length ?? -1) < batch.rows) this.#buffers = this.allocate(batch.rows);
    this.decodeInto(batch, this.#buffers, 0);
    return this.#buffers;
  }

  /** Writes the values of a batch at `at` and behind. Features beyond the encoding's are those that training had not seen. */
  decodeInto(batch: StoredBatch, values: readonly TreeValues[], at: number): void {
    this.#encoded.forEach(({ column, mean }, c) => {
      values[c]!.fill(column.kind === 'category' ? -1 : mean, at, at + batch.rows);
    });
    const read = valueReader(batch);
    if (batch.kind === 'dense') {
      const { rows, dimension } = batch;
      const features = Math.min(dimension, this.#ownerOf.length);
      for (let j = 0; j < features; j++)
        for (let i = 0, k = j; i < rows; i++, k += dimension) this.#put(values, at + i, j, read(k));
      return;
    }
    const { rows, offsets, indices } = batch;
    for (let i = 0; i < rows; i++)
      for (let k = offsets[i]!; k < offsets[i + 1]!; k++)
        if (indices[k]! < this.#ownerOf.length) this.#put(values, at + i, indices[k]!, read(k));
  }

  /** An indicator stands behind its number, and so is seen later. */
  #put(values: readonly TreeValues[], row: number, feature: number, value: number): void {
    const c = this.#ownerOf[feature]!;
    const { column, first, indicator, mean, deviation } = this.#encoded[c]!;
    if (column.kind === 'category') {
      if (value !== 0) values[c]![row] = feature === indicator ? -1 : feature - first;
    } else if (feature !== indicator) values[c]![row] = value * deviation + mean;
    else if (value !== 0) values[c]![row] = Number.NaN;
  }
}

/** How many columns there are, counted without making any: they may be very many. */
function columnCount(encoding: FeatureEncoding): number {
  switch (encoding.kind) {
    case 'indexed':
      return Math.max(0, encoding.dimension - encoding.firstIndex);
    case 'named':
      return encoding.names.length;
    case 'hashed':
      return 2 ** encoding.bits;
    case 'table': {
      // The levels of a category, and the indicator of a missing value, are of one column.
      const merged = encoding.columns.reduce((sum, column) => {
        if (column.kind === 'category' || isOneHot(column)) return sum + columnWidth(column) - 1;
        return sum + (column.kind !== 'text' && column.missing.indicator ? 1 : 0);
      }, 0);
      return tableDimension(encoding) - merged;
    }
  }
}

function encodedColumns(encoding: FeatureEncoding): EncodedColumn[] {
  if (encoding.kind === 'table') return tableColumns(encoding);
  const names = featureNames(encoding);
  const none = encoding.kind === 'indexed' ? encoding.firstIndex : 0; // no feature has index 0 where they count from 1
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
      // The levels of a category, or the bins of a number.
      const levels = names
        .slice(first, last)
        .map((each) => (each.startsWith(`${name}=`) ? each.slice(name.length + 1) : each));
      columns.push({ column: { kind: 'category', name, levels }, first, indicator, mean: 0, deviation: 1 });
    } else if (kind === 'text') for (let j = first; j < end; j++) columns.push(plain(names[j]!, j));
    else {
      const scaled = encoding.scale === 'standard' && kind !== 'boolean';
      const [mean, deviation] = scaled ? [column.mean, column.deviation] : [0, 1];
      columns.push({ column: { kind, name }, first, indicator, mean, deviation });
      // The parts of a date.
      for (let j = first + 1; j < last; j++) columns.push(plain(names[j]!, j));
    }
    first = end;
  }
  for (; first < names.length; first++) columns.push(plain(names[first]!, first));
  return columns;
}

/** A feature that is a column of its own. */
function plain(name: string, feature: number): EncodedColumn {
  return { column: { kind: 'number', name }, first: feature, indicator: -1, mean: 0, deviation: 1 };
}
