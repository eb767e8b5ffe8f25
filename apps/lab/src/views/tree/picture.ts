import type { TreeModel } from 'halfspace';
import { majority } from 'halfspace/tree';
import { classOf } from '../../engine/recording.ts';
import { cornersOf } from '../../picture/clip.ts';
import { pathMark, symbolMark, textMark } from '../../picture/marks.ts';
import type { Frame, Mark, Picture, Role } from '../../picture/picture.ts';
import { percentText } from '../../picture/shares.ts';
import { fitText, textWidth } from '../../picture/text-width.ts';
import { scoresOf } from '../scores.ts';
import type { Scene } from '../view.ts';
import { treeExamples, wayTo } from './grown-tree.ts';
import { boxHeight, countsText, type TreeBox, type TreeLayout, treeLayout } from './layout.ts';

/**
 * Returns the example whose path is shown, by its position in `shown`: the selected one, or the one just shown; −1:
 * none.
 */
export function followed({ selected, moment, examples }: Pick<Scene, 'selected' | 'moment' | 'examples'>): number {
  const row = selected ?? moment.row;
  return row < 0 ? -1 : examples.shown.indexOf(row);
}

/** Returns the nodes on the path of the followed example. */
export function followedWay(scene: Scene, model: TreeModel): number[] {
  const k = followed(scene);
  return k < 0 ? [] : wayTo(model.tree, treeExamples(model, scene.examples).leaves[k]!);
}

/** Returns the accuracy of the tree and of the line on the drawn examples; null: there is no line. */
export function rightShares(scene: Scene, model: TreeModel): { readonly tree: number; readonly line: number | null } {
  const { examples, moment, recording } = scene;
  const count = Math.max(1, examples.shown.length);
  const tree = treeExamples(model, examples).right / count;
  if (moment.answer === null) return { tree, line: null };
  const scores = scoresOf(scene, moment.answer);
  let right = 0;
  scores.forEach((score, k) => {
    if (classOf(score, recording.tie) === examples.labels[examples.shown[k]!]) right++;
  });
  return { tree, line: right / count };
}

/** Writes `tree 97.7 % right, line 88.4 %, of what is drawn`. */
export function sharesText(scene: Scene, model: TreeModel): string {
  const { tree, line } = rightShares(scene, model);
  return `tree ${percentText(tree)} right${line === null ? '' : `, line ${percentText(line)}`}, of what is drawn`;
}

function roleOf(position: number): Role {
  return position === 0 ? 'negative' : position === 1 ? 'positive' : 'muted';
}

const shapeOf = (position: number) => (position === 0 ? 'square' : 'disc') as 'square' | 'disc';

export function drawTree(scene: Scene, model: TreeModel, frame: Frame): Picture {
  const { width, height, text } = frame;
  const top = text * 3.1;
  const layout = treeLayout(model.tree, frame, top);
  const way = new Set(followedWay(scene, model));
  const marks: Mark[] = [...heading(scene, model, frame)];
  const onWay = ({ node }: TreeBox) => way.has(node);
  const draw = layout.kind === 'boxes' ? drawBoxes : drawLines;
  marks.push(...draw(model, layout, onWay, frame));
  return { width, height, marks };
}

/** Writes a class with a true minus sign. */
function classText(name: string): string {
  return name.replace(/^-(?=[\d.])/, '−');
}

/** Draws the symbols of the classes, and the accuracy of tree and line. */
function heading(scene: Scene, model: TreeModel, { width, text }: Frame): Mark[] {
  const size = text * 0.92;
  const marks: Mark[] = [];
  let x = text * 0.6;
  model.classes.slice(0, 2).forEach((name, k) => {
    const words = fitText(classText(name), size, width * 0.38);
    marks.push(
      symbolMark(shapeOf(k), [x + text * 0.35, text * 0.8], text * 0.7, { fill: roleOf(k) }),
      textMark([x + text * 0.95, text * 0.8], words, size),
    );
    x += textWidth(words, size) + text * 2;
  });
  const words = sharesText(scene, model);
  marks.push(
    textMark([text * 0.6, text * 2.1], fitText(words, size, width - text), size, { fill: 'muted', id: 'shares' }),
  );
  return marks;
}

type Chosen = (box: TreeBox) => boolean;

