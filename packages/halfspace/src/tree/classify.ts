import { refusedCell, valueCell, valueText } from '../features/table-cell.ts';
import type { TreeColumn, TreeValues } from './columns.ts';
import { childOf, type DecisionTree, majority, type TreeNode } from './decision-tree.ts';

/** What a tree answers. */
export interface TreeAnswer {
  /** Name of the class. */
  readonly class: string;
  /** The leaf, a position in `nodes`; its counts tell how sure the answer is. */
  readonly leaf: number;
}

/**
 * The class of a row given as a plain object. Fields may be numbers, booleans, dates or text, read as the cells of a text table are; one
 * that is absent, null or undefined is a missing value, and so is a category that training had not seen. Only the
 * fields on the way to the leaf are looked at.
 *
 * @throws HalfspaceError `number-invalid`, `row-malformed` with the field.
 */
export function classify(tree: DecisionTree, row: Readonly<Record<string, unknown>>): TreeAnswer {
  const leaf = leafOf(tree.nodes, (c) => fieldValue(tree.columns[c]!, row));
  return { class: tree.classes[majority(tree.nodes[leaf]!.counts)]!, leaf };
}

/**
 * The leaf of each row of a table with the tree's columns, in its order.
 *
 * @param values one entry per column of the tree, of at least `rows` values each; see {@link TreeValues}.
 * @param out the caller's, of at least `rows`.
 */
export function leavesInto(tree: DecisionTree, values: readonly TreeValues[], rows: number, out: Uint32Array): void {
  const { nodes } = tree;
  for (let i = 0; i < rows; i++) {
    let node = 0;
    for (let split = nodes[0]!.split; split !== null; split = nodes[node]!.split)
      node = childOf(split, values[split.column]![i]!);
    out[i] = node;
  }
}

function leafOf(nodes: readonly TreeNode[], read: (column: number) => number): number {
  let node = 0;
  for (let split = nodes[0]!.split; split !== null; split = nodes[node]!.split)
    node = childOf(split, read(split.column));
  return node;
}

function fieldValue(column: TreeColumn, row: Readonly<Record<string, unknown>>): number {
  // An inherited member, such as `constructor`, is no field.
  const value = Object.hasOwn(row, column.name) ? row[column.name] : undefined;
  if (column.kind === 'category') {
    const text = valueText(value, column.name);
    return text === null ? -1 : column.levels.indexOf(text);
  }
  const cell = valueCell(column.kind, value);
  if (Math.abs(cell) === Infinity) throw refusedCell(column.kind, cell, value, { field: column.name });
  return cell;
}
