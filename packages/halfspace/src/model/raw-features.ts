import { type SparseRow, type StoredBatch, sparseBatch } from '../batch.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { TableEncoder } from '../features/encode-table.ts';
import type { FeatureEncoding } from '../features/encoding.ts';

/** A raw row; see `RawRow` in predictor.ts. */
type Raw = Readonly<Record<string, unknown>> | SparseRow | ArrayLike<number>;

/**
 * What makes an encoded batch of one raw row, for functions that take no row feature by feature. Features that the encoding does not have
 * are left out, as text formats leave them out. The label is of no meaning.
 *
 * @throws HalfspaceError `option-invalid` for hashed text. What it gives throws `row-malformed`, `number-invalid`, `index-invalid`.
 */
export function rawRowBatch(features: FeatureEncoding): (row: Raw) => StoredBatch {
  const read = rawFeatures(features);
  return (row) => {
    const indices: number[] = [];
    const values: number[] = [];
    read(row, (index, value) => {
      indices.push(index);
      values.push(value);
    });
    return sparseBatch([{ indices, values }], [1]);
  };
}

type Take = (index: number, value: number) => void;

function rawFeatures(features: FeatureEncoding): (row: Raw, take: Take) => void {
  switch (features.kind) {
    case 'table': {
      const encoder = new TableEncoder(features);
      return (row, take) => encoder.eachFeature(row as Readonly<Record<string, unknown>>, take);
    }
    case 'indexed': {
      const direct = features.far?.direct ?? features.dimension;
      const far = new Map(features.far?.indices.map((index, k) => [index, direct + k]));
      return (row, take) => {
        const { indices, values } = sparseRow(row);
        for (let k = 0; k < values.length; k++) {
          const index = indices === null ? k : indices[k]!;
          const position = index < direct ? index : far.get(index);
          const value = finite(values[k], index);
          if (position !== undefined) take(position, value);
        }
      };
    }
    case 'named': {
      const positions = new Map(features.names.map((name, j) => [name, j]));
      return (row, take) => {
        for (const [name, value] of Object.entries(row)) {
          const position = positions.get(name);
          if (position !== undefined) take(position, finite(value, name));
        }
      };
    }
    case 'hashed':
      throw new HalfspaceError(
        'option-invalid',
        'expected a model of numbered or named features, or of a table; got one of hashed text',
      );
  }
}

/** Indices null: the values' positions. */
function sparseRow(row: Raw): { indices: ArrayLike<number> | null; values: ArrayLike<unknown> } {
  const { indices, values } = row as SparseRow;
  if (indices !== undefined && values !== undefined) return { indices, values };
  if (typeof (row as ArrayLike<number>).length !== 'number')
    throw new HalfspaceError('row-malformed', `expected numbers, or indices and values; got ${quote(row)}`);
  return { indices: null, values: row as ArrayLike<number> };
}

function finite(value: unknown, field: string | number): number {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new HalfspaceError('number-invalid', `expected a finite number; got ${quote(value)}`, {
      field: String(field),
    });
  return value;
}
