import type { FeatureEncoding } from './encoding.ts';
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
