import type { ClassRun, ClassStrategy } from '../../engine/class-recording.ts';
import { companionKey } from '../../engine/companion.ts';
import { type Axes, axesIn, rangeOf } from '../../picture/axes.ts';
import { cornersOf, cutHalfPlane, inPixels, lineInBox } from '../../picture/clip.ts';
import { wrapped } from '../../picture/labels.ts';
import { lineMark, movedMark, pathMark, symbolMark, textMark } from '../../picture/marks.ts';
import { countText, numberText } from '../../picture/numbers.ts';
import type { Frame, Mark, Pen, Picture, Role, Spot } from '../../picture/picture.ts';
import { amountText } from '../../picture/shares.ts';
import { textWidth } from '../../picture/text-width.ts';
import { featuresOf } from '../plane/projection.ts';
import type { Scene, View } from '../view.ts';
import {
  bestOther,
  type ClassMoment,
  classMomentAt,
  classScores,
  featuresOfRow,
  predictions,
  type Weights,
} from './moment.ts';

/** The roles and symbols of up to three classes, by their positions. They differ in shape, not only in colour. */
const classLooks = [
  { role: 'negative', region: 'negative-region', shape: 'square' },
  { role: 'positive', region: 'positive-region', shape: 'disc' },
  { role: 'third', region: 'third-region', shape: 'triangle' },
] as const satisfies readonly { readonly role: Role; readonly region: Role; readonly shape: string }[];

/** A score over the plane of two features: a·u + b·v + c. */
export type Slice = readonly [a: number, b: number, c: number];

/** Returns the score of each class over two features; all others are those of an example. */
function slicesOf(run: ClassRun, weights: Weights, [h, v]: readonly [number, number], at: Float64Array): Slice[] {
  const { dimension, divisor, biasConstant } = run;
  return run.classes.map((_, k) => {
    const first = k * (dimension + 1);
    let rest = weights[first]! * biasConstant;
    for (let j = 0; j < dimension; j++) if (j !== h && j !== v) rest += (weights[first + 1 + j]! * at[j]!) / divisor;
    return [weights[first + 1 + h]! / divisor, weights[first + 1 + v]! / divisor, rest];
  });
}

const less = (a: Slice, b: Slice): Slice => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/** Draws where each class has the highest score; the first of equal ones has it, as in the model. */
export function regionMarks(axes: Axes, slices: readonly Slice[]): Mark[] {
  return slices.flatMap((own, k) => {
    let spots: readonly Spot[] = cornersOf(axes);
    slices.forEach((other, j) => {
      const [a, b, c] = inPixels(axes, less(own, other));
      // Classes with the same score everywhere: the first one has all of it.
      if (a === 0 && b === 0 && c === 0) spots = j < k ? [] : spots;
      else if (j !== k) spots = cutHalfPlane(spots, a, b, c);
    });
    const { region } = classLooks[k]!;
    return spots.length < 3 ? [] : [pathMark(spots, { closed: true, fill: region, id: `region ${k}` })];
  });
}

/** Draws where two classes have the highest score together. */
function boundaryMarks(axes: Axes, slices: readonly Slice[], pen: Pen & { readonly id: string }): Mark[] {
  const marks: Mark[] = [];
  for (let k = 0; k < slices.length; k++)
    for (let j = 0; j < k; j++) {
      const line = lineInBox(...inPixels(axes, less(slices[k]!, slices[j]!)), axes);
      if (line === null) continue;
      const others = slices
        .filter((_, i) => i !== j && i !== k)
        .map((other) => inPixels(axes, less(slices[k]!, other)));
      const piece = others.reduce<readonly [Spot, Spot] | null>((left, cut) => left && cutLine(left, cut), line);
      if (piece !== null) marks.push(lineMark(piece[0], piece[1], pen));
    }
  return marks;
}

