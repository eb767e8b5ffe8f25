import { type SparseRow, type StoredBatch, sparseBatch } from '../batch.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { TableEncoder } from '../features/encode-table.ts';
import type { FeatureEncoding, IndexedEncoding } from '../features/encoding.ts';
import { fieldsOf, finiteField, noKnownField } from '../features/record.ts';

/**
 * A row as it can be asked about: for table models an object of named fields; for models of numbered features their indices and
 * values, or a plain list whose position is the index; for models of named features an object of numbers by name.
 */
export type RawRow = Readonly<Record<string, unknown>> | SparseRow | ArrayLike<number>;

/**
 * Returns a function that makes an encoded batch of one raw row, for models that take no row feature by feature. Features that the encoding
 * does not have are left out, as text formats leave them out. The label has no meaning.
 *
 * @throws HalfspaceError `option-invalid` for hashed text. The function throws `row-malformed`, `number-invalid`, `index-invalid`.
 */
export function rawRowBatch(features: FeatureEncoding): (row: RawRow) => StoredBatch {
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

function rawFeatures(features: FeatureEncoding): (row: RawRow, take: Take) => void {
  switch (features.kind) {
    case 'table': {
      const encoder = new TableEncoder(features);
      return (row, take) => encoder.eachFeature(row as Readonly<Record<string, unknown>>, take);
    }
    case 'indexed': {
      const positionOf = indexedPosition(features);
      return (row, take) => {
        const { indices, values } = numberedRow(row);
        for (let k = 0; k < values.length; k++) {
          const index = indices === null ? k : indices[k]!;
          const position = positionOf(index);
          const value = indices === null ? finiteField(values[k], k) : values[k]!;
          if (position !== -1) take(position, value);
        }
      };
    }
    case 'named': {
      const positions = new Map(features.names.map((name, j) => [name, j]));
      return (row, take) => {
        const fields = fieldsOf(row);
        const entries = Object.entries(fields);
        let known = 0;
        for (const [name, value] of entries) {
          const position = positions.get(name);
          if (position === undefined) continue;
          known++;
          take(position, finiteField(value, name));
        }
        if (known === 0 && entries.length > 0) throw noKnownField(fields, features.names);
      };
    }
    case 'hashed':
      throw hashedRefused();
  }
}

/** @returns the weight's position of a feature that data call `index`; −1: the model does not have it. */
export function indexedPosition({ dimension, far }: IndexedEncoding): (index: number) => number {
  if (far === undefined) return (index) => (index < dimension ? index : -1);
  const { direct, indices } = far;
  const positions = new Map(indices.map((index, k) => [index, direct + k]));
  return (index) => (index < direct ? index : (positions.get(index) ?? -1));
}

export function hashedRefused(): HalfspaceError {
  return new HalfspaceError(
    'option-invalid',
    'expected a model of numbered or named features, or of a table; got one of hashed text',
  );
}

/**
 * The numbers of a row of numbered features. Indices null: they are the values' positions, and the values are not checked yet.
 *
 * @throws HalfspaceError `row-malformed`, `index-invalid`, `number-invalid`.
 */
export function numberedRow(row: unknown): {
  readonly indices: ArrayLike<number> | null;
  readonly values: ArrayLike<number>;
} {
  if (typeof row === 'object' && row !== null) {
    const { indices, values, length } = row as Partial<SparseRow & ArrayLike<number>>;
    if (isList(indices) && isList(values)) return checkedSparse(indices, values);
    if (isList(row) && length !== undefined) return { indices: null, values: row as ArrayLike<number> };
  }
  throw new HalfspaceError('row-malformed', `expected numbers, or indices and values; got ${quote(row)}`);
}

function isList(value: unknown): value is ArrayLike<number> {
  return typeof value === 'object' && value !== null && Number.isSafeInteger((value as { length?: unknown }).length);
}

/** Values of an index that is given more than once are added up in its first place, as everywhere. */
function checkedSparse(indices: ArrayLike<number>, values: ArrayLike<number>): SparseRow {
  const { length } = indices;
  if (values.length !== length)
    throw new HalfspaceError(
      'row-malformed',
      `expected as many values as indices; got ${values.length} values and ${length} indices`,
    );
  let rising = true;
  for (let k = 0, previous = -1; k < length; k++) {
    const index = indices[k]!;
    if (!(Number.isSafeInteger(index) && index >= 0))
      throw new HalfspaceError('index-invalid', `expected a feature index, a whole number from 0; got ${quote(index)}`);
    finiteField(values[k], index);
    if (index <= previous) rising = false;
    previous = index;
  }
  if (rising) return { indices, values };
  const sums = new Map<number, number>();
  for (let k = 0; k < length; k++) {
    const [index, value] = [indices[k]!, values[k]!];
    const before = sums.get(index);
    sums.set(index, before === undefined ? value : finiteField(before + value, index));
  }
  return { indices: [...sums.keys()], values: [...sums.values()] };
}
