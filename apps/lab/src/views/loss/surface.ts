import { countUpTo, type Line, type Recording, snapshot } from '../../engine/recording.ts';
import { rangeOf } from '../../picture/axes.ts';
import { contourMarks } from '../../picture/contours.ts';
import { arrowMark, pathMark, symbolMark, textMark } from '../../picture/marks.ts';
import { numberText } from '../../picture/numbers.ts';
import { panelIn } from '../../picture/panel.ts';
import type { Frame, Mark, Picture, Spot } from '../../picture/picture.ts';
import { fitText } from '../../picture/text-width.ts';
import { featuresOf } from '../plane/projection.ts';
import { scoresOf, shownLabels } from '../scores.ts';
import type { Scene } from '../view.ts';
import { type GridLoss, lossGrid } from './grid.ts';
import { type Loss, meanLoss } from './losses.ts';

/** A loss that can be drawn over two weights. */
export type SurfaceLoss = Loss & GridLoss;

/** Two of a line's numbers: of two features their weights, of one its weight and the bias. */
export interface WeightPlane {
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

const known = new WeakMap<Recording, Map<string, Surface>>();
const boxes = new WeakMap<Recording, Map<string, Box>>();
const paths = new WeakMap<Recording, Map<string, Float64Array>>();

/** Logistic loss is dear and smooth; the count of errors is cheap and has steps. */
export function gridSize({ id }: GridLoss, examples: number): number {
  const many = examples > 800;
  return id === 'logistic' ? (many ? 24 : 32) : id === 'zero-one' ? (many ? 96 : 128) : 48;
}

/** The run's way through two of its numbers: u, v of each snapshot. */
function pathOf(recording: Recording, { horizontal, vertical }: WeightPlane): Float64Array {
  const kept = paths.get(recording) ?? new Map<string, Float64Array>();
  paths.set(recording, kept);
  const key = `${horizontal} ${vertical}`;
  const found = kept.get(key);
  if (found !== undefined) return found;
  const count = recording.changes.length + 1;
  const path = new Float64Array(2 * count);
  for (let k = 0; k < count; k++) {
    const line = snapshot(recording, recording.present, k);
    path[2 * k] = line.weights[horizontal]!;
    path[2 * k + 1] = vertical === null ? line.bias : line.weights[vertical]!;
  }
  kept.set(key, path);
  return path;
}

/** Where the run goes, and about as much again on all sides: the same for every moment. */
export function surfaceBox(recording: Recording, plane: WeightPlane): Box {
  const kept = boxes.get(recording) ?? new Map<string, Box>();
  boxes.set(recording, kept);
  const key = `${plane.horizontal} ${plane.vertical}`;
  const found = kept.get(key);
  if (found !== undefined) return found;
  const path = pathOf(recording, plane);
  const [u, v] = [[0], [0]];
  for (let k = 0; k < path.length; k += 2) {
    u.push(path[k]!);
    v.push(path[k + 1]!);
  }
  const [a, b] = [rangeOf(u, 0.3), rangeOf(v, 0.3)];
  const box: Box = { from: [a[0], b[0]], to: [a[1], b[1]] };
  kept.set(key, box);
  return box;
}

/** The mean loss of the drawn examples over two weights, all other numbers as they are at the moment. */
export function surfaceOf(scene: Scene, loss: SurfaceLoss): Surface {
  const { recording, moment, examples } = scene;
  const plane = weightPlane(scene);
  const kept = known.get(recording) ?? new Map<string, Surface>();
  known.set(recording, kept);
  const key = `${loss.id} ${plane.horizontal} ${plane.vertical} ${countUpTo(recording.changes, moment.step)}`;
  const found = kept.get(key);
  if (found !== undefined) return found;
  const { vectors, dimension, shown } = examples;
  const { divisor, biasConstant } = recording;
  const [u, v] = valuesAt(moment.present!, plane);
  const p = Float64Array.from(shown, (_, k) => vectors[k * dimension + plane.horizontal]! / divisor);
  const q = Float64Array.from(shown, (_, k) =>
    plane.vertical === null ? biasConstant : vectors[k * dimension + plane.vertical]! / divisor,
  );
  const scores = scoresOf(scene, moment.present!).map((score, k) => score - u * p[k]! - v * q[k]!);
  const size = gridSize(loss, shown.length);
  const labels = shownLabels(examples);
  const box = surfaceBox(recording, plane);
  const values = lossGrid({ loss, scores, p, q, labels, tie: recording.tie, ...box, columns: size, rows: size });
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const surface = { values, least, most };
  kept.set(key, surface);
  if (kept.size > 4) kept.delete(kept.keys().next().value!);
  return surface;
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
  const panel = panelIn(box, {
    across: { from: from[0], to: to[0], grid: false },
    upwards: { from: from[1], to: to[1], grid: false },
    text,
  });
  const { x, y } = panel;
  const size = gridSize(loss, examples.shown.length);
  const marks: Mark[] = [];
  // Denser near the lowest, where the run goes.
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
    pathMark(
      [
        [box.left, box.top],
        [box.right, box.top],
        [box.right, box.bottom],
        [box.left, box.bottom],
      ],
      { closed: true, stroke: 'grid', width: 1 },
    ),
    ...panel.marks,
    ...way(scene, plane, { x, y, text }),
  );
  const here = meanLoss(loss, scoresOf(scene, moment.present!), shownLabels(examples), recording.tie);
  const title = `mean ${loss.title} loss ${numberText(here)}, lowest here ${numberText(Math.min(here, least))}`;
  marks.push(
    textMark([box.left, box.top - text * 0.9], fitText(title, text * 0.92, box.right - box.left), text * 0.92, {
      id: 'loss here',
    }),
    textMark(
      [(box.left + box.right) / 2, height - text * 0.3],
      fitText(plane.titles[0], text, box.right - box.left),
      text,
      { anchor: 'middle', baseline: 'bottom', fill: 'muted' },
    ),
    textMark([text * 0.3, (box.top + box.bottom) / 2], fitText(plane.titles[1], text, box.bottom - box.top), text, {
      anchor: 'middle',
      baseline: 'top',
      turn: -90,
      fill: 'muted',
    }),
  );
  return { width, height, marks };
}

/** Levels between the values that there are, falling: at most so many as are layers. */
function betweenCounts(values: Float64Array): number[] {
  const counts = [...new Set(values)].sort((a, b) => b - a);
  const pace = Math.max(1, Math.ceil((counts.length - 1) / layers));
  const levels: number[] = [];
  for (let k = counts.length - 1; k > 0; k -= pace) levels.unshift((counts[k]! + counts[k - 1]!) / 2);
  return levels;
}

/** The weights so far, from 0 to where they are, and the change that was just made. */
function way(
  { recording, moment }: Scene,
  plane: WeightPlane,
  { x, y, text }: { readonly x: (v: number) => number; readonly y: (v: number) => number; readonly text: number },
): Mark[] {
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
