import { drawTree, type Model, type TreeModel, treeSize, treeSvg } from 'halfspace';
import { usage } from '../usage.ts';
import { counted } from './format.ts';

/** What stands before a section's lines. */
const indent = 11;
const widest = 120;
/** More of a tree is read in its drawing, or in the model. */
const mostLines = 100;

/** The size of a tree, and what it was grown by. */
export function treeSummary({ tree }: TreeModel): string[] {
  const { leaves, depth } = treeSize(tree);
  const { criterion, minLeaf, pruning } = tree.settings;
  return [
    `a tree of ${counted(leaves, 'leaf', 'leaves')}, ${depth} deep; splits by ${criterion}, leaves of ${minLeaf} or more, pruning ${pruning ?? 'none'}`,
  ];
}

/** The tree, as wide as the terminal where there is one. */
export function treeLines({ tree }: TreeModel): string[] {
  const width = Math.min(widest, process.stdout.columns ?? 100) - indent;
  return drawTree(tree, { width: Math.max(40, width), lines: mostLines });
}

/** The tree as SVG. @throws HalfspaceError `option-invalid` for a model that is no tree. */
export function drawingOf(model: Model): string {
  if (model.kind !== 'tree') throw usage(`--drawing is for a tree; got a ${model.kind} model`);
  return treeSvg(model.tree);
}
