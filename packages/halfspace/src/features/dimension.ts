import type { FeatureEncoding, IndexedEncoding } from './encoding.ts';
import { dimension } from './table-encoding.ts';

/** Returns the number of features of an encoding. */
export function dimensionOf(features: FeatureEncoding): number {
  switch (features.kind) {
    case 'indexed':
      return features.dimension;
    case 'named':
      return features.names.length;
    case 'hashed':
      return 2 ** features.bits;
    case 'table':
      return dimension(features);
  }
}

/** Returns the length of a row that is a list: a number for each index that the model knows, from 0. */
export function listLength({ dimension, far }: IndexedEncoding): number {
  return far === undefined ? dimension : far.indices.reduce((most, index) => Math.max(most, index + 1), far.direct);
}
