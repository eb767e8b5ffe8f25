import type { FeatureEncoding } from './encoding.ts';
import { featureNames as tableFeatureNames } from './table-feature-names.ts';

/** The names of all features of an encoding, in the order of a model's weights. */
export function featureNames(encoding: FeatureEncoding): string[] {
  switch (encoding.kind) {
    case 'indexed': {
      const { dimension, far } = encoding;
      const direct = far?.direct ?? dimension;
      return Array.from({ length: dimension }, (_, j) => String(j < direct ? j : far!.indices[j - direct]));
    }
    case 'named':
      return [...encoding.names];
    case 'hashed':
      return Array.from({ length: 2 ** encoding.bits }, (_, j) => `#${j}`);
    case 'table':
      return tableFeatureNames(encoding);
  }
}
