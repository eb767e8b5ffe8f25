import { type DecisionTree, majority, type TreeNode, weightOf } from './decision-tree.ts';
import { type Pausable, runAtOnce, WorkCounter } from './pausable.ts';

/*
 * Cost-complexity pruning.
 *
 *   R_α(T) = R(T) + α · leaves(T)
 *
 * R(T): share of the training examples that T misclassifies, by importance; α: the cost of a leaf. As α rises from 0,
 * the smallest subtree with the least R_α shrinks in steps T ⊃ T₁ ⊃ … ⊃ {root}. At each step the weakest link, the node
 * t with the least
 *
 *   g(t) = (R(t) − R(T_t)) / (leaves(T_t) − 1),   T_t: the tree below t,
 *
 * becomes a leaf, at α = g(t).
 *
 * Source: Breiman, Friedman, Olshen & Stone, "Classification and Regression Trees", 1984, chapter 3 (3.8–3.10). R is
 * the error of the leaves, as in the book; scikit-learn's ccp_alpha uses their impurity.
 */

/** A tree of the pruning sequence. */
export interface PruningStep {
  /** The smallest α at which this tree is the best. */
  readonly alpha: number;
  readonly leaves: number;
  /** R(T), in [0, 1]. */
  readonly error: number;
}

/** Values g(t) that differ by less count as equal: sums of shares round. */
const equal = 1e-12;

/**
 * Returns the sequence of pruned trees: α rises from 0, leaves fall to 1. The first tree lacks only the splits that
 * save no training error.
 */
export function pruningSequence(tree: DecisionTree): PruningStep[] {
  const links = new WeakestLinks(tree);
  const steps: PruningStep[] = [];
  let alpha = 0;
  do {
    links.cut(alpha);
    const { leaves, error } = links;
    steps.push({ alpha, leaves, error });
    alpha = links.least();
  } while (alpha < Infinity);
  return steps;
}

/** Returns the smallest subtree with the least R_α. @param alpha in [0, ∞). */
export function pruned(tree: DecisionTree, alpha: number): DecisionTree {
  return runAtOnce(pruning(tree, alpha));
}

/** {@link pruned} with pauses. */
export function* pruning(tree: DecisionTree, alpha: number): Pausable<DecisionTree> {
  const links = new WeakestLinks(tree);
  const work = new WorkCounter();
  for (let g = links.least(); g <= alpha + equal; g = links.least()) {
    links.cut(g);
    if (work.add(tree.nodes.length)) yield;
  }
  return { ...tree, settings: { ...tree.settings, pruning: alpha }, nodes: links.keptNodes() };
}

class WeakestLinks {
  readonly #nodes: readonly TreeNode[];
  readonly #total: number;
  /** Errors of each node as a leaf, and of the leaves below it; the number of these leaves. */
  readonly #own: Float64Array;
  readonly #below: Float64Array;
  readonly #leaves: Float64Array;
  readonly #isLeaf: Uint8Array;

  constructor({ nodes }: DecisionTree) {
    this.#nodes = nodes;
    this.#total = weightOf(nodes[0]!.counts);
    this.#own = Float64Array.from(nodes, ({ counts }) => weightOf(counts) - counts[majority(counts)]!);
    this.#below = new Float64Array(nodes.length);
    this.#leaves = new Float64Array(nodes.length);
    this.#isLeaf = Uint8Array.from(nodes, ({ split }) => (split === null ? 1 : 0));
    this.#sum();
  }

  get leaves(): number {
    return this.#leaves[0]!;
  }

  get error(): number {
    return this.#below[0]! / this.#total;
  }

  /** Returns the least g(t) of all inner nodes; Infinity if the root is a leaf. */
  least(): number {
    let least = Infinity;
    this.#eachKept((n) => {
      if (this.#isLeaf[n] === 0) least = Math.min(least, this.#linkOf(n));
    });
    return Math.max(least, 0);
  }

  /** Makes leaves of the nodes with g(t) ≤ α, from the root down; repeats until no such node is left. */
  cut(alpha: number): void {
    for (let cut = true; cut; ) {
      cut = false;
      this.#eachKept((n) => {
        if (this.#isLeaf[n] === 1 || this.#linkOf(n) > alpha + equal) return;
        this.#isLeaf[n] = 1;
        cut = true;
      });
      if (cut) this.#sum();
    }
  }

  #linkOf(n: number): number {
    return (this.#own[n]! - this.#below[n]!) / this.#total / (this.#leaves[n]! - 1);
  }

  /** Sums up from the leaves: children come after their parents, so the loop runs backwards. */
  #sum(): void {
    for (let n = this.#nodes.length - 1; n >= 0; n--) {
      const isLeaf = this.#isLeaf[n] === 1;
      this.#below[n] = isLeaf ? this.#own[n]! : 0;
      this.#leaves[n] = isLeaf ? 1 : 0;
      if (isLeaf) continue;
      for (const child of this.#nodes[n]!.split!.children) {
        this.#below[n]! += this.#below[child]!;
        this.#leaves[n]! += this.#leaves[child]!;
      }
    }
  }

  /** Visits the nodes that are not below a leaf, in preorder. */
  #eachKept(visit: (n: number) => void): void {
    const waiting = [0];
    for (let n = waiting.pop(); n !== undefined; n = waiting.pop()) {
      visit(n);
      const { split } = this.#nodes[n]!;
      if (this.#isLeaf[n] === 1 || split === null) continue;
      for (let j = split.children.length - 1; j >= 0; j--) waiting.push(split.children[j]!);
    }
  }

  keptNodes(): TreeNode[] {
    const kept: number[] = [];
    this.#eachKept((n) => kept.push(n));
    const numbers = new Map(kept.map((n, k) => [n, k]));
    return kept.map((n): TreeNode => {
      const { counts, split } = this.#nodes[n]!;
      if (split === null || this.#isLeaf[n] === 1) return { counts, split: null };
      const children = split.children.map((child) => numbers.get(child)!);
      return { counts, split: { ...split, children } as typeof split };
    });
  }
}
