import { HalfspaceError, quote } from '../../errors.ts';
import { answerText, countText, shorten } from './answer-text.ts';
import { type DecisionTree, majority, type TreeNode, weightOf } from './decision-tree.ts';

export interface DrawTreeOptions {
  /** The largest number of characters per line, from 40. Default 100. */
  readonly width?: number | undefined;
  /** The largest number of lines for nodes, from 1. A last line counts the nodes left out. Default 200. */
  readonly lines?: number | undefined;
}

/** With at most this many classes, each has a column of counts. */
const countedClasses = 4;
const widestClass = 12;

/**
 * Draws a tree as lines of text: each child below its parent with the answer that leads to it, leaves with their class.
 * On the right are the training examples per class; for more than four classes, those of the node's class and all.
 *
 * @throws HalfspaceError `option-invalid`.
 */
export function drawTree(tree: DecisionTree, { width = 100, lines = 200 }: DrawTreeOptions = {}): string[] {
  checkAtLeast('width', width, 40);
  checkAtLeast('lines', lines, 1);
  const { nodes, classes } = tree;
  const rows: { readonly text: string; readonly node: TreeNode }[] = [];
  /** `before`: the prefix of the node's line; `below`: the prefix of the lines below it. */
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
