import type { SparseRow } from '../batch.ts';
import { HalfspaceError, quote } from '../errors.ts';
import { TableEncoder } from '../features/encode-table.ts';
import type { FeatureEncoding, IndexedEncoding } from '../features/encoding.ts';
import { fieldsOf, finiteField, noKnownField } from '../features/record.ts';

/**
 * A raw row. Table models: an object of named fields. Models of numbered features: indices and values, or a list whose
 * positions are the indices. Models of named features: an object of numbers by name.
 */
export type RawRow = Readonly<Record<string, unknown>> | SparseRow | ArrayLike<number>;

/** The features of one row, in the order of the row. The arrays grow. */
export class FeatureList {
  /** Positions in the encoding; −1 for unknown features. */
  indices = new Int32Array(64);
  values = new Float64Array(64);
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

/**
 * Returns a function that adds the features of a raw row to a list.
 *
 * @throws HalfspaceError `option-invalid` for hashed text. The function throws `row-malformed`, `number-invalid`,
 *   `index-invalid`.
 */
export function rawFeatures(features: FeatureEncoding): (row: RawRow, into: FeatureList) => void {
  switch (features.kind) {
    case 'table': {
      const encoder = new TableEncoder(features);
      return (row, into) =>
        encoder.eachFeature(row as Readonly<Record<string, unknown>>, (index, value) => into.add(index, value));
    }
    case 'indexed':
      return numberedFeatures(features);
    case 'named':
      return namedFeatures(features.names);
    case 'hashed':
      throw new HalfspaceError(
        'option-invalid',
        'expected a model of numbered or named features, or of a table; got one of hashed text',
      );
  }
}

function namedFeatures(known: readonly string[]): (row: RawRow, into: FeatureList) => void {
  // Faster than a Map: engines compare interned property names by address, and for…in yields interned names.
  const positions: Record<string, number> = Object.create(null);
  known.forEach((name, j) => {
    positions[name] = j;
  });
  return (row, into) => {
    const fields = fieldsOf(row);
    const names = Object.keys(fields);
    let found = 0;
    const read = (name: string, position: number | undefined, value: unknown) => {
      if (position === undefined) return;
      found++;
      into.add(position, finiteField(value, name));
    };
    // for…in is the fastest way to read fields, with two exceptions. It also visits inherited names. And V8 keeps
    // objects with many fields in a hash table; after one of these the loop is slow for all objects.
    if (names.length > 100 || inheritsNames(fields))
      for (const name of names) read(name, positions[name], fields[name]);
    else for (const name in fields) read(name, positions[name], fields[name]);
    if (found === 0 && names.length > 0) throw noKnownField(fields, known);
  };
}

/** Returns true if for…in over `object` visits inherited names. */
function inheritsNames(object: object): boolean {
  for (const _ in Object.getPrototypeOf(object)) return true;
  return false;
}

function numberedFeatures(encoding: IndexedEncoding): (row: RawRow, into: FeatureList) => void {
  const positionOf = indexedPosition(encoding);
  return (row, into) => {
    const { indices, values } = (row ?? {}) as Partial<SparseRow>;
    if (isList(indices) && isList(values)) readSparse(indices, values, positionOf, into);
    else if (isList(row)) for (let j = 0; j < row.length; j++) into.add(positionOf(j), finiteField(row[j], j));
    else throw new HalfspaceError('row-malformed', `expected numbers, or indices and values; got ${quote(row)}`);
  };
}

/** Returns a function from a feature's index in the data to its position in the encoding; −1 if it is unknown. */
function indexedPosition({ dimension, far }: IndexedEncoding): (index: number) => number {
  if (far === undefined) return (index) => (index < dimension ? index : -1);
  const { direct, indices } = far;
  const positions = new Map(indices.map((index, k) => [index, direct + k]));
  return (index) => (index < direct ? index : (positions.get(index) ?? -1));
}

function isList(value: unknown): value is ArrayLike<number> {
  return typeof value === 'object' && value !== null && Number.isSafeInteger((value as { length?: unknown }).length);
}

/** Adds the features of a sparse row. Values of a repeated index are added up at its first position. */
function readSparse(
  indices: ArrayLike<number>,
  values: ArrayLike<number>,
  positionOf: (index: number) => number,
  into: FeatureList,
): void {
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
    into.add(positionOf(index), finiteField(values[k], index));
    if (index <= previous) rising = false;
    previous = index;
  }
  if (rising) return;
  const sums = new Map<number, number>();
  for (let k = 0; k < length; k++) {
    const before = sums.get(indices[k]!);
    sums.set(indices[k]!, before === undefined ? values[k]! : finiteField(before + values[k]!, indices[k]!));
  }
  into.count = 0;
  for (const [index, value] of sums) into.add(positionOf(index), value);
}
