import type { FeatureEncoding } from './encoding.ts';
import { featureNames as tableFeatureNames } from './table-feature-names.ts';

/**
 * Returns the names of all features of an encoding, in the order of a model's weights: as many as the encoding has positions, which may be
 * millions though few have a weight. {@link featureNamer} names some.
 */
export function featureNames(encoding: FeatureEncoding): string[] {
  if (encoding.kind === 'table') return tableFeatureNames(encoding);
  if (encoding.kind === 'named') return [...encoding.names];
  const length = encoding.kind === 'indexed' ? encoding.dimension : 2 ** encoding.bits;
  const name = featureNamer(encoding);
  return Array.from({ length }, (_, j) => name(j));
}

/** Returns a function that names a feature, given its position among a model's weights. Work follows the features that are asked for. */
export function featureNamer(encoding: FeatureEncoding): (feature: number) => string {
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
    case 'table': {
      const names = tableFeatureNames(encoding);
      return (j) => names[j]!;
    }
  }
}
