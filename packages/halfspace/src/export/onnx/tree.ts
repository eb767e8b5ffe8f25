import { encodedColumns } from '../../model/tree/encoded-columns.ts';
import { nodeScores, type TreeModel } from '../tree.ts';
import { type Graph, types } from './graph.ts';
import { type OnnxRows, refused } from './rows.ts';

/**
 * Adds the scores of a tree to a graph: [N, K], with one column for two classes. The nodes are lists; each level of the
 * tree is one step from the node of a row to its child.
 */
export function treeScores(model: TreeModel, rows: OnnxRows, graph: Graph): string {
  const { nodes } = model.tree;
  const scores = nodeScores(model);
  const leaves = graph.doubles(scores.flat(), [scores.length, scores[0]!.length]);
  const cells = treeCells(model, rows, graph);
  const children: number[] = [];
  const starts = nodes.map(({ split }, n) => {
    const start = children.length;
    if (split === null) children.push(n, n, n);
    else if (split.kind === 'category')
      // A list of all codes: −1, missing or unknown, is the first.
      for (let code = -1; code < cells.codes(split.column); code++) {
        const child = split.levels.indexOf(code);
        children.push(split.children[child === -1 ? split.missing : child]!);
      }
    else if (split.kind === 'missing') children.push(split.children[0], split.children[0], split.children[1]);
    else children.push(...split.children, split.children[split.missing]);
    return start;
  });
  const listOf = (values: readonly number[]) => graph.wholes(values, [values.length]);
  const columnOf = listOf(nodes.map(({ split }) => (split === null ? 0 : cells.place(split.column))));
  const thresholds = graph.doubles(
    nodes.map(({ split }) => (split?.kind === 'number' ? split.threshold : 0)),
    [nodes.length],
  );
  const startOf = listOf(starts);
  const childOf = listOf(children);
  const isCategory = nodes.some(({ split }) => split?.kind === 'category')
    ? graph.node('Cast', [listOf(nodes.map(({ split }) => (split?.kind === 'category' ? 1 : 0)))], { to: types.bool })
    : null;
  const whole = (value: number) => graph.wholes([value], [1, 1]);
  const first = graph.node('Gather', [cells.values, graph.wholes([0], [1])], { axis: 1 });
  let at = graph.node('Expand', [whole(0), graph.node('Shape', [first])]);
  for (let level = depthOf(model); level > 0; level--) {
    const value = graph.node('GatherElements', [cells.values, graph.node('Gather', [columnOf, at])], { axis: 1 });
    const isLow = graph.node('LessOrEqual', [value, graph.node('Gather', [thresholds, at])]);
    const side = graph.node('Where', [isLow, whole(0), whole(1)]);
    const isMissing = graph.node('IsNaN', [value]);
    let branch = graph.node('Where', [isMissing, whole(2), side]);
    if (isCategory !== null) {
      const number = graph.node('Where', [isMissing, graph.doubles([0], [1]), value]);
      const code = graph.node('Add', [graph.node('Cast', [number], { to: types.int64 }), whole(1)]);
      branch = graph.node('Where', [graph.node('Gather', [isCategory, at]), code, branch]);
    }
    at = graph.node('Gather', [childOf, graph.node('Add', [graph.node('Gather', [startOf, at]), branch])]);
  }
  return graph.node('Gather', [leaves, graph.node('Reshape', [at, graph.wholes([-1], [1])])]);
}

interface TreeCells {
  /** Doubles, one column per column of the tree that has a split: [N, C]. A category has its code, −1 for none. */
  readonly values: string;
  /** Returns the position among them of a column of the tree. */
  readonly place: (column: number) => number;
  /** Returns the number of codes of a category. */
  readonly codes: (column: number) => number;
}

/** Adds the values of the columns that a tree splits by. */
function treeCells({ tree, features }: TreeModel, { measured, choices }: OnnxRows, graph: Graph): TreeCells {
  const used = [...new Set(tree.nodes.flatMap(({ split }) => (split === null ? [] : [split.column])))];
  const encoded = encodedColumns(features);
  const values = used.map((c) => {
    const { column, first, indicator, mean, deviation } = encoded[c]!;
    const slot = measured?.features.indexOf(first) ?? -1;
    if (slot >= 0) {
      const own = (matrix: string) => graph.node('Gather', [matrix, graph.wholes([slot], [1])], { axis: 1 });
      // Numbers went through the scaling of linear models and back.
      const scaled = graph.node('Mul', [own(measured!.values), graph.doubles([deviation], [1])]);
      const value = graph.node('Add', [scaled, graph.doubles([mean], [1])]);
      if (indicator < 0) return value;
      return graph.node('Where', [own(measured!.missing!), graph.doubles([Number.NaN], [1]), value]);
    }
    const choice = choices.find((each) => each.features.includes(first));
    if (choice === undefined) throw refused('a tree of columns that a graph can have', `the column ${column.name}`);
    if (column.kind === 'category') {
      const codes = choice.features.map((feature) => (feature < 0 || feature === indicator ? -1 : feature - first));
      const code = graph.node('Gather', [graph.wholes(codes, [codes.length]), choice.index]);
      return graph.node('Cast', [code], { to: types.double });
    }
    // A part of a date, or a pair of levels: 1 or 0.
    const marks = choice.features.map((feature) => (feature === first ? 1 : 0));
    return graph.node('Gather', [graph.doubles(marks, [marks.length]), choice.index]);
  });
  const any = measured?.values ?? graph.node('Cast', [choices[0]!.index], { to: types.double });
  return {
    values: values.length === 0 ? any : graph.node('Concat', values, { axis: 1 }),
    place: (column) => used.indexOf(column),
    codes: (column) => (encoded[column]!.column as { levels: readonly string[] }).levels.length,
  };
}

function depthOf({ tree }: TreeModel): number {
  const depths = tree.nodes.map(() => 0);
  // Parents come before their children.
  tree.nodes.forEach(({ split }, n) => {
    for (const child of split?.children ?? []) depths[child] = depths[n]! + 1;
  });
  return Math.max(...depths);
}