/** Returns the part of a line where a·x + b·y + c ≥ 0; null: there is none. */
function cutLine([from, to]: readonly [Spot, Spot], [a, b, c]: Slice): readonly [Spot, Spot] | null {
  const [here, there] = [a * from[0] + b * from[1] + c, a * to[0] + b * to[1] + c];
  if (here < 0 && there < 0) return null;
  if (here >= 0 && there >= 0) return [from, to];
  const share = here / (here - there);
  const met: Spot = [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
  return here >= 0 ? [from, met] : [met, to];
}

const strategyOf = ({ look }: Scene): ClassStrategy =>
  look.choices.classes === 'one-vs-rest' ? 'one-vs-rest' : 'kesler';

const requestOf = (scene: Scene) =>
  ({ kind: 'classes', algorithm: scene.algorithm, strategy: strategyOf(scene) }) as const;

/** Returns the run on all classes. Null: it failed; undefined: not known yet. */
function runOf(scene: Scene): ClassRun | null | undefined {
  return scene.companions?.[companionKey(requestOf(scene))] as ClassRun | null | undefined;
}

const shapeNames = { square: 'squares', disc: 'discs', triangle: 'triangles' } as const;

const countOf = ({ examples }: Scene): number => examples.encoding.label.classes.length;

/** Shows the perceptron on three classes at once: a weight vector for each class, and the highest score wins. */
export const classes: View = {
  id: 'classes',
  title: 'Three classes',
  question: 'What about three classes?',
  choices: [
    { id: 'kesler', title: 'One learner for all' },
    { id: 'one-vs-rest', title: 'Each against the rest' },
  ],
  missing(scene) {
    const count = countOf(scene);
    if (count === 2) return 'These data have two classes. Open data with three, such as three clouds or the penguins.';
    if (count > classLooks.length)
      return `These data have ${count} classes, and regions of three can be told apart. Open data with three classes.`;
    if (scene.examples.dimension < 2) return 'There is one feature only, so there is no plane. Open data with two.';
    return runOf(scene) === null ? 'The several-class perceptron cannot learn these data. Open other data.' : null;
  },
  offer: (scene) => (countOf(scene) === 3 ? null : { title: 'Three clouds', preset: 'three-clouds' }),
  companion: (scene) => (countOf(scene) === 3 && scene.examples.dimension > 1 ? requestOf(scene) : null),
  draw(scene, frame) {
    const run = runOf(scene) ?? null;
    return run === null ? waiting(frame) : drawClasses(scene, run, frame);
  },
  describe(scene) {
    const run = runOf(scene) ?? null;
    if (run === null) return 'The run on all classes is being computed.';
    const moment = classMomentAt(run, scene.step ?? scene.moment.step);
    const step = stepText(run, moment);
    const looks = run.classes.map((name, k) => `${name} (${shapeNames[classLooks[k]!.shape]})`).join(', ');
    return `The plane with a region for each class, ${looks}: ${standText(run, moment)}.${step === null ? '' : ` ${step}`}`;
  },
};

function waiting({ width, height, text }: Frame): Picture {
  const style = { anchor: 'middle', fill: 'muted' } as const;
  return { width, height, marks: [textMark([width / 2, height / 2], 'the run is being computed …', text, style)] };
}

function drawClasses(scene: Scene, run: ClassRun, frame: Frame): Picture {
  const { width, height, text } = frame;
  const moment = classMomentAt(run, scene.step ?? scene.moment.step);
  const words = wordMarks(run, moment, frame);
  const marks = planeMarks(scene, run, moment, { ...frame, height: height - words.height });
  return { width, height, marks: [...words.marks, ...marks.map((mark) => movedMark(mark, 0, words.height))] };

  function wordMarks(of: ClassRun, at: ClassMoment, { width: room }: Frame): { marks: Mark[]; height: number } {
    const made: Mark[] = [];
    let [x, y] = [text * 0.9, text];
    of.classes.forEach((name, k) => {
      const { shape, role } = classLooks[k]!;
      const wide = textWidth(name, text * 0.92) + text * 2.4;
      if (x + wide > room && x > text) [x, y] = [text * 0.9, y + text * 1.35];
      made.push(symbolMark(shape, [x, y], text * 0.85, { fill: role }));
      made.push(textMark([x + text * 0.9, y], name, text * 0.92));
      x += wide;
    });
    // Room for the longest of these sentences is kept, so that the plane does not jump from step to step.
    const lines = [standText(of, at), ...wrapped(stepText(of, at) ?? '', text * 0.92, room - text * 1.2)].slice(0, 4);
    lines.forEach((line, k) => {
      const style = k === 0 ? ({ weight: 'bold', id: 'stand' } as const) : ({ fill: 'muted' } as const);
      made.push(textMark([text * 0.6, y + text * (1.5 + 1.25 * k)], line, text * 0.92, style));
    });
    return { marks: made, height: y + text * (room < text * 32 ? 6 : 4.4) };
  }
}

function planeMarks(scene: Scene, run: ClassRun, moment: ClassMoment, frame: Frame): Mark[] {
  const { text } = frame;
  const { dimension, vectors, shown, truth, featureNames } = run;
  const [h, v] = featuresOf(scene.look.plane, dimension);
  const along = (feature: number) => Array.from(shown, (_, k) => vectors[k * dimension + feature]!);
  const [xs, ys] = [rangeOf(along(h), 0.12), rangeOf(along(v), 0.12)];
  const axes = axesIn(frame, {
    horizontal: { from: xs[0], to: xs[1], title: featureNames[h] ?? '' },
    vertical: { from: ys[0], to: ys[1], title: featureNames[v] ?? '' },
    equal: dimension === 2,
  });
  const means = new Float64Array(dimension);
  for (let j = 0; j < dimension; j++) means[j] = along(j).reduce((sum, value) => sum + value, 0) / shown.length;
  const marks: Mark[] = [...regionMarks(axes, slicesOf(run, moment.present, [h, v], means)), ...axes.marks];
  if (moment.updated)
    marks.push(
      ...boundaryMarks(axes, slicesOf(run, moment.before, [h, v], means), {
        stroke: 'muted',
        width: 1.75,
        dash: [6, 5],
        id: 'boundary before',
      }),
    );
  const pen = { stroke: 'line', width: 2.5, id: 'boundary' } as const;
  marks.push(...boundaryMarks(axes, slicesOf(run, moment.present, [h, v], means), pen));
  const got = predictions(run, moment.present);
  const size = text * (shown.length > 150 ? 0.65 : 0.9);
  shown.forEach((row, k) => {
    const at = [axes.x(vectors[k * dimension + h]!), axes.y(vectors[k * dimension + v]!)] as const;
    const { role, shape } = classLooks[truth[row]!]!;
    const wrong = got[k] !== truth[row];
    const style = wrong
      ? ({ fill: 'paper', stroke: role, width: 2.25 } as const)
      : ({ fill: role, stroke: 'paper', width: 1.2 } as const);
    marks.push(symbolMark(shape, at, size, { ...style, id: `example ${row}` }));
    if (row === moment.row)
      marks.push(
        symbolMark('ring', at, size * 1.9 + 4, { stroke: moment.updated ? 'update' : 'ink', width: 2.25, id: 'shown' }),
      );
    if (row === scene.selected)
      marks.push(symbolMark('ring', at, size * 2.3 + 4, { stroke: 'selection', width: 2.25, id: 'selected' }));
  });
  if (dimension > 2)
    marks.push(
      textMark([axes.right - 2, axes.top + text * 0.8], 'other columns at their means', text * 0.8, {
        anchor: 'end',
        fill: 'muted',
        stroke: 'paper',
        width: 3,
      }),
    );
  return marks;
}

/** Counts the drawn examples that do not get their class. */
function wrongCount(run: ClassRun, { present }: Pick<ClassMoment, 'present'>): number {
  return predictions(run, present).reduce((wrong, k, i) => wrong + (k === run.truth[run.shown[i]!] ? 0 : 1), 0);
}

/** Says how far the run is: `12 updates, 3 of 90 wrong`. */
function standText(run: ClassRun, moment: ClassMoment): string {
  const wrong = `${countText(wrongCount(run, moment))} of ${countText(run.shown.length)} wrong`;
  const over = moment.isOver ? `, stopped after ${countText(run.steps)} examples` : '';
  return `${amountText(moment.updates, 'update')}, ${wrong}${over}`;
}

/** Says what the step did to the classes. Null: at the start, and for an example that is not drawn. */
function stepText(run: ClassRun, moment: ClassMoment): string | null {
  const { row, before, updated } = moment;
  const x = row < 0 ? null : featuresOfRow(run, row);
  if (x === null) return null;
  const { classes, truth, strategy } = run;
  const own = truth[row]!;
  const scores = classScores(run, before, x);
  const example = `Example ${countText(row + 1)} is ${classes[own]}`;
  const read = (k: number) => `${classes[k]} ${numberText(scores[k]!)}`;
  if (strategy === 'kesler') {
    const other = bestOther(scores, own);
    const compared = `${read(own)}, best other ${read(other)}`;
    return updated
      ? `${example} (${compared}): w of ${classes[own]} grows by x, w of ${classes[other]} shrinks by x.`
      : `${example} (${compared}): nothing changes.`;
  }
  const moved = classes.flatMap((name, k) => {
    const y = k === own ? 1 : -1;
    return y * scores[k]! <= 0 ? [y > 0 ? `w of ${name} grows by x` : `w of ${name} shrinks by x`] : [];
  });
  return `${example}: ${updated && moved.length > 0 ? moved.join(', ') : 'nothing changes'}.`;
}
