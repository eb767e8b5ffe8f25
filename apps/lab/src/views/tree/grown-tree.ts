import type { TreeModel } from 'halfspace';
import type { StoredBatch } from 'halfspace/rules';
import {
  type DecisionTree,
  EncodedColumns,
  leavesInto,
  majority,
  type TreeSplit,
  type TreeValues,
} from 'halfspace/tree';
import type { Examples } from '../../engine/examples.ts';
import { cacheOf } from '../cache.ts';
import type { Scene } from '../view.ts';

/**
 * Returns the tree of a scene: the run's own, or one grown beside it. Null: none can be grown; undefined: not known
 * yet.
 */
export function treeOf({ recording, tree }: Pick<Scene, 'recording' | 'tree'>): TreeModel | null | undefined {
  return recording.model.kind === 'tree' ? recording.model : tree;
}

/** The drawn examples as the tree sees them. */
interface TreeExamples {
  readonly columns: EncodedColumns['columns'];
  /** For each column the value of each drawn example. */
  readonly values: readonly TreeValues[];
  /** The leaf of each drawn example. */
  readonly leaves: Uint32Array;
  /** Number of drawn examples that get their own class. */
  readonly right: number;
}

const cached = cacheOf<DecisionTree, TreeExamples>();

/** Returns the values and leaves of the drawn examples. */
export const treeExamples = ({ tree }: TreeModel, examples: Examples): TreeExamples =>
  cached(tree, () => assignLeaves(tree, examples));

function assignLeaves(tree: DecisionTree, examples: Examples): TreeExamples {
  const { shown, vectors, dimension, labels, encoding } = examples;
  const encoded = new EncodedColumns(encoding);
  const batch: StoredBatch = {
    kind: 'dense',
    rows: shown.length,
    dimension,
    values: vectors,
    labels: Float64Array.from(shown, (row) => labels[row]!),
    importance: null,
  };
  const values = encoded.allocate(shown.length);
  encoded.decodeInto(batch, values, 0);
  const leaves = new Uint32Array(shown.length);
  leavesInto(tree, values, shown.length, leaves);
  let right = 0;
  leaves.forEach((leaf, k) => {
    if (labelOf(majority(tree.nodes[leaf]!.counts)) === labels[shown[k]!]) right++;
  });
  return { columns: encoded.columns, values, leaves, right };
}

/** Returns the label of a class's position: the first class is the negative one. */
function labelOf(position: number): -1 | 1 {
  return position === 0 ? -1 : 1;
}

/** Returns the nodes from the root to a leaf. */
export function wayTo({ nodes }: DecisionTree, leaf: number): number[] {
  const way = [0];
  for (let node = 0; node !== leaf; ) {
    const children: readonly number[] = nodes[node]!.split?.children ?? [];
    // In preorder a child's subtree precedes the next child.
    node = children.filter((child) => child <= leaf).at(-1)!;
    way.push(node);
  }
  return way;
}

/** Writes the condition of a child without the column's name: `≤ 97.5`, `= Japan`. */
export function answerOf({ columns }: DecisionTree, split: TreeSplit, child: number): string {
  const column = columns[split.column]!;
  if (split.kind === 'missing') return child === 0 ? 'is there' : 'is missing';
  if (split.kind === 'number') {
    if (column.kind === 'boolean') return child === 0 ? '= false' : '= true';
    return `${child === 0 ? '≤' : '>'} ${valueText(split.threshold, column.kind === 'date')}`;
  }
  const level = split.levels[child];
  if (level === undefined || column.kind !== 'category') return 'otherwise';
  const others = child === split.missing && split.levels.length < column.levels.length;
  return `= ${column.levels[level]}${others ? ' or other' : ''}`;
}

function valueText(value: number, date: boolean): string {
  if (date && Math.abs(value) <= 1e8) return new Date(value * 86_400_000).toISOString().slice(0, 10);
  return String(Number(value.toPrecision(5)) + 0).replace(/-/g, '−');
}
