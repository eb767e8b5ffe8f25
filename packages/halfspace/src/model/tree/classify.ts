import { type Fields, fieldAt, fieldsOf, type RecordRow } from '../../features/record.ts';
import { refusedCell, valueCell, valueText } from '../../features/table-cell.ts';
import type { TreeColumn, TreeValues } from './columns.ts';
import { childOf, type DecisionTree, majority, type TreeNode } from './decision-tree.ts';

/** The answer of a tree to one row. */
export interface TreeAnswer {
  /** Name of the class. */
  readonly class: string;
  /** The leaf, a position in `nodes`. Its counts show how sure the answer is. */
  readonly leaf: number;
}

/**
 * Classifies a row given as a plain object by a tree without a model; `Predictor` serves models. Fields may be numbers,
 * booleans, dates or text, and are read like the cells of a text table. A value counts as missing if it is absent, null
 * or undefined, or a category unknown in training. Only the fields on the path to the leaf are read.
 *
 * @throws HalfspaceError `number-invalid`, `row-malformed` with the field.
 */
export function classify(tree: DecisionTree, row: RecordRow): TreeAnswer {
  const fields = fieldsOf(row);
  const leaf = leafOf(tree.nodes, (c) => fieldValue(tree.columns[c]!, fields));
  return { class: tree.classes[majority(tree.nodes[leaf]!.counts)]!, leaf };
}

/**
 * Writes the leaf of each row of a table to `out`. The table has the tree's columns, in the same order.
 *
 * @param values at least `rows` values per column of the tree; see {@link TreeValues}.
 * @param out owned by the caller, at least `rows` long.
 */
export function leavesInto(tree: DecisionTree, values: readonly TreeValues[], rows: number, out: Uint32Array): void {
  let i = 0;
  const read = (column: number) => values[column]![i]!;
  for (; i < rows; i++) out[i] = leafOf(tree.nodes, read);
}

function leafOf(nodes: readonly TreeNode[], read: (column: number) => number): number {
  let node = 0;
  for (let split = nodes[0]!.split; split !== null; split = nodes[node]!.split)
    node = childOf(split, read(split.column));
  return node;
}

function fieldValue(column: TreeColumn, row: Fields): number {
  const value = fieldAt(row, column.name);
  if (column.kind === 'category') {
    const text = valueText(value, column.name);
    return text === null ? -1 : column.levels.indexOf(text);
  }
  const cell = valueCell(column.kind, value);
  if (Math.abs(cell) === Infinity) throw refusedCell(column.kind, cell, value, { field: column.name });
  return cell;
}
