import type { TreeColumn } from './columns.ts';
import type { TreeSettings } from './options.ts';

/**
 * A decision tree: plain data that can be written as JSON and read back (`parseDecisionTree`).
 *
 * Nodes are in preorder: node 0 is the root, and every node stands before its children, subtree after subtree.
 */
export interface DecisionTree {
  /** The options that the tree was grown and pruned with. */
  readonly settings: TreeSettings;
  /** Names of the K classes. */
  readonly classes: readonly string[];
  /** The columns that splits refer to. */
  readonly columns: readonly TreeColumn[];
  readonly nodes: readonly TreeNode[];
}

export interface TreeNode {
  /** Training examples of each class in this node, by importance: K numbers. */
  readonly counts: readonly number[];
  /** The test that chooses a child; null for a leaf. */
  readonly split: TreeSplit | null;
}

export type TreeSplit = NumberSplit | CategorySplit | MissingSplit;

/** Tests if x ≤ threshold. */
export interface NumberSplit {
  readonly kind: 'number';
  /** Position in the tree's `columns`. */
  readonly column: number;
  /** Halfway between two neighbouring values among the node's training examples. */
  readonly threshold: number;
  /** The child for a missing value. */
  readonly missing: 0 | 1;
  /** The nodes for x ≤ threshold and for x > threshold. */
  readonly children: readonly [number, number];
}

/** Tests which level a value is. */
export interface CategorySplit {
  readonly kind: 'category';
  readonly column: number;
  /** The levels that have a child each, rising. */
  readonly levels: readonly number[];
  /**
   * Position in `children` for all other values: missing, rare, or unknown in training. It is `levels.length` if these
   * values have a child for themselves, else the largest child.
   */
  readonly missing: number;
  readonly children: readonly number[];
}

/** Tests if the value is present. */
export interface MissingSplit {
  readonly kind: 'missing';
  /** Not a category. */
  readonly column: number;
  /** The nodes for a present value and for a missing one. */
  readonly children: readonly [number, number];
}

/** Returns the position of the most frequent class; the first of equally frequent ones. */
export function majority(counts: readonly number[]): number {
  let best = 0;
  for (let k = 1; k < counts.length; k++) if (counts[k]! > counts[best]!) best = k;
  return best;
}

/** Returns the number of examples in a node, by importance. */
export function weightOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Returns the child for a value: a number (NaN: missing), or the position of a level (−1: missing). */
export function childOf(split: TreeSplit, value: number): number {
  switch (split.kind) {
    case 'number':
      if (Number.isNaN(value)) return split.children[split.missing];
      return split.children[value <= split.threshold ? 0 : 1];
    case 'category': {
      const child = split.levels.indexOf(value);
      return split.children[child === -1 ? split.missing : child]!;
    }
    case 'missing':
      return split.children[Number.isNaN(value) ? 1 : 0];
  }
}

/** Returns the number of leaves, and the largest number of tests on a path from the root to a leaf. */
export function treeSize({ nodes }: DecisionTree): { readonly leaves: number; readonly depth: number } {
  const depths = nodeDepths(nodes);
  let leaves = 0;
  let depth = 0;
  nodes.forEach(({ split }, n) => {
    if (split === null) leaves++;
    depth = Math.max(depth, depths[n]!);
  });
  return { leaves, depth };
}

/** Returns the number of tests on the path to each node. */
export function nodeDepths(nodes: readonly TreeNode[]): Uint32Array {
  const depths = new Uint32Array(nodes.length);
  nodes.forEach(({ split }, n) => {
    for (const child of split?.children ?? []) depths[child] = depths[n]! + 1;
  });
  return depths;
}
