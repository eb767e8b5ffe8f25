import {
  check,
  checkDistinct,
  checkRising,
  list,
  members,
  number,
  oneOf,
  readAs,
  text,
  texts,
  whole,
} from '../../json.ts';
import type { TreeColumn } from './columns.ts';
import { type DecisionTree, type TreeNode, type TreeSplit, weightOf } from './decision-tree.ts';
import { checkTreeOptions } from './options.ts';

/** Limits of size; larger trees are refused. */
const mostNodes = 1 << 24;
const mostColumns = 1 << 20;

/**
 * Reads a decision tree from untrusted JSON. Checks and copies every member; refuses unknown members. The result is a
 * valid tree: each node but the root is the child of exactly one node, and nodes are in preorder, so every row reaches
 * a leaf.
 *
 * @param value the result of `JSON.parse` for a {@link DecisionTree}.
 * @throws HalfspaceError `model-invalid`.
 */
export function parseDecisionTree(value: unknown, path = 'tree'): DecisionTree {
  const from = members(value, path, ['settings', 'classes', 'columns', 'nodes']);
  const classes = texts(from.classes, `${path}.classes`);
  check(classes.length >= 2, `${path}.classes`, 'at least two classes', classes.length);
  checkDistinct(classes, `${path}.classes`, 'different names');
  const columns = list(from.columns, `${path}.columns`).map((column, c) =>
    parseColumn(column, `${path}.columns[${c}]`),
  );
  check(columns.length <= mostColumns, `${path}.columns`, `at most ${mostColumns} columns`, columns.length);
  const columnNames = columns.map(({ name }) => name);
  checkDistinct(columnNames, `${path}.columns`, 'different names');
  const entries = list(from.nodes, `${path}.nodes`);
  check(entries.length >= 1 && entries.length <= mostNodes, `${path}.nodes`, `1 to ${mostNodes} nodes`, entries.length);
  const nodes = entries.map((node, n) => parseNode(node, classes.length, columns, `${path}.nodes[${n}]`));
  checkPreorder(nodes, path);
  return { settings: parseSettings(from.settings, `${path}.settings`), classes, columns, nodes };
}

function parseSettings(value: unknown, path: string): DecisionTree['settings'] {
  const from = members(value, path, ['criterion', 'maxDepth', 'minLeaf', 'pruning', 'multiway', 'bins']);
  return readAs({ code: 'model-invalid', prefix: `in "${path}": ` }, () => checkTreeOptions(from));
}

function parseColumn(value: unknown, path: string): TreeColumn {
  const kinds = ['number', 'boolean', 'date', 'category'] as const;
  const kind = oneOf(members(value, path).kind, `${path}.kind`, kinds);
  const from = members(value, path, ['kind', 'name', ...(kind === 'category' ? ['levels'] : [])]);
  const name = text(from.name, `${path}.name`);
  if (kind !== 'category') return { kind, name };
  const levels = texts(from.levels, `${path}.levels`);
  checkDistinct(levels, `${path}.levels`, 'different names');
  return { kind, name, levels };
}

function parseNode(value: unknown, classes: number, columns: readonly TreeColumn[], path: string): TreeNode {
  const from = members(value, path, ['counts', 'split']);
  const counts = list(from.counts, `${path}.counts`).map((count) => number(count, `${path}.counts`, 0));
  check(counts.length === classes, `${path}.counts`, `${classes} numbers, one per class`, counts.length);
  check(weightOf(counts) > 0 && weightOf(counts) < Infinity, `${path}.counts`, 'above 0 together', 'others');
  return { counts, split: from.split === null ? null : parseSplit(from.split, columns, `${path}.split`) };
}

function parseSplit(value: unknown, columns: readonly TreeColumn[], path: string): TreeSplit {
  const own = { number: ['threshold', 'missing'], category: ['levels', 'missing'], missing: [] } as const;
  const kinds = ['number', 'category', 'missing'] as const;
  const kind = oneOf(members(value, path).kind, `${path}.kind`, kinds);
  const from = members(value, path, ['kind', 'column', ...own[kind], 'children']);
  const column = whole(from.column, `${path}.column`, 0, columns.length - 1);
  const tested = columns[column]!;
  check((tested.kind === 'category') === (kind === 'category'), `${path}.column`, `a column for ${kind}`, tested.kind);
  const children = list(from.children, `${path}.children`).map((n) => whole(n, `${path}.children`, 0, mostNodes));
  if (kind === 'category') {
    const count = tested.kind === 'category' ? tested.levels.length : 0;
    const levels = list(from.levels, `${path}.levels`).map((level) => whole(level, `${path}.levels`, 0, count - 1));
    checkRising(levels, `${path}.levels`, (a, b) => a - b);
    const missing = whole(from.missing, `${path}.missing`, 0, levels.length);
    const expected = Math.max(levels.length, missing + 1);
    check(children.length === expected && expected >= 2, `${path}.children`, 'one per level', children.length);
    return { kind, column, levels, missing, children };
  }
  check(children.length === 2, `${path}.children`, 'two nodes', children.length);
  const pair = [children[0]!, children[1]!] as const;
  if (kind === 'missing') return { kind, column, children: pair };
  const threshold = number(from.threshold, `${path}.threshold`);
  const missing = whole(from.missing, `${path}.missing`, 0, 1) as 0 | 1;
  return { kind: 'number', column, threshold, missing, children: pair };
}

/** Walks the tree in preorder and expects the nodes 0, 1, 2, …, each once. */
function checkPreorder(nodes: readonly TreeNode[], path: string): void {
  const waiting = [0];
  let next = 0;
  for (let n = waiting.pop(); n !== undefined; n = waiting.pop()) {
    check(n === next && n < nodes.length, `${path}.nodes`, `a tree in preorder, next node ${next}`, n);
    next++;
    const children = nodes[n]!.split?.children ?? [];
    for (let j = children.length - 1; j >= 0; j--) waiting.push(children[j]!);
  }
  check(next === nodes.length, `${path}.nodes`, `${next} nodes, all below the root`, nodes.length);
}
