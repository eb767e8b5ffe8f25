import { type DecisionTree, majority, tidyLayout } from 'halfspace/tree';
import type { Frame } from '../../picture/picture.ts';
import { fitText, textWidth } from '../../picture/text-width.ts';
import { cacheOf } from '../cache.ts';
import { answerOf } from './grown-tree.ts';

/** A node that is drawn. */
export interface TreeBox {
  /** Its position in the tree. */
  readonly node: number;
  /** Index of its parent's box; −1: the root. */
  readonly parent: number;
  /** The condition that leads here. */
  readonly answer: string;
  /** The column of its question, or its class. */
  readonly title: string;
  readonly leaf: boolean;
  /** Number of nodes below that are not drawn. */
  readonly hidden: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export interface TreeLayout {
  /** Boxes from the top down, or indented lines where boxes do not fit. */
  readonly kind: 'boxes' | 'lines';
  readonly boxes: readonly TreeBox[];
}

type Part = Omit<TreeBox, 'x' | 'y' | 'width'>;

const most = 120;
const cached = cacheOf<DecisionTree, TreeLayout>(6);

/** Returns as much of a tree as a frame has room for, beginning at the root with the nodes of most examples. */
export const treeLayout = (tree: DecisionTree, frame: Frame, top: number): TreeLayout =>
  cached(tree, () => makeLayout(tree, frame, top), `${frame.width} ${frame.height} ${frame.text} ${top}`);

function makeLayout(tree: DecisionTree, frame: Frame, top: number): TreeLayout {
  const boxes = grown(tree, (parts) => boxesIn(tree, parts, frame, top));
  const all = boxes !== null && boxes.length === tree.nodes.length;
  const lines = all ? null : grown(tree, (parts) => linesIn(parts, frame, top));
  return boxes !== null && (lines === null || boxes.length >= 0.75 * lines.length)
    ? { kind: 'boxes', boxes }
    : { kind: 'lines', boxes: lines ?? [] };
}

/** Opens nodes while there is room, those of most examples first. */
function grown(tree: DecisionTree, place: (parts: readonly Part[]) => TreeBox[] | null): TreeBox[] | null {
  const open = new Set<number>();
  const sizes = sizesOf(tree);
  let best = place(partsOf(tree, open, sizes));
  const waiting = [0];
  let failures = 0;
  while (waiting.length > 0 && best !== null && best.length < most && failures < 12) {
    waiting.sort((a, b) => weight(tree, b) - weight(tree, a) || a - b);
    const node = waiting.shift()!;
    const children = tree.nodes[node]!.split?.children;
    if (children === undefined) continue;
    open.add(node);
    const next = place(partsOf(tree, open, sizes));
    if (next === null) {
      open.delete(node);
      failures++;
    } else {
      best = next;
      waiting.push(...children);
    }
  }
  return best;
}

function weight({ nodes }: DecisionTree, n: number): number {
  return nodes[n]!.counts.reduce((sum, count) => sum + count, 0);
}

/** Returns the number of nodes of each subtree, including its root. */
function sizesOf({ nodes }: DecisionTree): Uint32Array {
  const sizes = new Uint32Array(nodes.length).fill(1);
  for (let n = nodes.length - 1; n >= 0; n--)
    for (const child of nodes[n]!.split?.children ?? []) sizes[n]! += sizes[child]!;
  return sizes;
}

function partsOf(tree: DecisionTree, open: ReadonlySet<number>, sizes: Uint32Array): Part[] {
  const parts: Part[] = [];
  const visit = (node: number, parent: number, answer: string): void => {
    const { split, counts } = tree.nodes[node]!;
    const at = parts.length;
    const title = split === null ? tree.classes[majority(counts)]! : tree.columns[split.column]!.name;
    const hidden = split === null || open.has(node) ? 0 : sizes[node]! - 1;
    parts.push({ node, parent, answer, title, leaf: split === null, hidden });
    if (split !== null && open.has(node))
      split.children.forEach((child, j) => {
        visit(child, at, answerOf(tree, split, j));
      });
  };
  visit(0, -1, '');
  return parts;
}

/** Height of a box, and distance between levels, in sizes of text. */
export const boxHeight = 2.5;
const pitch = 4.7;
/** Height of a line. */
const lineHeight = 1.55;
const indent = 1.3;

function boxesIn(
  tree: DecisionTree,
  parts: readonly Part[],
  { width, height, text }: Frame,
  top: number,
): TreeBox[] | null {
  const levels: number[] = [];
  for (const { parent } of parts) levels.push(parent < 0 ? 0 : levels[parent]! + 1);
  const depth = Math.max(...levels);
  if (top + (depth * pitch + boxHeight) * text > height - text * 0.4) return null;
  const titles = parts.map(({ title }) => fitText(title, text * 0.9, text * 8));
  const widths = parts.map(({ node, leaf, hidden }, k) =>
    Math.max(
      1.1 * textWidth(titles[k]!, text * 0.9) + text * (leaf ? 1.9 : 0.9),
      textWidth(countsText(tree, node), text * 0.8) + text * 0.7,
      hidden > 0 ? textWidth(`… ${hidden} more`, text * 0.8) + text * 0.7 : 0,
      text * 3,
    ),
  );
  const wide = parts.map(({ answer }, k) => Math.max(widths[k]!, textWidth(answer, text * 0.85) + text * 0.2));
  const children: number[][] = parts.map(() => []);
  parts.forEach(({ parent }, k) => {
    if (parent >= 0) children[parent]!.push(k);
  });
  const middles = tidyLayout(children, wide, text * 0.55);
  const length = Math.max(...middles.map((middle, k) => middle + wide[k]! / 2));
  if (length > width - text * 0.6) return null;
  const left = (width - length) / 2;
  const used = (depth * pitch + boxHeight) * text;
  // A part of the remaining height goes between the levels.
  const more = depth === 0 ? 0 : Math.min(text * 1.5, (height - top - used - text) / depth);
  return parts.map((part, k) => ({
    ...part,
    title: titles[k]!,
    x: left + middles[k]!,
    y: top + levels[k]! * (pitch * text + more) + (boxHeight * text) / 2,
    width: widths[k]!,
  }));
}

function linesIn(parts: readonly Part[], { width, height, text }: Frame, top: number): TreeBox[] | null {
  const levels: number[] = [];
  for (const { parent } of parts) levels.push(parent < 0 ? 0 : levels[parent]! + 1);
  const rows = parts.filter(({ parent }) => parent >= 0).length;
  if (top + Math.max(1, rows) * lineHeight * text > height - text * 0.3) return null;
  if (text * (10 + indent * Math.max(...levels)) > width) return null;
  // The root has no line: its children state its question.
  return parts.map((part, k) => ({
    ...part,
    x: text * (0.4 + indent * Math.max(0, levels[k]! - 1)),
    y: top + (k === 0 ? 0 : k - 0.5) * lineHeight * text,
    width,
  }));
}

/** Writes the training examples of each class at a node: `12 : 3`; of many classes the most frequent one and all. */
export function countsText({ nodes }: DecisionTree, node: number): string {
  const { counts } = nodes[node]!;
  const short = (count: number) => Number(count.toPrecision(6)).toLocaleString('en', { maximumFractionDigits: 1 });
  if (counts.length <= 2) return counts.map(short).join(' : ');
  return `${short(counts[majority(counts)]!)} of ${short(counts.reduce((sum, count) => sum + count, 0))}`;
}