function drawBoxes({ tree }: TreeModel, { boxes }: TreeLayout, onWay: Chosen, { text }: Frame): Mark[] {
  const marks: Mark[] = [];
  const half = (boxHeight * text) / 2;
  // Branches on the path are drawn last, on top.
  const order = [...boxes].sort((a, b) => Number(onWay(a)) - Number(onWay(b)));
  for (const box of order) {
    if (box.parent < 0) continue;
    const from = boxes[box.parent]!;
    const [y0, y1] = [from.y + half, box.y - half - text * 1.25];
    const chosen = onWay(box);
    marks.push(
      pathMark(bend([from.x, y0], [box.x, y1]), {
        stroke: chosen ? 'selection' : 'muted',
        width: chosen ? 3 : 1.2,
        opacity: chosen ? 1 : 0.7,
        id: `branch ${box.node}`,
      }),
    );
  }
  for (const box of boxes) {
    const { counts } = tree.nodes[box.node]!;
    const chosen = onWay(box);
    const best = majority(counts);
    const [left, top] = [box.x - box.width / 2, box.y - half];
    const pen = box.leaf
      ? ({ fill: best === 0 ? 'negative-region' : best === 1 ? 'positive-region' : 'grid' } as const)
      : ({ fill: 'paper' } as const);
    marks.push(
      pathMark(rounded(left, top, box.width, boxHeight * text, text * 0.35), {
        closed: true,
        ...pen,
        stroke: chosen ? 'selection' : box.leaf ? roleOf(best) : 'muted',
        width: chosen ? 3 : 1.2,
        id: `node ${box.node}`,
      }),
    );
    if (box.answer !== '')
      marks.push(
        textMark([box.x, top - text * 0.6], box.answer, text * 0.85, {
          anchor: 'middle',
          fill: chosen ? 'selection' : 'muted',
          weight: chosen ? 'bold' : 'normal',
        }),
      );
    const words = 1.1 * textWidth(classText(box.title), text * 0.9);
    const middle = box.x + (box.leaf ? text * 0.5 : 0);
    if (box.leaf)
      marks.push(
        symbolMark(shapeOf(best), [middle - words / 2 - text * 0.5, top + text * 0.75], text * 0.62, {
          fill: roleOf(best),
        }),
      );
    marks.push(
      textMark([middle, top + text * 0.78], box.leaf ? classText(box.title) : box.title, text * 0.9, {
        anchor: 'middle',
        weight: 'bold',
      }),
      textMark(
        [box.x, top + text * 1.72],
        box.hidden > 0 ? `… ${box.hidden.toLocaleString('en')} more` : countsText(tree, box.node),
        text * 0.8,
        { anchor: 'middle', fill: 'muted' },
      ),
      ...shares(counts, [left + text * 0.3, top + text * 2.22], box.width - text * 0.6, text * 0.16),
    );
  }
  return marks;
}

/** Draws a line for each node but the root: the question, the answer, and at a leaf the class. */
function drawLines({ tree }: TreeModel, { boxes }: TreeLayout, onWay: Chosen, { width, text }: Frame): Mark[] {
  const marks: Mark[] = [];
  const size = text * 0.92;
  const bar = text * 4;
  for (const box of boxes) {
    if (box.parent < 0) {
      if (boxes.length === 1) marks.push(textMark([box.x, box.y + text], `always ${classText(box.title)}`, size));
      continue;
    }
    const parent = boxes[box.parent]!;
    const chosen = onWay(box);
    const stroke = chosen ? 'selection' : 'muted';
    const { counts } = tree.nodes[box.node]!;
    const best = majority(counts);
    if (parent.parent >= 0)
      marks.push(
        pathMark(
          [
            [parent.x + text * 0.3, parent.y + text * 0.7],
            [parent.x + text * 0.3, box.y],
            [box.x - text * 0.2, box.y],
          ],
          { stroke, width: chosen ? 2.5 : 1, opacity: chosen ? 1 : 0.6 },
        ),
      );
    const question = tree.columns[tree.nodes[parent.node]!.split!.column]!.name;
    const end = box.leaf
      ? ` → ${classText(box.title)}`
      : box.hidden > 0
        ? ` … ${box.hidden.toLocaleString('en')} more`
        : '';
    const room = width - text * 1 - bar - box.x - (box.leaf ? text * 1.2 : 0);
    const words = fitText(`${question} ${box.answer}${end}`, size, room);
    marks.push(
      textMark([box.x, box.y], words, size, {
        fill: chosen ? 'selection' : box.leaf ? 'ink' : 'muted',
        weight: chosen ? 'bold' : 'normal',
        id: `node ${box.node}`,
      }),
    );
    const right = width - text * 0.5;
    if (box.leaf)
      marks.push(symbolMark(shapeOf(best), [right - bar - text * 0.7, box.y], text * 0.62, { fill: roleOf(best) }));
    marks.push(...shares(counts, [right - bar, box.y], bar, text * 0.45));
  }

  return marks;
}

/** Draws the shares of the classes side by side. */
function shares(
  counts: readonly number[],
  [left, middle]: readonly [number, number],
  width: number,
  high: number,
): Mark[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (!(total > 0)) return [];
  let at = left;
  return counts.flatMap((count, k): Mark[] => {
    if (count === 0) return [];
    const to = at + (width * count) / total;
    const bar = cornersOf({ left: at, right: to, top: middle - high / 2, bottom: middle + high / 2 });
    at = to;
    return [pathMark(bar, { closed: true, fill: roleOf(k) })];
  });
}

/** Returns a curve that leaves and arrives vertically. */
function bend([x0, y0]: readonly [number, number], [x1, y1]: readonly [number, number]): [number, number][] {
  return Array.from({ length: 13 }, (_, k): [number, number] => {
    const t = k / 12;
    const ease = t * t * (3 - 2 * t);
    return [x0 + ease * (x1 - x0), y0 + t * (y1 - y0)];
  });
}

function rounded(x: number, y: number, width: number, height: number, radius: number): [number, number][] {
  const spots: [number, number][] = [];
  const corner = (cx: number, cy: number, from: number) => {
    for (let k = 0; k <= 4; k++) {
      const angle = ((from + (k * 90) / 4) * Math.PI) / 180;
      spots.push([cx + radius * Math.cos(angle), cy + radius * Math.sin(angle)]);
    }
  };
  corner(x + width - radius, y + radius, -90);
  corner(x + width - radius, y + height - radius, 0);
  corner(x + radius, y + height - radius, 90);
  corner(x + radius, y + radius, 180);
  return spots;
}
