import { HalfspaceError, quote } from '../errors.ts';
import type { TreeColumn } from './columns.ts';
import { type DecisionTree, type TreeNode, type TreeSplit, weightOf } from './decision-tree.ts';
import { checkTreeOptions, treeCriteria } from './options.ts';

/** Larger trees are refused. */
const mostNodes = 1 << 24;
const mostColumns = 1 << 20;

/**
 * Reads a decision tree from JSON that may come from anyone: every member is checked and copied, and what does not belong is refused. A
 * tree that comes out is sound: each node but the root is the child of exactly one, children stand behind their parents in
 * preorder, so that every row ends in a leaf.
 *
 * @param value what `JSON.parse` gave for a {@link DecisionTree}.
 * @throws HalfspaceError `model-invalid`.
 */
export function parseDecisionTree(value: unknown, path = 'tree'): DecisionTree {
  const from = members(value, path, ['settings', 'classes', 'columns', 'nodes']);
  const classes = list(from.classes, `${path}.classes`).map((name) => text(name, `${path}.classes`));
  check(classes.length >= 2, `${path}.classes`, 'at least two classes', classes.length);
  checkDistinct(classes, `${path}.classes`);
  const columns = list(from.columns, `${path}.columns`).map((column, c) =>
    parseColumn(column, `${path}.columns[${c}]`),
  );
  check(columns.length <= mostColumns, `${path}.columns`, `at most ${mostColumns} columns`, columns.length);
  checkDistinct(
    columns.map(({ name }) => name),
    `${path}.columns`,
  );
  const entries = list(from.nodes, `${path}.nodes`);
  check(entries.length >= 1 && entries.length <= mostNodes, `${path}.nodes`, `1 to ${mostNodes} nodes`, entries.length);
  const nodes = entries.map((node, n) => parseNode(node, classes.length, columns, `${path}.nodes[${n}]`));
  checkPreorder(nodes, path);
  return { settings: parseSettings(from.settings, `${path}.settings`), classes, columns, nodes };
}

function parseSettings(value: unknown, path: string): DecisionTree['settings'] {
  const from = members(value, path, ['criterion', 'maxDepth', 'minLeaf', 'pruning', 'multiway', 'bins']);
  const { criterion, maxDepth, minLeaf, pruning, multiway, bins } = from;
  const found = treeCriteria.find((name) => name === criterion);
  check(found !== undefined, `${path}.criterion`, treeCriteria.join(', '), criterion);
  for (const [name, number] of Object.entries({ maxDepth, minLeaf, pruning, multiway, bins })) {
    const mayBeNull = name === 'maxDepth' || name === 'pruning';
    check(
      typeof number === 'number' || (mayBeNull && number === null),
      `${path}.${name}`,
      mayBeNull ? 'a number or null' : 'a number',
      number,
    );
  }
  try {
    return checkTreeOptions({
      criterion: found,
      maxDepth,
      minLeaf,
      pruning,
      multiway,
      bins,
    } as DecisionTree['settings']);
  } catch (error) {
    if (error instanceof HalfspaceError) throw new HalfspaceError('model-invalid', `in "${path}": ${error.message}`);
    throw error;
  }
}

function parseColumn(value: unknown, path: string): TreeColumn {
  const isCategory = members(value, path).kind === 'category';
  const from = members(value, path, ['kind', 'name', ...(isCategory ? ['levels'] : [])]);
  const { kind } = from;
  const name = text(from.name, `${path}.name`);
  if (kind === 'number' || kind === 'boolean' || kind === 'date') return { kind, name };
  check(isCategory, `${path}.kind`, 'number, boolean, date, category', kind);
  const levels = list(from.levels, `${path}.levels`).map((level) => text(level, `${path}.levels`));
  checkDistinct(levels, `${path}.levels`);
  return { kind: 'category', name, levels };
}

