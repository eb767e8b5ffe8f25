import type { StoredBatch } from '../../batch.ts';
import { leavesInto } from './classify.ts';
import { weightOf } from './decision-tree.ts';
import { EncodedColumns } from './encoded-columns.ts';
import type { TreeModel } from './model.ts';

/**
 * Scores rows by the training examples of their leaf: for two classes the positive share minus the other, for
 * more the share of each. These are no probabilities for new examples: a tree is more certain than it is right.
 */
export class TreeScorer {
  readonly outputs: number;
  readonly #tree: TreeModel['tree'];
  readonly #columns: EncodedColumns;
  /** Scores of all nodes, node after node. */
  readonly #scores: Float64Array;
  #leaves = new Uint32Array(0);

  constructor({ classes, tree, features }: Pick<TreeModel, 'classes' | 'tree' | 'features'>) {
    this.#tree = tree;
    this.#columns = new EncodedColumns(features);
    this.outputs = classes.length === 2 ? 1 : classes.length;
    this.#scores = Float64Array.from(
      tree.nodes.flatMap(({ counts }) => {
        const total = weightOf(counts);
        return counts.length === 2 ? [(counts[1]! - counts[0]!) / total] : counts.map((count) => count / total);
      }),
    );
  }

  scoreInto(batch: StoredBatch, out: Float64Array): void {
    const { rows } = batch;
    const { outputs } = this;
    if (this.#leaves.length < rows) this.#leaves = new Uint32Array(rows);
    leavesInto(this.#tree, this.#columns.decode(batch), rows, this.#leaves);
    for (let i = 0; i < rows; i++) {
      const from = this.#leaves[i]! * outputs;
      for (let k = 0; k < outputs; k++) out[i * outputs + k] = this.#scores[from + k]!;
    }
  }

  free(): void {}
}
