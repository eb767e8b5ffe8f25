import type { TreeModel } from 'halfspace';
import type { StoredBatch } from 'halfspace/rules';
import { type DecisionTree, EncodedColumns, majority } from 'halfspace/tree';
import type { Examples } from '../../engine/examples.ts';
import { axesIn, rangeOf } from '../../picture/axes.ts';
import { cornersOf, inPixels, lineInBox } from '../../picture/clip.ts';
import { exampleMark, lineMark, movedMark, pathMark, symbolMark, textMark } from '../../picture/marks.ts';
import type { Frame, Mark, Picture } from '../../picture/picture.ts';
import { fitText } from '../../picture/text-width.ts';
import { remember } from '../cache.ts';
import { featuresOf, meanOf } from '../plane/projection.ts';
import type { Scene } from '../view.ts';
import { treeExamples } from './grown-tree.ts';
import { followed, sharesText } from './picture.ts';

/** The map from a feature of the plane to a column of the tree: value = feature · deviation + mean. */
interface FeatureColumn {
  readonly column: number;
  readonly mean: number;
  readonly deviation: number;
}

/**
 * Returns the column of numbers that a feature encodes; null: the feature is one of several of its column. It decodes
 * a unit vector and looks which column changes.
 */
export function columnOf({ encoding, dimension }: Examples, feature: number): FeatureColumn | null {
  const encoded = new EncodedColumns(encoding);
  const values = new Float64Array(2 * dimension);
  values[dimension + feature] = 1;
  const batch: StoredBatch = {
    kind: 'dense',
    rows: 2,
    dimension,
    values,
    labels: Float64Array.of(1, 1),
    importance: null,
  };
  const decoded = encoded.allocate(2);
  encoded.decodeInto(batch, decoded, 0);
  const column = decoded.findIndex((each) => each[0] !== each[1]);
  if (column < 0 || encoded.columns[column]!.kind === 'category') return null;
  const [mean, moved] = [decoded[column]![0]!, decoded[column]![1]!];
  return Number.isNaN(moved) ? null : { column, mean, deviation: moved - mean };
}

/** A rectangle in the plane with one answer of the tree. Its sides are as encoded, and may be infinite. */
interface Region {
  readonly node: number;
  /** Position of the class. */
  readonly answer: number;
  readonly x: readonly [from: number, to: number];
  readonly y: readonly [from: number, to: number];
}

/** Returns the tree's answers over two of its columns, with given values of all others. */
export function regionsOf(
  tree: DecisionTree,
  across: FeatureColumn,
  upwards: FeatureColumn,
  others: (column: number) => number,
): Region[] {
  const regions: Region[] = [];
  const visit = (node: number, x: Region['x'], y: Region['y']): void => {
    const { split, counts } = tree.nodes[node]!;
    if (split === null) {
      regions.push({ node, answer: majority(counts), x, y });
      return;
    }
    const axis = split.column === across.column ? across : split.column === upwards.column ? upwards : null;
    if (axis === null || split.kind === 'category') {
      const value = others(split.column);
      if (split.kind === 'number')
        visit(split.children[Number.isNaN(value) ? split.missing : value <= split.threshold ? 0 : 1], x, y);
      else if (split.kind === 'missing') visit(split.children[Number.isNaN(value) ? 1 : 0], x, y);
      else {
        const at = split.levels.indexOf(value);
        visit(split.children[at < 0 ? split.missing : at]!, x, y);
      }
      return;
    }
    if (split.kind === 'missing') {
      visit(split.children[0], x, y);
      return;
    }
    const cut = (split.threshold - axis.mean) / axis.deviation;
    const range = axis === across ? x : y;
    const [low, high] = [[range[0], Math.min(range[1], cut)] as const, [Math.max(range[0], cut), range[1]] as const];
    for (const [child, part] of [
      [split.children[0], low],
      [split.children[1], high],
    ] as const)
      if (part[0] < part[1]) visit(child, axis === across ? part : x, axis === across ? y : part);
  };
  visit(0, [-Infinity, Infinity], [-Infinity, Infinity]);
  return regions;
}

/**
 * Returns the example whose other features tree and line are shown with: the selected one, or the drawn one nearest
 * to the mean.
 */
export function reference(scene: Pick<Scene, 'selected' | 'examples'>): number {
  const { examples, selected } = scene;
  return selected !== null && examples.shown.includes(selected)
    ? examples.shown.indexOf(selected)
    : nearestToMean(examples);
}