function parseNode(value: unknown, classes: number, columns: readonly TreeColumn[], path: string): TreeNode {
  const from = members(value, path, ['counts', 'split']);
  const counts = list(from.counts, `${path}.counts`).map((count) => {
    check(
      typeof count === 'number' && count >= 0 && count < Infinity,
      `${path}.counts`,
      'numbers from 0',
      quote(count),
    );
    return count as number;
  });
  check(counts.length === classes, `${path}.counts`, `${classes} numbers, one per class`, counts.length);
  check(weightOf(counts) > 0 && weightOf(counts) < Infinity, `${path}.counts`, 'above 0 together', 'others');
  return { counts, split: from.split === null ? null : parseSplit(from.split, columns, `${path}.split`) };
}

function parseSplit(value: unknown, columns: readonly TreeColumn[], path: string): TreeSplit {
  const { kind } = members(value, path);
  const own = { number: ['threshold', 'missing'], category: ['levels', 'missing'], missing: [] as string[] };
  const names = typeof kind === 'string' && Object.hasOwn(own, kind) ? own[kind as keyof typeof own] : null;
  if (names === null) throw unfit(`${path}.kind`, Object.keys(own).join(', '), kind);
  const from = members(value, path, ['kind', 'column', ...names, 'children']);
  const column = whole(from.column, `${path}.column`, columns.length - 1);
  const asked = columns[column]!;
  check((asked.kind === 'category') === (kind === 'category'), `${path}.column`, `a column for ${kind}`, asked.kind);
  const children = list(from.children, `${path}.children`).map((n) => whole(n, `${path}.children`, mostNodes));
  if (kind === 'category') {
    const count = asked.kind === 'category' ? asked.levels.length : 0;
    const levels = list(from.levels, `${path}.levels`).map((l) => whole(l, `${path}.levels`, count - 1));
    for (let j = 1; j < levels.length; j++)
      check(levels[j]! > levels[j - 1]!, `${path}.levels`, 'in rising order', levels[j]);
    const missing = whole(from.missing, `${path}.missing`, levels.length);
    const expected = Math.max(levels.length, missing + 1);
    check(children.length === expected && expected >= 2, `${path}.children`, 'one per level', children.length);
    return { kind, column, levels, missing, children };
  }
  check(children.length === 2, `${path}.children`, 'two nodes', children.length);
  const pair = [children[0]!, children[1]!] as const;
  if (kind === 'missing') return { kind, column, children: pair };
  const { threshold } = from;
  check(Number.isFinite(threshold), `${path}.threshold`, 'a finite number', threshold);
  const missing = whole(from.missing, `${path}.missing`, 1) as 0 | 1;
  return { kind: 'number', column, threshold: threshold as number, missing, children: pair };
}

/** Walks the tree as its order says, and expects to meet the nodes 0, 1, 2, …, each once. */
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

type Members = Readonly<Record<string, unknown>>;

/** The members of an object; with `expected`, exactly these. */
function members(value: unknown, path: string, expected?: readonly string[]): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unfit(path, 'an object', value);
  if (expected !== undefined) {
    const absent = expected.find((key) => !Object.hasOwn(value, key));
    if (absent !== undefined) throw unfit(`${path}.${absent}`, 'there', 'nothing');
    const strange = Object.keys(value).find((key) => !expected.includes(key));
    if (strange !== undefined) throw unfit(path, `an object of ${expected.join(', ')}`, strange);
  }
  return value as Members;
}

function list(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw unfit(path, 'a list', value);
  return value;
}

function text(value: unknown, path: string): string {
  if (typeof value !== 'string') throw unfit(path, 'a name', value);
  return value;
}

function whole(value: unknown, path: string, most: number): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0 || (value as number) > most)
    throw unfit(path, `a whole number in [0, ${most}]`, value);
  return (value as number) + 0;
}

function checkDistinct(names: readonly string[], path: string): void {
  check(new Set(names).size === names.length, path, 'different names', 'a name twice');
}

function check(holds: boolean, path: string, expected: string, got: unknown): void {
  if (!holds) throw unfit(path, expected, got);
}

function unfit(path: string, expected: string, got: unknown): HalfspaceError {
  return new HalfspaceError('model-invalid', `expected "${path}" to be ${expected}; got ${quote(got)}`);
}
