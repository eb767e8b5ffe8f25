import type { Model, TreeModel } from 'halfspace';
import { drawTree, treeSize, treeSvg } from 'halfspace/tree';
import { terminal } from '../terminal.ts';
import { usage } from '../usage.ts';
import { counted } from './format.ts';

/** Width of the titles before the lines. */
const indent = 11;
const widest = 120;
/** Maximum number of lines of a tree. */
const mostLines = 100;

/** Returns the size of a tree and the settings that it was grown with. */
export function treeSummary({ tree }: TreeModel): string[] {
  const { leaves, depth } = treeSize(tree);
  const { criterion, minLeaf, pruning } = tree.settings;
  return [
    `a tree of ${counted(leaves, 'leaf', 'leaves')}, ${depth} deep; splits by ${criterion}, leaves of ${minLeaf} or more, pruning ${pruning ?? 'none'}`,
  ];
}

/** Returns the lines of a tree, as wide as the terminal. */
export function treeLines({ tree }: TreeModel): string[] {
  const width = Math.min(widest, terminal(1)?.columns ?? 100) - indent;
  return drawTree(tree, { width: Math.max(40, width), lines: mostLines });
}

/** Returns the drawing of a tree as SVG. @throws HalfspaceError `option-invalid` for a model of another kind. */
export function drawingOf(model: Model): string {
  if (model.kind !== 'tree') throw usage(`--drawing is for a tree; got a ${model.kind} model`);
  return treeSvg(model.tree);
}
