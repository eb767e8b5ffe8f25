import { HalfspaceError, quote } from '../../errors.ts';
import { printable } from '../../printable.ts';
import { answerText, countText, shorten } from './answer-text.ts';
import { type DecisionTree, majority, nodeDepths, weightOf } from './decision-tree.ts';
import { tidyLayout } from './tidy-layout.ts';

export interface TreeSvgOptions {
  /** Leaves below the root, or right of it, which suits many leaves. Default: `down` if at most 1200 pixels wide. */
  readonly direction?: 'down' | 'right' | undefined;
  /** The largest number of nodes, from 1. Deeper levels are left out and their nodes counted. Default 600. */
  readonly nodes?: number | undefined;
}

interface Box {
  /** The answer that leads to this node; it stands on the link. */
  readonly answer: string;
  readonly title: string;
  readonly counts: string;
  /** Width in pixels, without the answer. */
  readonly width: number;
  readonly isLeaf: boolean;
}

/** Sizes in pixels. */
const letter = 7.3;
const boxHeight = 44;
const answerHeight = 22;
const levelGap = 34;
const neighbourGap = 14;
const edge = 16;
const widestDown = 1200;
/** The number of classes with a colour each; all others are grey. */
const colours = 8;

/**
 * Draws a tree as an SVG document. A node is a box with its column or class, and its training examples per class as
 * numbers and as a bar. A link carries the answer that leads to the child. Light or dark by the reader's system.
 *
 * @throws HalfspaceError `option-invalid`.
 */
export function treeSvg(tree: DecisionTree, { direction, nodes: most = 600 }: TreeSvgOptions = {}): string {
  if (!Number.isSafeInteger(most) || most < 1)
    throw new HalfspaceError('option-invalid', `nodes must be a whole number from 1; got ${quote(most)}`);
  if (direction !== undefined && direction !== 'down' && direction !== 'right')
    throw new HalfspaceError('option-invalid', `direction must be down or right; got ${quote(direction)}`);
  const { shown, below, levels, children } = upperLevels(tree, most);
  const boxes = boxesOf(tree, shown, below);
  const wide = boxes.map(({ width, answer }) => Math.max(width, answer.length * letter));
  const across = tidyLayout(children, wide, neighbourGap);
  const width = Math.max(...across.map((x, k) => x + wide[k]! / 2));
  const legend = legendOf(tree);
  const isDown = direction === undefined ? width + 2 * edge <= widestDown : direction === 'down';
  const top = edge + legend.height;
  const pitch = boxHeight + answerHeight + levelGap;
  const depth = Math.max(...levels);
  const place = isDown
    ? { x: (k: number) => edge + across[k]!, y: (k: number) => top + levels[k]! * pitch + boxHeight / 2 }
    : sideways(boxes, children, levels, top);
  const drawn = boxes.map((box, k) => ({
    ...box,
    x: place.x(k),
    y: place.y(k),
    counted: tree.nodes[shown[k]!]!.counts,
  }));
  const right = Math.max(legend.width, ...drawn.map(({ x, width }, k) => x + (isDown ? wide[k]! : width) / 2));
  const bottom = isDown ? top + depth * pitch + boxHeight : Math.max(...drawn.map(({ y }) => y)) + boxHeight / 2;
  const size = `${Math.ceil(right + edge)} ${Math.ceil(bottom + edge)}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}" width="${size.replace(' ', '" height="')}" role="img">`,
    `<title>Decision tree: ${tree.classes.slice(0, 10).map(escaped).join(', ')}</title>`,
    style,
    `<rect class="paper" width="100%" height="100%"/>`,
    ...legend.lines,
    ...children.flatMap((below, k) => below.map((child) => link(drawn[k]!, drawn[child]!, isDown))),
    ...drawn.flatMap((box) => boxLines(box, isDown)),
    '</svg>\n',
  ].join('\n');
}

