import { HalfspaceError, quote } from '../errors.ts';
import { answerText, countText, shorten } from './answer-text.ts';
import { type DecisionTree, majority, type TreeNode, weightOf } from './decision-tree.ts';

export interface DrawTreeOptions {
  /** Most characters a line has, a whole number from 40. Default 100. */
  readonly width?: number | undefined;
  /** Most lines of nodes, a whole number from 1; one more says how many were left out. Default 200. */
  readonly lines?: number | undefined;
}

/** Up to so many classes have a column of counts each. */
const countedClasses = 4;
const widestClass = 12;

/**
 * A tree as lines of text: the root first, each child below its parent with the answer that leads to it; at a leaf the class. On the
 * right stand the training examples of each class, or, for more than four classes, those of the node's class and all.
 *
 * @throws HalfspaceError `option-invalid`.
 */
export function drawTree(tree: DecisionTree, { width = 100, lines = 200 }: DrawTreeOptions = {}): string[] {
  checkAtLeast('width', width, 40);
  checkAtLeast('lines', lines, 1);
  const { nodes, classes } = tree;
  const rows: { readonly text: string; readonly node: TreeNode }[] = [];
  /** What stands before the node's own text, and before the texts below it. */
  const waiting = [{ n: 0, before: '', below: '', text: 'all' }];
  for (let next = waiting.pop(); next !== undefined && rows.length < lines; next = waiting.pop()) {
    const { n, before, below, text } = next;
    const node = nodes[n]!;
    const { split } = node;
    rows.push({ text: `${before}${text}${split === null ? ` → ${classes[majority(node.counts)]}` : ''}`, node });
    if (split === null) continue;
    const { name } = tree.columns[split.column]!;
    for (let j = split.children.length - 1; j >= 0; j--) {
      const isLast = j === split.children.length - 1;
      waiting.push({
        n: split.children[j]!,
        before: `${below}${isLast ? '└─ ' : '├─ '}`,
        below: `${below}${isLast ? '   ' : '│  '}`,
        text: `${name} ${answerText(tree, split, j)}`,
      });
    }
  }
  const counts = rows.map(({ node }) => countCells(node));
  const heads = classes.length <= countedClasses ? classes.map((name) => shorten(name, widestClass)) : [];
  const widths = counts[0]!.map((_, k) => Math.max(heads[k]?.length ?? 0, ...counts.map((cells) => cells[k]!.length)));
  const room = width - widths.reduce((sum, each) => sum + 2 + each, 0);
  const texts = rows.map(({ text }) => shorten(text, Math.max(20, room)));
  const textWidth = Math.max(...texts.map((text) => [...text].length));
  const line = (text: string, cells: readonly string[]) =>
    [text + ' '.repeat(textWidth - [...text].length), ...cells.map((cell, k) => cell.padStart(widths[k]!))].join('  ');
  const left = nodes.length - rows.length;
  return [
    ...(heads.length > 0 ? [line('', heads)] : []),
    ...texts.map((text, r) => line(text, counts[r]!)),
    ...(left > 0 ? [`… and ${countText(left)} more nodes`] : []),
  ];
}

function countCells({ counts }: TreeNode): string[] {
  if (counts.length <= countedClasses) return counts.map(countText);
  return [`${countText(counts[majority(counts)]!)} of ${countText(weightOf(counts))}`];
}

function checkAtLeast(name: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least)
    throw new HalfspaceError('option-invalid', `${name} must be a whole number from ${least}; got ${quote(value)}`);
}
