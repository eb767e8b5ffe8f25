import type { Examples } from '../../engine/examples.ts';
import { type Recording, snapshot } from '../../engine/recording.ts';
import { rangeOf } from '../../picture/axes.ts';
import { arrowMark, classRole, exampleMark, lineMark, pathMark, symbolMark, textMark } from '../../picture/marks.ts';
import type { Frame, Mark, Pen, Picture } from '../../picture/picture.ts';
import { type Camera, cutSpace, orthographic, type Point3, planeInBox } from '../../picture/space.ts';
import { fitText } from '../../picture/text-width.ts';
import { cacheOf } from '../cache.ts';
import { featuresOf, meanOf } from '../plane/projection.ts';
import type { Scene } from '../view.ts';
import { heightTitle } from './height.ts';

/** The two features that are drawn, and the lengths of their units and of the constant. */
interface LiftedSpace {
  readonly features: readonly [number, number];
  /** Feature values per unit of length; the third is that of the constant. */
  readonly units: Point3;
  /** Corners of the box, in lengths. */
  readonly from: Point3;
  readonly to: Point3;
  /** Height of the examples. */
  readonly sheet: number;
  /** Returns what the other features add to the score at their means. */
  readonly rest: (weights: Float64Array) => number;
}

const spaces = cacheOf<Recording, LiftedSpace>();

export function liftedSpace(scene: Pick<Scene, 'examples' | 'recording' | 'look'>): LiftedSpace {
  const { examples, recording, look } = scene;
  const features = featuresOf(look.plane, examples.dimension);
  return spaces(recording, () => makeSpace(examples, recording, features), features.join());
}

function makeSpace(examples: Examples, recording: Recording, features: LiftedSpace['features']): LiftedSpace {
  const { dimension, vectors, shown } = examples;
  const [first, second] = features;
  const along = (feature: number) => [0, ...Array.from(shown, (_, k) => vectors[k * dimension + feature]!)];
  const [a, b] = [rangeOf(along(first), 0.1), rangeOf(along(second), 0.1)];
  const [spanA, spanB] = [a[1] - a[0], b[1] - b[0]];
  // The features have different units only where one unit would hide one of them.
  const alike = Math.max(spanA, spanB) / Math.min(spanA, spanB) <= 4;
  const [unitA, unitB] = alike ? [Math.max(spanA, spanB) / 2, Math.max(spanA, spanB) / 2] : [spanA / 2, spanB / 2];
  const constant = recording.biasConstant;
  const sheet = Math.max(0.5, Math.min(0.9, constant / Math.max(unitA, unitB)));
  const means = meanOf(examples);
  return {
    features,
    units: [unitA, unitB, constant / sheet],
    from: [a[0] / unitA, b[0] / unitB, -0.45 * sheet],
    to: [a[1] / unitA, b[1] / unitB, 1.75 * sheet],
    sheet,
    rest: (weights) => {
      let sum = 0;
      for (let j = 0; j < weights.length; j++)
        if (j !== first && j !== second) sum += (weights[j]! * means[j]!) / recording.divisor;
      return sum;
    },
  };
}

/** Returns the plane's normal, in lengths: its product with a point is the score there. */
export function liftedNormal({ moment, recording }: Pick<Scene, 'moment' | 'recording'>, space: LiftedSpace): Point3 {
  const { weights, bias } = moment.present!;
  return normalOf(weights, bias, recording, space);
}

function normalOf(weights: Float64Array, bias: number, recording: Recording, space: LiftedSpace): Point3 {
  const [h, v] = space.features;
  const { divisor, biasConstant } = recording;
  return [
    (weights[h]! / divisor) * space.units[0],
    (weights[v]! / divisor) * space.units[1],
    (bias + space.rest(weights) / biasConstant) * space.units[2],
  ];
}

const longest = cacheOf<LiftedSpace, number>();

/** Returns the length of the longest normal of the run, so that arrows of different moments can be compared. */
const longestNormal = (recording: Recording, space: LiftedSpace): number =>
  longest(space, () => findLongest(recording, space));

function findLongest(recording: Recording, space: LiftedSpace): number {
  const count = recording.changes.length + 1;
  const pace = Math.max(1, Math.floor(count / 200));
  let most = 0;
  for (let k = count - 1; k >= 0; k -= pace) {
    const { weights, bias } = snapshot(recording, recording.present, k);
    most = Math.max(most, Math.hypot(...normalOf(weights, bias, recording, space)));
  }
  return most;
}

/**
 * Draws examples in the plane, lifted to the height of the constant, and the plane through the origin that separates
 * them.
 */
