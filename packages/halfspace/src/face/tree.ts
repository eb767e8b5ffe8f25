/**
 * Decision trees: growing, pruning, asking, drawing.
 * @module
 */
export { type ChoosePruningOptions, choosePruning, type JudgedPruning } from '../model/tree/choose-pruning.ts';
export { classify, leavesInto, type TreeAnswer } from '../model/tree/classify.ts';
export type {
  CategoryTreeColumn,
  NumericTreeColumn,
  TreeColumn,
  TreeTable,
  TreeValues,
} from '../model/tree/columns.ts';
export {
  type CategorySplit,
  type DecisionTree,
  type MissingSplit,
  majority,
  type NumberSplit,
  type TreeNode,
  type TreeSplit,
  treeSize,
} from '../model/tree/decision-tree.ts';
export { type TreeSvgOptions, treeSvg } from '../model/tree/draw-svg.ts';
export { type DrawTreeOptions, drawTree } from '../model/tree/draw-text.ts';
export { EncodedColumns } from '../model/tree/encoded-columns.ts';
export { growTree } from '../model/tree/grow.ts';
export type { TreeCriterion, TreeOptions, TreeSettings } from '../model/tree/options.ts';
export { parseDecisionTree } from '../model/tree/parse.ts';
export { type PruningStep, pruned, pruningSequence } from '../model/tree/prune.ts';
export { tidyLayout } from '../model/tree/tidy-layout.ts';
