import type { SparseRow } from '../batch.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { TableEncoder } from '../features/encode-table.ts';
import { classOf } from '../kernels/kernels.ts';
import { fourLanes } from '../kernels/lanes.ts';
import type { Model } from './model.ts';

/**
 * What a model can be asked about: for table models an object of named fields; for models of numbered features their indices and
 * values, or a plain list whose position is the index; for models of named features an object of numbers by name.
 */
export type RawRow = Readonly<Record<string, unknown>> | SparseRow | ArrayLike<number>;

/** Judges raw rows one at a time, with the bits that batches give. */
export class Predictor {
  readonly model: Model;
  readonly #encode: (row: RawRow) => SparseRow;

  /** @throws HalfspaceError `option-invalid` for models of hashed text, which are asked through their text format. */
  constructor(model: Model) {
    this.model = model;
    this.#encode = encoderOf(model);
  }

  /** The class of a row. @throws HalfspaceError `number-invalid`, `row-malformed` for what is no row of this model's. */
  predict(row: RawRow): string {
    return this.model.classes[classOf(this.score(row), this.model.tie) > 0 ? 1 : 0];
  }

  /** The score of a row: above 0 for the positive class. It is no probability. */
  score(row: RawRow): number {
    const { weights, divisor, bias, biasConstant } = this.model;
    const { indices, values } = this.#encode(row);
    const sum = fourLanes(indices.length, (k) => (weights[indices[k]!] ?? 0) * (values[k]! / divisor));
    return sum + bias * biasConstant;
  }
}

function encoderOf({ features }: Model): (row: RawRow) => SparseRow {
  switch (features.kind) {
    case 'table': {
      const encoder = new TableEncoder(features);
      const every = Uint32Array.from({ length: encoder.dimension }, (_, j) => j);
      return (row) => {
        const encoded = encoder.encodeRow(row as Readonly<Record<string, unknown>>);
        return encoded instanceof Float64Array ? { indices: every, values: encoded } : encoded;
      };
    }
    case 'indexed': {
      const far = new Map(features.far?.indices.map((index, k) => [index, features.far!.direct + k]));
      return (row) => {
        const sparse = asSparse(row);
        if (far.size === 0) return sparse;
        return { indices: Array.from(sparse.indices, (index) => far.get(index) ?? index), values: sparse.values };
      };
    }
    case 'named': {
      const positions = new Map(features.names.map((name, j) => [name, j]));
      return (row) => {
        const known = Object.entries(row).filter(([name]) => positions.has(name));
        return {
          indices: known.map(([name]) => positions.get(name)!),
          values: known.map(([name, value]) => finite(value, name)),
        };
      };
    }
    case 'hashed':
      throw new HalfspaceError(
        'option-invalid',
        'expected a model of numbered or named features, or of a table; got one of hashed text',
      );
  }
}

function asSparse(row: RawRow): SparseRow {
  const { indices, values } = row as SparseRow;
  if (indices !== undefined && values !== undefined) return { indices, values };
  const list = row as ArrayLike<number>;
  if (typeof list.length !== 'number')
    throw new HalfspaceError('row-malformed', `expected numbers, or indices and values; got ${quote(row)}`);
  return { indices: Array.from(list, (_, j) => j), values: Array.from(list, (value, j) => finite(value, String(j))) };
}

function finite(value: unknown, field: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new HalfspaceError('number-invalid', `expected a finite number; got ${quote(value)}`, { field });
  return value;
}