/** Returns the levels that have at most `most` nodes together, and the number of nodes hidden below each node. */
function upperLevels({ nodes }: DecisionTree, most: number) {
  const depths = nodeDepths(nodes);
  const onLevel: number[] = [];
  for (const depth of depths) onLevel[depth] = (onLevel[depth] ?? 0) + 1;
  let last = 0;
  for (let sum = 1; last + 1 < onLevel.length && sum + onLevel[last + 1]! <= most; last++) sum += onLevel[last + 1]!;
  const sizes = new Uint32Array(nodes.length).fill(1);
  for (let n = nodes.length - 1; n >= 0; n--)
    for (const child of nodes[n]!.split?.children ?? []) sizes[n]! += sizes[child]!;
  const shown = [...nodes.keys()].filter((n) => depths[n]! <= last);
  const numbers = new Map(shown.map((n, k) => [n, k]));
  return {
    shown,
    levels: shown.map((n) => depths[n]!),
    children: shown.map((n) =>
      depths[n]! === last ? [] : (nodes[n]!.split?.children ?? []).map((c) => numbers.get(c)!),
    ),
    below: shown.map((n) => (depths[n]! === last ? sizes[n]! - 1 : 0)),
  };
}

function boxesOf(tree: DecisionTree, shown: readonly number[], below: readonly number[]): Box[] {
  const answers = new Map<number, string>();
  return shown.map((n, k) => {
    const { counts, split } = tree.nodes[n]!;
    split?.children.forEach((child, j) => {
      answers.set(child, shorten(answerText(tree, split, j), 24));
    });
    const isLeaf = split === null;
    const name = isLeaf ? tree.classes[majority(counts)]! : tree.columns[split.column]!.name;
    const title = shorten(name, 24) + (below[k]! > 0 ? ` … ${countText(below[k]!)} more` : '');
    const few = counts.length <= 3;
    const text = few
      ? counts.map(countText).join(' : ')
      : `${countText(counts[majority(counts)]!)} of ${countText(weightOf(counts))}`;
    const width = Math.max(64, letter * 1.06 * [...title].length + 20, 6.4 * text.length + 20);
    return { answer: answers.get(n) ?? '', title, counts: text, width, isLeaf };
  });
}

/** Places a tree from left to right: the layout runs vertically, and every level is as wide as its widest box. */
function sideways(
  boxes: readonly Box[],
  children: readonly (readonly number[])[],
  levels: readonly number[],
  top: number,
) {
  const along = tidyLayout(
    children,
    boxes.map(() => boxHeight),
    neighbourGap,
  );
  const widths: number[] = [];
  const answers: number[] = [];
  boxes.forEach(({ width, answer }, k) => {
    const level = levels[k]!;
    widths[level] = Math.max(widths[level] ?? 0, width);
    answers[level] = Math.max(answers[level] ?? 0, answer.length * letter);
  });
  const starts = widths.map(() => edge);
  for (let level = 1; level < widths.length; level++)
    starts[level] = starts[level - 1]! + widths[level - 1]! + levelGap + answers[level]!;
  return {
    x: (k: number) => starts[levels[k]!]! + boxes[k]!.width / 2,
    y: (k: number) => top + along[k]!,
  };
}

interface DrawnBox extends Box {
  readonly x: number;
  readonly y: number;
  readonly counted: readonly number[];
}

function link(from: DrawnBox, to: DrawnBox, isDown: boolean): string {
  if (isDown) {
    const [y0, y1] = [from.y + boxHeight / 2, to.y - boxHeight / 2 - answerHeight];
    const middle = short((y0 + y1) / 2);
    return `<path class="link" d="M${short(from.x)} ${short(y0)}C${short(from.x)} ${middle} ${short(to.x)} ${middle} ${short(to.x)} ${short(y1)}"/>`;
  }
  const x0 = from.x + from.width / 2;
  const x1 = to.x - to.width / 2 - to.answer.length * letter - 6;
  const turn = x0 + levelGap - 8;
  const middle = short((x0 + turn) / 2);
  return `<path class="link" d="M${short(x0)} ${short(from.y)}C${middle} ${short(from.y)} ${middle} ${short(to.y)} ${short(Math.min(turn, x1))} ${short(to.y)}H${short(x1)}"/>`;
}

