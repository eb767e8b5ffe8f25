import type { ModelCommon } from '../common.ts';
import type { DecisionTree } from './decision-tree.ts';

/** A tree of questions about an example. It predicts the most frequent class of the leaf, the first of equal ones. */
export interface TreeModel extends ModelCommon {
  readonly kind: 'tree';
  /** Names of the classes; for two, the negative and the positive one. */
  readonly classes: readonly string[];
  /** Has the columns of `features` and the classes `classes`. */
  readonly tree: DecisionTree;
}