export function drawSpaceLift(scene: Scene, { width, height, text }: Frame): Picture {
  const { recording, look } = scene;
  const space = liftedSpace(scene);
  const { from, to, sheet } = space;
  const n = liftedNormal(scene, space);
  const centre: Point3 = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2];
  const tilt = (look.turn.pitch * Math.PI) / 180;
  const reach = Math.hypot(to[0] - from[0], to[1] - from[1]) / 2;
  const tall = reach * Math.sin(tilt) + ((to[2] - from[2]) / 2) * Math.cos(tilt);
  const scale = Math.min((width / 2 - text * 0.6) / reach, (height / 2 - text * 1.2) / tall);
  const camera = orthographic({ ...look.turn, centre, middle: [width / 2, height / 2], scale });
  const area = (polygon: readonly Point3[], pen: Pen): Mark[] =>
    polygon.length < 3 ? [] : [pathMark(polygon.map(camera.spot), { ...pen, closed: true })];
  const at = (z: number): Point3[] => [
    [from[0], from[1], z],
    [to[0], from[1], z],
    [to[0], to[1], z],
    [from[0], to[1], z],
  ];
  const plane = planeInBox(n, from, to);
  const below = cutSpace(plane, [0, 0, -1], sheet);
  const above = cutSpace(plane, [0, 0, 1], -sheet);
  const back: Point3 = [-n[0], -n[1], -n[2]];
  const marks: Mark[] = [...floor(scene, space, camera, { text, at })];
  // Examples beyond the plane, as seen from the viewer, are behind its upper part; the others are in front of it.
  const facing = n[0] * camera.towards[0] + n[1] * camera.towards[1] + n[2] * camera.towards[2];
  const { drops, behind, before } = symbols(scene, space, camera, { n, facing, text });
  marks.push(...drops);
  const skin = { fill: 'line', opacity: 0.13 } as const;
  marks.push(...area(below, { ...skin, id: 'plane below' }));
  marks.push(...area(below, { stroke: 'line', width: 1, opacity: 0.45 }));
  if (plane.length > 0)
    marks.push(
      ...area(cutSpace(at(sheet), n), { fill: 'positive-region', opacity: 0.86, id: 'positive side' }),
      ...area(cutSpace(at(sheet), back), { fill: 'negative-region', opacity: 0.86, id: 'negative side' }),
    );
  else marks.push(...area(at(sheet), { fill: 'grid', opacity: 0.5 }));
  marks.push(...area(at(sheet), { stroke: 'muted', width: 1, opacity: 0.7 }));
  const trace = traceOf(plane, sheet);
  if (trace !== null)
    marks.push(lineMark(camera.spot(trace[0]), camera.spot(trace[1]), { stroke: 'line', width: 2.5, id: 'boundary' }));
  const [axis, ...name] = upwards(scene, space, camera, text);
  marks.push(axis, ...behind, ...area(above, { ...skin, id: 'plane above' }));
  marks.push(...area(above, { stroke: 'line', width: 1, opacity: 0.45 }), ...before);
  if (look.turn.pitch < 70) marks.push(...name);
  const most = longestNormal(recording, space);
  const length = Math.hypot(...n);
  if (length > 0) {
    // Even a short normal must be visible.
    const size = (Math.max(0.25, length / most) * 0.85) / length;
    const tip = camera.spot([n[0] * size, n[1] * size, n[2] * size]);
    marks.push(
      arrowMark(camera.spot([0, 0, 0]), tip, { stroke: 'answer', width: 3, id: 'normal' }),
      textMark(
        [tip[0] + text * 0.5, Math.max(text, Math.min(height - text, tip[1] - text * 0.7))],
        '(w, b)',
        text * 0.92,
        { fill: 'answer', stroke: 'paper', width: 3, anchor: tip[0] > width - text * 4 ? 'end' : 'start' },
      ),
    );
  }
  marks.push(symbolMark('ring', camera.spot([0, 0, 0]), text * 0.55, { stroke: 'line', width: 2, id: 'origin' }));
  if (length === 0)
    marks.push(
      textMark([width / 2, text * 1.1], fitText('w = 0 and b = 0: no plane yet', text, width - text), text, {
        anchor: 'middle',
        fill: 'muted',
      }),
    );
  return { width, height, marks };
}

/** Returns the line where the plane meets the height of the examples. */
function traceOf(plane: readonly Point3[], sheet: number): [Point3, Point3] | null {
  const met: Point3[] = [];
  plane.forEach((here, i) => {
    const next = plane[(i + 1) % plane.length]!;
    const [a, b] = [here[2] - sheet, next[2] - sheet];
    if (a === b || a > 0 === b > 0) return;
    const share = a / (a - b);
    met.push([here[0] + share * (next[0] - here[0]), here[1] + share * (next[1] - here[1]), sheet]);
  });
  return met.length < 2 ? null : [met[0]!, met[1]!];
}

