import { type SparseRow, sparseBatch } from '../batch.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { TableEncoder } from '../features/encode-table.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import type { TreeModel } from './model.ts';
import type { RawRow } from './predictor.ts';
import { TreeScorer } from './tree-scorer.ts';

/** Judges raw rows one at a time, by the features that batches of them would have. */
export class TreeRowScorer {
  readonly outputs: number;
  readonly #scorer: TreeScorer;
  readonly #featuresOf: (row: RawRow) => SparseRow;

  /** @throws HalfspaceError `option-invalid` for a model of hashed text. */
  constructor(model: TreeModel) {
    this.#scorer = new TreeScorer(model);
    this.outputs = this.#scorer.outputs;
    this.#featuresOf = rowReader(model.features);
  }

  /** A new array. */
  scores(row: RawRow): Float64Array {
    const out = new Float64Array(this.outputs);
    this.#scorer.scoreInto(sparseBatch([this.#featuresOf(row)], [1]), out);
    return out;
  }
}

function rowReader(features: FeatureEncoding): (row: RawRow) => SparseRow {
  switch (features.kind) {
    case 'table': {
      const encoder = new TableEncoder(features);
      return (row) => {
        const indices: number[] = [];
        const values: number[] = [];
        encoder.eachFeature(row as Readonly<Record<string, unknown>>, (index, value) => {
          indices.push(index);
          values.push(value);
        });
        return { indices, values };
      };
    }
    case 'indexed': {
      const far = new Map(features.far?.indices.map((index, k) => [index, features.far!.direct + k]));
      return (row) => {
        const { indices, values } = row as SparseRow;
        const isSparse = indices !== undefined && values !== undefined;
        const given = isSparse ? values : (row as ArrayLike<number>);
        if (typeof given.length !== 'number')
          throw new HalfspaceError('row-malformed', `expected numbers, or indices and values; got ${quote(row)}`);
        const positions = Array.from(given, (_, k) => (isSparse ? indices[k]! : k));
        return { indices: positions.map((index) => far.get(index) ?? index), values: given };
      };
    }
    case 'named': {
      const positions = new Map(features.names.map((name, j) => [name, j]));
      return (row) => {
        const known = Object.entries(row).filter(([name]) => positions.has(name));
        return {
          indices: known.map(([name]) => positions.get(name)!),
          values: known.map(([, value]) => value as number),
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