function boxLines({ x, y, width, answer, title, counts, isLeaf, counted }: DrawnBox, isDown: boolean): string[] {
  const left = x - width / 2;
  const top = y - boxHeight / 2;
  const kind = isLeaf ? ` leaf ${colourOf(majority(counted))}` : '';
  const answerAt = isDown
    ? `x="${short(x)}" y="${short(top - 7)}"`
    : `x="${short(left - 4)}" y="${short(y + 4)}" text-anchor="end"`;
  return [
    ...(answer === '' ? [] : [`<text class="answer" ${answerAt}>${escaped(answer)}</text>`]),
    `<rect class="box${kind}" x="${short(left)}" y="${short(top)}" width="${short(width)}" height="${boxHeight}" rx="6"/>`,
    `<text class="title" x="${short(x)}" y="${short(top + 16)}">${escaped(title)}</text>`,
    `<text class="counts" x="${short(x)}" y="${short(top + 31)}">${escaped(counts)}</text>`,
    ...bar(counted, left + 8, top + 36, width - 16),
  ];
}

/** Draws the shares of the classes, side by side. */
function bar(counts: readonly number[], x: number, y: number, width: number): string[] {
  const total = weightOf(counts);
  let at = x;
  return counts.flatMap((count, k) => {
    if (count === 0) return [];
    const from = at;
    at += (width * count) / total;
    return [`<rect class="${colourOf(k)}" x="${short(from)}" y="${short(y)}" width="${short(at - from)}" height="4"/>`];
  });
}

function legendOf({ classes }: DecisionTree): { lines: string[]; width: number; height: number } {
  let x = edge;
  const named = classes.slice(0, colours);
  const lines = named.flatMap((name, k) => {
    const text = shorten(name, 24);
    const at = x;
    x += [...text].length * letter + 34;
    return [
      `<rect class="${colourOf(k)}" x="${short(at)}" y="${edge}" width="12" height="12" rx="2"/>`,
      `<text class="legend" x="${short(at + 17)}" y="${edge + 10.5}">${escaped(text)}</text>`,
    ];
  });
  if (classes.length > colours)
    lines.push(`<text class="legend" x="${short(x)}" y="${edge + 10.5}">and ${classes.length - colours} more</text>`);
  return { lines, width: x + (classes.length > colours ? 80 : 0), height: 34 };
}

function colourOf(k: number): string {
  return `k${k < colours ? k : colours}`;
}

function short(value: number): string {
  return String(Number(value.toFixed(1)) + 0);
}

function escaped(text: string): string {
  // XML does not allow U+FFFE and U+FFFF.
  return printable(text)
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');
}

/** Okabe & Ito's colours, which colour-blind people can tell apart; a little lighter in dark mode. */
const light = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#b58900', '#3a9bd0', '#7a5195', '#8c564b', '#8a8a8a'];
const dark = ['#4aa8e0', '#f2864a', '#2fc39a', '#e29bc4', '#e0b83c', '#8cc8ec', '#b493d6', '#c49a8f', '#9a9a9a'];

const style = `<style>
svg{font:13px system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif}
.paper{fill:#fff}
.box{fill:#f6f7f9;stroke:#9aa3ad}
.leaf{fill-opacity:.14;stroke-width:1.5}
text{fill:#1c2126;text-anchor:middle}
.title{font-weight:600}
.counts{font-size:11.5px;fill:#4a535c}
.answer{font-size:12px;fill:#4a535c}
.answer[text-anchor=end]{text-anchor:end}
.legend{text-anchor:start}
.link{fill:none;stroke:#9aa3ad;stroke-width:1.2}
${colourRules(light)}
@media (prefers-color-scheme:dark){
.paper{fill:#14181c}
.box{fill:#20262c;stroke:#66717c}
text{fill:#e8ebee}
.counts,.answer{fill:#b4bdc6}
.link{stroke:#66717c}
${colourRules(dark)}
}
</style>`;

function colourRules(colours: readonly string[]): string {
  return colours.map((colour, k) => `.k${k}{fill:${colour}}.leaf.k${k}{fill:${colour};stroke:${colour}}`).join('\n');
}
