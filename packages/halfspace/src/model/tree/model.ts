import type { ModelCommon } from '../common.ts';
import type { DecisionTree } from './decision-tree.ts';

/** Asks an example one question after the other; the class is the most frequent one of the leaf, of equally frequent ones the first. */
export interface TreeModel extends ModelCommon {
  readonly kind: 'tree';
  /** Names of the classes: of two the negative and the positive one. */
  readonly classes: readonly string[];
  /** Its columns are those of `features`, its classes `classes`. */
  readonly tree: DecisionTree;
}
