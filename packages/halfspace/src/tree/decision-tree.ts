import type { TreeColumn } from './columns.ts';
import type { TreeSettings } from './options.ts';

/**
 * A decision tree: plain data, safe to write as JSON and to read back (`parseDecisionTree`).
 *
 * Nodes stand in preorder: a node before its children, a child with all below it before the next child. Node 0 is the root.
 */
export interface DecisionTree {
  /** How it was grown and pruned. */
  readonly settings: TreeSettings;
  /** Names of the K classes. */
  readonly classes: readonly string[];
  /** The columns that tests may ask for. */
  readonly columns: readonly TreeColumn[];
  readonly nodes: readonly TreeNode[];
}

export interface TreeNode {
  /** How many training examples of each class came here, by their importance: K numbers. */
  readonly counts: readonly number[];
  /** The test that leads to a child; null for a leaf. */
  readonly split: TreeSplit | null;
}

export type TreeSplit = NumberSplit | CategorySplit | MissingSplit;

/** x ≤ threshold, or not. */
export interface NumberSplit {
  readonly kind: 'number';
  /** Position in the tree's `columns`. */
  readonly column: number;
  /** Midway between two neighbouring values of the node's training examples. */
  readonly threshold: number;
  /** Which child an example without the value goes to. */
  readonly missing: 0 | 1;
  /** Nodes for x ≤ threshold and for x > threshold. */
  readonly children: readonly [number, number];
}

/** Which level the value is. */
export interface CategorySplit {
  readonly kind: 'category';
  readonly column: number;
  /** Levels with a child of their own, rising. */
  readonly levels: readonly number[];
  /**
   * Position in `children` for all other values: missing ones, levels too rare for a child of their own, levels that training had not
   * seen. It is `levels.length`, behind the others, where these have a child of their own, else the child with most examples.
   */
  readonly missing: number;
  readonly children: readonly number[];
}

/** Whether the value is there at all. */
export interface MissingSplit {
  readonly kind: 'missing';
  /** A column that is no category. */
  readonly column: number;
  /** Nodes for a value that is there, and for a missing one. */
  readonly children: readonly [number, number];
}

/** Position of the class that a node answers: the most frequent one, of equally frequent ones the first. */
export function majority(counts: readonly number[]): number {
  let best = 0;
  for (let k = 1; k < counts.length; k++) if (counts[k]! > counts[best]!) best = k;
  return best;
}

/** Examples of a node, by importance. */
export function weightOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The child that a value leads to. @param value a number, NaN where it is missing; of a category a position, −1 where it is missing. */
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

/** Number of leaves, and of tests on the longest way to one. */
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

/** Tests on the way to each node. */
export function nodeDepths(nodes: readonly TreeNode[]): Uint32Array {
  const depths = new Uint32Array(nodes.length);
  nodes.forEach(({ split }, n) => {
    for (const child of split?.children ?? []) depths[child] = depths[n]! + 1;
  });
  return depths;
}
