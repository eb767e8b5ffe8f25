import { dimensionOf } from './dimension.ts';
import type { FeatureEncoding } from './encoding.ts';
import { featureNamer as tableFeatureNamer, featureNames as tableFeatureNames } from './table-feature-names.ts';

/**
 * Returns a function that names one feature. Names of indexed and hashed features are made on demand, so none is
 * stored.
 */
export function featureNamer(encoding: FeatureEncoding): (j: number) => string {
  switch (encoding.kind) {
    case 'indexed': {
      const { far, dimension } = encoding;
      const direct = far?.direct ?? dimension;
      return (j) => String(j < direct ? j : far!.indices[j - direct]);
    }
    case 'named':
      return (j) => encoding.names[j]!;
    case 'hashed':
      return (j) => `#${j}`;
    case 'table':
      return tableFeatureNamer(encoding);
  }
}

/** Returns the names of all features of an encoding, in the order of a model's weights. */
export function featureNames(encoding: FeatureEncoding): string[] {
  if (encoding.kind === 'table') return tableFeatureNames(encoding);
  const name = featureNamer(encoding);
  const length = dimensionOf(encoding);
  return Array.from({ length }, (_, j) => name(j));
}
