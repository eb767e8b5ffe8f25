import { type Axis, axesInBox, rangeOf, titleMarks } from '../../picture/axes.ts';
import { type Box, inPixels, lineInBox } from '../../picture/clip.ts';
import { arrowMark, exampleMark, halfPlaneMarks, lineMark, symbolMark, textMark } from '../../picture/marks.ts';
import { numberText } from '../../picture/numbers.ts';
import type { Frame, Mark, Picture, Spot } from '../../picture/picture.ts';
import { textWidth } from '../../picture/text-width.ts';
import type { Scene, View } from '../view.ts';
import { heightTitle } from './height.ts';
import { drawSpaceLift } from './space.ts';
import { turnHandle } from './turn-handle.ts';

/** Returns the point where the score of a single feature is 0; null: there is none. */
function separatingPoint({ moment, recording }: Pick<Scene, 'moment' | 'recording'>): number | null {
  const { weights, bias } = moment.present!;
  const w = weights[0]! / recording.divisor;
  return w === 0 ? null : (-bias * recording.biasConstant) / w;
}

const shortText = (value: number) => String(Number(value.toPrecision(3))).replace('-', '−');

/**
 * Draws points on a line, lifted to the height of the constant, and the line through the origin that separates them.
 */
function drawLineLift(scene: Scene, { width, height, text }: Frame): Picture {
  const { examples, recording, moment } = scene;
  const constant = recording.biasConstant;
  const values = examples.vectors;
  const [from, to] = rangeOf([0, ...values], 0.12);
  const box = { left: text * 3.4, right: width - text * 0.9, top: text * 0.9, bottom: height - text * 2.9 };
  const [low, high] = [-0.4 * constant, 1.6 * constant];
  const upwards: Axis = { from: Math.min(low, high), to: Math.max(low, high), ticks: [0, constant], format: shortText };
  const axes = axesInBox(box, text, { from, to }, upwards);
  const { x, y } = axes;
  const marks: Mark[] = [];
  const { weights, bias } = moment.present!;
  const w = weights[0]! / recording.divisor;
  const [a, b, c] = inPixels(axes, [w, bias, 0]);
  const there = a !== 0 || b !== 0;
  if (there)
    marks.push(
      ...halfPlaneMarks(box, [a, b, c], { fill: 'positive-region' }),
      ...halfPlaneMarks(box, [-a, -b, -c], { fill: 'negative-region' }),
    );
  marks.push(...axes.marks);
  marks.push(lineMark([box.left, y(constant)], [box.right, y(constant)], { stroke: 'muted', width: 1.5 }));
  const ends = there ? lineInBox(a, b, c, box) : null;
  if (ends !== null) marks.push(lineMark(ends[0], ends[1], { stroke: 'line', width: 2.5, id: 'lifted' }));
  const many = examples.shown.length > 200;
  examples.shown.forEach((row, k) => {
    const at: Spot = [x(values[k]!), y(constant)];
    const label = examples.labels[row]!;
    if (!many) marks.push(lineMark([at[0], y(0)], at, { stroke: 'muted', width: 1, opacity: 0.35 }));
    marks.push(
      exampleMark(label, [at[0], y(0)], text * 0.45, { opacity: 0.55 }),
      exampleMark(label, at, text * 0.85, { stroke: 'paper', width: 1.5, id: `example ${row}` }),
    );
    if (row === moment.row)
      marks.push(
        symbolMark('ring', at, text * 1.5, { stroke: moment.updated ? 'update' : 'ink', width: 2, id: 'shown' }),
      );
  });
  marks.push(symbolMark('ring', [x(0), y(0)], text * 0.6, { stroke: 'line', width: 2 }));
  const point = separatingPoint(scene);
  if (point !== null && point >= from && point <= to) {
    const label = `−b/w = ${numberText(point)}`;
    // The label stands on the side of the line that has room.
    const room = textWidth(label, text * 0.9) + text;
    const left = point >= 0 ? x(point) - room > box.left : x(point) + room > box.right;
    const anchor = left ? 'end' : 'start';
    marks.push(
      lineMark([x(point), y(constant)], [x(point), y(0)], { stroke: 'line', width: 1.5, dash: [4, 3] }),
      symbolMark('cross', [x(point), y(0)], text * 0.8, { stroke: 'line', width: 2.5, id: 'separating point' }),
      textMark([x(point) + text * (anchor === 'end' ? -0.6 : 0.6), y(constant) - text * 1.3], label, text * 0.9, {
        anchor,
        stroke: 'paper',
        width: 3,
        id: 'separating value',
      }),
    );
  }
  if (there) marks.push(...normal([x(0), y(0)], [a, b], { text, box }));
  const scale = Math.abs((y(1) - y(0)) / (x(1) - x(0)));
  marks.push(...titleMarks(box, { height, text }, examples.featureNames[0] ?? '', heightTitle('the constant', scale)));
  return { width, height, marks };
}

