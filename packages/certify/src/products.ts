import type { FeatureEncoding } from 'halfspace';
import { HalfspaceError } from 'halfspace';
import { featureNamer } from 'halfspace/models';
import type { SparseBatch } from 'halfspace/rules';

/** Names of two features. */
export type FeaturePair = readonly [first: string, second: string];

/**
 * Returns the examples in the lifted space: products of two features follow the features. A line there is a curve of
 * the features. Products are computed in floating point, so that a proof is about doubles.
 *
 * @throws HalfspaceError `option-invalid` for names of no features, and for a product that overflows.
 */
export function withProducts(
  examples: SparseBatch,
  features: FeatureEncoding,
  products: readonly FeaturePair[],
): SparseBatch {
  const { rows, dimension, offsets, indices, values } = examples;
  const nameOf = featureNamer(features);
  const places = new Map(Array.from({ length: dimension }, (_, j) => [nameOf(j), j]));
  const pairs = products.map((pair) =>
    pair.map((name) => {
      const place = places.get(name);
      if (place !== undefined) return place;
      const some = [...places.keys()].slice(0, 8).join(', ');
      throw new HalfspaceError('option-invalid', `expected pairs of the features ${some}; got ${JSON.stringify(name)}`);
    }),
  );
  const lifted = { offsets: [0], indices: [] as number[], values: [] as number[] };
  for (let i = 0; i < rows; i++) {
    const row = new Map<number, number>();
    for (let at = offsets[i]!; at < offsets[i + 1]!; at++) row.set(indices[at]!, values[at]!);
    pairs.forEach(([a, b], k) => {
      const product = (row.get(a!) ?? 0) * (row.get(b!) ?? 0);
      if (!Number.isFinite(product))
        throw new HalfspaceError(
          'option-invalid',
          `expected a product that is a double; got ${products[k]!.join(' × ')}`,
          {
            row: i + 1,
          },
        );
      if (product !== 0) row.set(dimension + k, product);
    });
    for (const [index, value] of row) {
      lifted.indices.push(index);
      lifted.values.push(value);
    }
    lifted.offsets.push(lifted.indices.length);
  }
  return {
    ...examples,
    dimension: dimension + products.length,
    offsets: Uint32Array.from(lifted.offsets),
    indices: Uint32Array.from(lifted.indices),
    values: Float64Array.from(lifted.values),
  };
}