/** Draws the ground and the axes with their names. */
function floor(
  { examples }: Scene,
  { from, to, sheet, features }: LiftedSpace,
  { spot }: Camera,
  { text, at }: { readonly text: number; readonly at: (z: number) => Point3[] },
): Mark[] {
  const ground = at(0).map(spot);
  const axis = (a: Point3, b: Point3) => arrowMark(spot(a), spot(b), { stroke: 'muted', width: 1.2 });
  const label = (p: Point3, name: string): Mark => {
    const [[x, y], [ox, oy]] = [spot(p), spot([0, 0, 0])];
    const away = Math.max(1, Math.hypot(x - ox, y - oy));
    return textMark(
      [x + ((x - ox) / away) * text * 0.9, y + ((y - oy) / away) * text * 0.9],
      fitText(name, text * 0.9, text * 7),
      text * 0.9,
      { anchor: 'middle', fill: 'muted', stroke: 'paper', width: 3 },
    );
  };
  const [first, second]: [Point3, Point3] = [
    [to[0], 0, 0],
    [0, to[1], 0],
  ];
  return [
    pathMark(ground, { closed: true, stroke: 'grid', fill: 'paper', width: 1 }),
    axis([from[0], 0, 0], first),
    axis([0, from[1], 0], second),
    lineMark(spot([0, 0, from[2]]), spot([0, 0, sheet]), { stroke: 'muted', width: 1.2 }),
    label(first, examples.featureNames[features[0]] ?? ''),
    label(second, examples.featureNames[features[1]] ?? ''),
  ];
}

/** Draws the part of the constant's axis above the examples, then its labels. */
function upwards(
  { recording }: Scene,
  { to, sheet, units }: LiftedSpace,
  { spot }: Camera,
  text: number,
): [Mark, ...Mark[]] {
  const [low, high] = [spot([0, 0, sheet]), spot([0, 0, to[2]])];
  const style = { fill: 'muted', stroke: 'paper', width: 3 } as const;
  const constant = String(Number(recording.biasConstant.toPrecision(3)));
  return [
    arrowMark(low, high, { stroke: 'muted', width: 1.2 }),
    // In the space itself it would stand on the examples.
    textMark([text * 0.6, text], `↑ ${heightTitle('constant', units[0] / units[2])}`, text * 0.9, style),
    symbolMark('disc', low, text * 0.4, { fill: 'muted' }),
    textMark([low[0] - text * 0.5, low[1]], constant, text * 0.9, { ...style, anchor: 'end' }),
  ];
}

/** Draws the examples, those behind the plane and those in front of it, far ones first. */
function symbols(
  { examples, moment }: Scene,
  { features, units, sheet }: LiftedSpace,
  camera: Camera,
  { n, facing, text }: { readonly n: Point3; readonly facing: number; readonly text: number },
): { readonly drops: Mark[]; readonly behind: Mark[]; readonly before: Mark[] } {
  const { dimension, vectors, shown, labels } = examples;
  const points = Array.from(shown, (row, k) => {
    const at: Point3 = [
      vectors[k * dimension + features[0]]! / units[0],
      vectors[k * dimension + features[1]]! / units[1],
      sheet,
    ];
    return { row, at, near: camera.nearness(at) };
  });
  points.sort((a, b) => a.near - b.near);
  const few = points.length <= 60;
  const crowd = points.length > 300;
  const size = text * (few ? 0.85 : crowd ? 0.5 : 0.65);
  const [drops, behind, before]: [Mark[], Mark[], Mark[]] = [[], [], []];
  for (const { row, at } of points) {
    const side = n[0] * at[0] + n[1] * at[1] + n[2] * at[2];
    const into = side * facing >= 0 ? before : behind;
    const spot = camera.spot(at);
    const foot = camera.spot([at[0], at[1], 0]);
    if (few) drops.push(lineMark(foot, spot, { stroke: classRole(labels[row]!), width: 1, opacity: 0.25 }));
    const pen = crowd ? { opacity: 0.6 } : ({ stroke: 'paper', width: 1.2 } as const);
    into.push(exampleMark(labels[row]!, spot, size, { ...pen, id: `example ${row}` }));
    if (row === moment.row)
      into.push(
        symbolMark('ring', spot, size * 1.8, { stroke: moment.updated ? 'update' : 'ink', width: 2, id: 'shown' }),
      );
  }
  return { drops, behind, before };
}
