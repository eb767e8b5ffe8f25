import { countUpTo, type Line, type Recording, snapshot } from '../../engine/recording.ts';
import { type Axes, axesInBox, rangeOf, titleMarks } from '../../picture/axes.ts';
import { cornersOf } from '../../picture/clip.ts';
import { contourMarks } from '../../picture/contours.ts';
import { arrowMark, pathMark, symbolMark, textMark } from '../../picture/marks.ts';
import { numberText } from '../../picture/numbers.ts';
import type { Frame, Mark, Picture, Spot } from '../../picture/picture.ts';
import { fitText } from '../../picture/text-width.ts';
import { cacheOf } from '../cache.ts';
import { featuresOf } from '../plane/projection.ts';
import { scoresOf, shownLabels } from '../scores.ts';
import type { Scene } from '../view.ts';
import { type GridLoss, lossGrid } from './grid.ts';
import { type Loss, meanLoss } from './losses.ts';

/** A loss that can be drawn over two weights. */
export type SurfaceLoss = Loss & GridLoss;

/** The two numbers of a line that are drawn: two weights, or the only weight and the bias. */
interface WeightPlane {
  readonly horizontal: number;
  /** Null: the bias. */
  readonly vertical: number | null;
  readonly titles: readonly [string, string];
}

export function weightPlane({ examples, look }: Pick<Scene, 'examples' | 'look'>): WeightPlane {
  const { dimension, featureNames } = examples;
  const name = (feature: number) => `weight of ${featureNames[feature]}`;
  if (dimension < 2) return { horizontal: 0, vertical: null, titles: [name(0), 'bias'] };
  const [horizontal, vertical] = featuresOf(look.plane, dimension);
  return { horizontal, vertical, titles: [name(horizontal), name(vertical)] };
}

interface Surface {
  readonly values: Float64Array;
  readonly least: number;
  readonly most: number;
}