const nearestToMean = remember((examples: Examples): number => {
  const { dimension, vectors, shown } = examples;
  const means = meanOf(examples);
  let [nearest, least] = [0, Infinity];
  for (let k = 0; k < shown.length; k++) {
    let sum = 0;
    for (let j = 0; j < dimension; j++) sum += (vectors[k * dimension + j]! - means[j]!) ** 2;
    if (sum < least) [nearest, least] = [k, sum];
  }
  return nearest;
});

/** Returns the reason why there are no regions; null: there are. */
export function noRegions(scene: Scene): string | null {
  const { examples, look } = scene;
  if (examples.dimension < 2)
    return 'There is one feature only, so the tree’s questions are cuts of a line. Look at the tree.';
  const [h, v] = featuresOf(look.plane, examples.dimension);
  if (columnOf(examples, h) === null || columnOf(examples, v) === null)
    return 'One of the two features of the plane is a level of a category, which has no range to cut. Choose two columns of numbers for the plane.';
  return null;
}

/** Draws the tree's answers in the plane, and the line over them. */
export function drawRegions(scene: Scene, model: TreeModel, frame: Frame): Picture {
  const { examples, moment, recording, dataset, look } = scene;
  const { text } = frame;
  const [h, v] = featuresOf(look.plane, examples.dimension);
  const { dimension, vectors, shown, labels, featureNames } = examples;
  const along = (feature: number) => Array.from(shown, (_, k) => vectors[k * dimension + feature]!);
  const [xs, ys] = [rangeOf(along(h), 0.12), rangeOf(along(v), 0.12)];
  const axes = axesIn(
    { ...frame, height: frame.height - text * 1.6 },
    {
      horizontal: { from: xs[0], to: xs[1], title: featureNames[h] ?? '' },
      vertical: { from: ys[0], to: ys[1], title: featureNames[v] ?? '' },
      equal: dataset.kind === 'points',
    },
  );
  const k = reference(scene);
  const seen = treeExamples(model, examples);
  const regions = regionsOf(model.tree, columnOf(examples, h)!, columnOf(examples, v)!, (c) => seen.values[c]![k]!);
  const marks: Mark[] = [];
  // Scales cannot take infinite sides.
  const inside = (value: number, [from, to]: readonly number[]) => Math.max(from!, Math.min(to!, value));
  const boxes = regions.map(({ node, answer, x, y }) => {
    const [left, right] = x.map((value) => axes.x(inside(value, axes.x.domain()))) as [number, number];
    const [bottom, top] = y.map((value) => axes.y(inside(value, axes.y.domain()))) as [number, number];
    return { node, answer, left, right, top, bottom };
  });
  for (const box of boxes)
    marks.push(
      pathMark(cornersOf(box), {
        closed: true,
        fill: box.answer === 0 ? 'negative-region' : 'positive-region',
        id: `region ${box.node}`,
      }),
    );
  marks.push(...axes.marks);
  for (const box of boxes)
    marks.push(pathMark(cornersOf(box), { closed: true, stroke: 'muted', width: 1, opacity: 0.6 }));
  const line = moment.answer;
  if (line !== null) {
    let rest = line.bias * recording.biasConstant;
    for (let j = 0; j < dimension; j++)
      if (j !== h && j !== v) rest += (line.weights[j]! * vectors[k * dimension + j]!) / recording.divisor;
    const [w1, w2] = [line.weights[h]! / recording.divisor, line.weights[v]! / recording.divisor];
    const ends = w1 === 0 && w2 === 0 ? null : lineInBox(...inPixels(axes, [w1, w2, rest]), axes);
    if (ends !== null) marks.push(lineMark(ends[0], ends[1], { stroke: 'line', width: 2.5, id: 'boundary' }));
  }
  const crowd = shown.length > 150;
  const chosen = followed(scene);
  shown.forEach((row, i) => {
    const at = [axes.x(vectors[i * dimension + h]!), axes.y(vectors[i * dimension + v]!)] as const;
    const pen = crowd ? { opacity: 0.65 } : ({ stroke: 'paper', width: 1.2 } as const);
    marks.push(exampleMark(labels[row]!, at, text * (crowd ? 0.5 : 0.8), { ...pen, id: `example ${row}` }));
    if (i === chosen) marks.push(symbolMark('ring', at, text * 1.5, { stroke: 'selection', width: 2, id: 'followed' }));
  });
  const words = sharesText(scene, model);
  // Everything moves down by one line, for the text above.
  const moved = marks.map((mark) => movedMark(mark, 0, text * 1.6));
  moved.push(
    textMark([text * 0.6, text * 0.9], fitText(words, text * 0.92, frame.width - text), text * 0.92, {
      fill: 'muted',
      id: 'shares',
    }),
  );
  return { width: frame.width, height: frame.height, marks: moved };
}