/** Draws an arrow at right angles to the drawn line, towards the positive class. */
function normal(
  from: Spot,
  [a, c]: readonly [number, number],
  { text, box }: { readonly text: number; readonly box: Box },
): Mark[] {
  const size = (text * 4) / Math.hypot(a, c);
  const to: Spot = [from[0] + a * size, from[1] + c * size];
  const at: Spot = [
    Math.max(box.left + text * 1.5, Math.min(box.right - text * 1.5, to[0] + Math.sign(a) * text * 1.6)),
    Math.max(box.top + text, Math.min(box.bottom - text, to[1] + Math.sign(c) * text * 0.4)),
  ];
  return [
    arrowMark(from, to, { stroke: 'line', width: 2.5, id: 'normal' }),
    textMark(at, '(w, b)', text * 0.9, { anchor: 'middle', stroke: 'paper', width: 3 }),
  ];
}

/** Shows the bias as the weight of one more feature, the constant: a line off the origin becomes a plane through it. */
export const lift: View = {
  id: 'lift',
  title: 'Lift',
  question: 'What does the bias do?',
  missing({ moment, recording, examples }) {
    if (moment.present === null)
      return recording.model.kind === 'tree'
        ? 'A tree has no bias: it asks about one column at a time. Choose a rule that learns a line, such as perceptron.'
        : 'This rule keeps examples instead of weights and a bias. Choose a rule that learns a line, such as perceptron.';
    if (examples.dimension === 0)
      return 'No column of these data varies, so there is nothing to lift. Add an example at another place.';
    if (recording.biasConstant === 0)
      return 'This rule has no bias, so its line goes through the origin as it is. Choose a rule with a bias, such as perceptron.';
    return null;
  },
  draw: (scene, frame) => (scene.examples.dimension === 1 ? drawLineLift(scene, frame) : drawSpaceLift(scene, frame)),
  describe(scene) {
    const { examples, moment, recording, look } = scene;
    const { weights, bias } = moment.present!;
    const constant = String(recording.biasConstant);
    if (examples.dimension === 1) {
      const point = separatingPoint(scene);
      return `Each example x stands at (x, ${constant}). ${
        point === null
          ? 'The weight is 0, so no point separates the classes.'
          : `The separating point ${numberText(point)} has become a line through the origin, at right angles to (w, b) = (${numberText(weights[0]!)}, ${numberText(bias)}).`
      }`;
    }
    const { yaw, pitch } = look.turn;
    const others = examples.dimension > 2 ? ' All other features are at their means, which count with the bias.' : '';
    return `The examples stand at the height ${constant} of one more feature, the constant. The boundary is where a plane through the origin meets that height; the plane's normal is (w, b), with the bias ${numberText(bias)}.${others} Seen turned by ${Math.round(yaw)}°, from ${Math.round(pitch)}° above.`;
  },
  handle: ({ examples, look }) => (examples.dimension === 1 ? null : turnHandle(look)),
};
