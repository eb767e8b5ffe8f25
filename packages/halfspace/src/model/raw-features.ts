import type { SparseRow } from '../batch.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import type { RecordRow } from '../features/record.ts';

/**
 * A raw row. Table models: an object of named fields. Models of numbered features: indices and values, or a list whose
 * positions are the indices. Models of named features: a bag, an object of
 * features by name.
 */
export type RawRow = RecordRow | SparseRow | ArrayLike<number>;

/** The features of one row, in the order of the row. The arrays grow. */
export class FeatureList {
  /** Positions in the encoding; −1 for unknown features. */
  indices: Int32Array = new Int32Array(64);
  values: Float64Array = new Float64Array(64);
  count = 0;

  add(index: number, value: number): void {
    if (this.count === this.indices.length) this.#grow();
    this.indices[this.count] = index;
    this.values[this.count++] = value;
  }

  #grow(): void {
    const { indices, values, count } = this;
    this.indices = new Int32Array(2 * count);
    this.values = new Float64Array(2 * count);
    this.indices.set(indices);
    this.values.set(values);
  }
}

/** Adds a raw row to a list. @throws HalfspaceError `row-malformed`, `number-invalid`, `index-invalid`. */
export type FeatureReader = (row: RawRow, into: FeatureList) => void;

/** Create the {@link FeatureReader} of an encoding, by its kind. They throw HalfspaceError `option-invalid`. */
export type FeatureReaders = {
  readonly [K in FeatureEncoding['kind']]: (features: Extract<FeatureEncoding, { kind: K }>) => FeatureReader;
};

/** Creates the {@link FeatureReader} of an encoding. @throws HalfspaceError `option-invalid` for hashed text. */
export function rawFeatures(features: FeatureEncoding, readers: FeatureReaders): FeatureReader {
  return (readers[features.kind] as (features: FeatureEncoding) => FeatureReader)(features);
}