interface Box {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

const cachedSurface = cacheOf<Recording, Surface>(4);
const cachedBox = cacheOf<Recording, Box>();
const cachedPath = cacheOf<Recording, Float64Array>();
const keyOf = ({ horizontal, vertical }: WeightPlane) => `${horizontal} ${vertical}`;

/**
 * Returns the columns of a grid: few for the logistic loss, which is slow and smooth, many for the 0–1 loss, which is
 * fast and has steps.
 */
function gridSize({ id }: GridLoss, examples: number): number {
  const many = examples > 800;
  return id === 'logistic' ? (many ? 24 : 32) : id === 'zero-one' ? (many ? 96 : 128) : 48;
}

/** Returns the path of the run in two of its numbers: u, v of each snapshot. */
function pathOf(recording: Recording, plane: WeightPlane): Float64Array {
  const make = () => {
    const path = new Float64Array(2 * (recording.changes.length + 1));
    for (let k = 0; 2 * k < path.length; k++)
      path.set(valuesAt(snapshot(recording, recording.present, k), plane), 2 * k);
    return path;
  };
  return cachedPath(recording, make, keyOf(plane));
}

/** Returns a box around the path of the run, with some room: the same for every moment. */
export function surfaceBox(recording: Recording, plane: WeightPlane): Box {
  const make = (): Box => {
    const path = pathOf(recording, plane);
    const range = (side: 0 | 1) => rangeOf([0, ...path.filter((_, k) => k % 2 === side)], 0.3);
    const [a, b] = [range(0), range(1)];
    return { from: [a[0], b[0]], to: [a[1], b[1]] };
  };
  return cachedBox(recording, make, keyOf(plane));
}

/** Returns the mean loss of the drawn examples over two weights; all other numbers stay as they are at the moment. */
export function surfaceOf(scene: Scene, loss: SurfaceLoss): Surface {
  const { recording, moment } = scene;
  const plane = weightPlane(scene);
  const key = `${loss.id} ${keyOf(plane)} ${countUpTo(recording.changes, moment.step)}`;
  return cachedSurface(recording, () => makeSurface(scene, plane, loss), key);
}

function makeSurface({ recording, moment, examples }: Scene, plane: WeightPlane, loss: SurfaceLoss): Surface {
  const { vectors, dimension, shown } = examples;
  const { divisor, biasConstant } = recording;
  const [u, v] = valuesAt(moment.present!, plane);
  const p = Float64Array.from(shown, (_, k) => vectors[k * dimension + plane.horizontal]! / divisor);
  const q = Float64Array.from(shown, (_, k) =>
    plane.vertical === null ? biasConstant : vectors[k * dimension + plane.vertical]! / divisor,
  );
  const scores = scoresOf({ examples, recording }, moment.present!).map((score, k) => score - u * p[k]! - v * q[k]!);
  const size = gridSize(loss, shown.length);
  const labels = shownLabels(examples);
  const box = surfaceBox(recording, plane);
  const values = lossGrid({ loss, scores, p, q, labels, tie: recording.tie, ...box, columns: size, rows: size });
  return { values, least: Math.min(...values), most: Math.max(...values) };
}

function valuesAt(line: Line, { horizontal, vertical }: WeightPlane): [number, number] {
  return [line.weights[horizontal]!, vertical === null ? line.bias : line.weights[vertical]!];
}

const layers = 9;
const mostSpots = 1500;

export function drawSurface(scene: Scene, loss: SurfaceLoss, { width, height, text }: Frame): Picture {
  const { recording, moment, examples } = scene;
  const plane = weightPlane(scene);
  const surface = surfaceOf(scene, loss);
  const { from, to } = surfaceBox(recording, plane);
  const box = { left: text * 3.4, right: width - text * 0.9, top: text * 2.1, bottom: height - text * 2.9 };
  const horizontal = { from: from[0], to: to[0], grid: false };
  const axes = axesInBox(box, text, horizontal, { from: from[1], to: to[1], grid: false });
  const size = gridSize(loss, examples.shown.length);
  const marks: Mark[] = [];
  // Levels are denser near the minimum, where the run goes.
  const { least, most } = surface;
  const levels =
    loss.id === 'zero-one'
      ? betweenCounts(surface.values)
      : Array.from({ length: layers }, (_, k) => least + (most - least) * ((layers - k) / (layers + 1)) ** 2);
  if (most > least)
    marks.push(
      ...contourMarks({ box, columns: size, rows: size, values: surface.values, levels, fill: 'star', opacity: 0.1 }),
    );
  marks.push(
    pathMark(cornersOf(box), { closed: true, stroke: 'grid', width: 1 }),
    ...axes.marks,
    ...way(scene, plane, axes, text),
  );
  const here = meanLoss(loss, scoresOf(scene, moment.present!), shownLabels(examples), recording.tie);
  const title = `mean ${loss.title} loss ${numberText(here)}, lowest here ${numberText(Math.min(here, least))}`;
  const wide = box.right - box.left;
  const [across, upwards] = [
    fitText(plane.titles[0], text, wide),
    fitText(plane.titles[1], text, box.bottom - box.top),
  ];
  marks.push(
    textMark([box.left, box.top - text * 0.9], fitText(title, text * 0.92, wide), text * 0.92, { id: 'loss here' }),
    ...titleMarks(box, { height, text }, across, upwards),
  );
  return { width, height, marks };
}

/** Returns falling levels between the values of a count, at most as many as there are layers. */
function betweenCounts(values: Float64Array): number[] {
  const counts = [...new Set(values)].sort((a, b) => b - a);
  const pace = Math.max(1, Math.ceil((counts.length - 1) / layers));
  const levels: number[] = [];
  for (let k = counts.length - 1; k > 0; k -= pace) levels.unshift((counts[k]! + counts[k - 1]!) / 2);
  return levels;
}

/** Draws the path of the weights up to now, and the last change. */
function way({ recording, moment }: Scene, plane: WeightPlane, { x, y }: Axes, text: number): Mark[] {
  const path = pathOf(recording, plane);
  const count = countUpTo(recording.changes, moment.step) + 1;
  const spot = (k: number): Spot => [x(path[2 * k]!), y(path[2 * k + 1]!)];
  const pace = Math.max(1, Math.ceil(count / mostSpots));
  const spots: Spot[] = [];
  for (let k = 0; k < count - 1; k += pace) spots.push(spot(k));
  spots.push(spot(count - 1));
  const marks: Mark[] = [];
  const long = spots.length > 150;
  if (spots.length > 1)
    marks.push(pathMark(spots, { stroke: 'line', width: long ? 1 : 1.5, opacity: long ? 0.25 : 0.75, id: 'path' }));
  if (long) marks.push(pathMark(spots.slice(-30), { stroke: 'line', width: 1.5, opacity: 0.8 }));
  if (count <= 80)
    for (const at of spots.slice(1, -1))
      marks.push(symbolMark('disc', at, text * 0.3, { fill: 'line', opacity: 0.75 }));
  marks.push(symbolMark('ring', spot(0), text * 0.6, { stroke: 'line', width: 1.5, id: 'start' }));
  const now = spot(count - 1);
  if (moment.updated && moment.before !== null) {
    const [u, v] = valuesAt(moment.before, plane);
    const before: Spot = [x(u), y(v)];
    if (Math.hypot(now[0] - before[0], now[1] - before[1]) > 3)
      marks.push(arrowMark(before, now, { stroke: 'update', width: 2.5, id: 'update' }));
  }
  marks.push(symbolMark('disc', now, text * 0.7, { fill: 'line', stroke: 'paper', width: 1.5, id: 'present' }));
  return marks;
}
