import { type PixelGrid, pixelGrid } from '../../data/pixels.ts';
import type { ClassRun } from '../../engine/class-recording.ts';
import { companionKey } from '../../engine/companion.ts';
import { type Examples, shownAt, vectorAt } from '../../engine/examples.ts';
import { scoreOf } from '../../engine/recording.ts';
import { textMark } from '../../picture/marks.ts';
import { numberText } from '../../picture/numbers.ts';
import type { Frame, Mark, Picture } from '../../picture/picture.ts';
import { fitText } from '../../picture/text-width.ts';
import { remember } from '../cache.ts';
import { classMomentAt, classScores, winner } from '../classes/moment.ts';
import { isMeasured } from '../plane/ground.ts';
import type { Look, Scene, View } from '../view.ts';
import { inkMarks, weightMarks } from './images.ts';

/** The pixels of a table of images, and the largest value of a pixel. */
interface ImageTable extends PixelGrid {
  readonly most: number;
}

/** Returns the image table of examples; null: their features are no pixels. */
export const imagesOf = remember((examples: Examples): ImageTable | null => {
  const grid = pixelGrid(examples.featureNames);
  if (grid === null) return null;
  let most = 0;
  for (let k = 0; k < examples.vectors.length; k++)
    most = Math.max(most, rawValue(examples, k % examples.dimension, examples.vectors[k]!));
  return most > 0 ? { ...grid, most } : null;
});

/** Returns the value of a feature's column, from its encoding. */
function rawValue({ encoding }: Examples, feature: number, encoded: number): number {
  const column = encoding.columns[feature]!;
  return encoding.scale === 'standard' && isMeasured(column) ? encoded * column.deviation + column.mean : encoded;
}

/** Returns the ink of an example's pixels, in [0, 1]. */
export function inkOf(examples: Examples, table: ImageTable, x: Float64Array): Float64Array {
  const ink = new Float64Array(table.columns * table.columns);
  x.forEach((value, j) => {
    ink[table.pixels[j]!] = Math.min(1, Math.max(0, rawValue(examples, j, value) / table.most));
  });
  return ink;
}

/** Returns the features of ink, as the run encodes them. */
export function featuresOfInk(examples: Examples, table: ImageTable, ink: ArrayLike<number>): Float64Array {
  const { encoding } = examples;
  return Float64Array.from(table.pixels, (pixel, j) => {
    const value = (ink[pixel] ?? 0) * table.most;
    const column = encoding.columns[j]!;
    return encoding.scale === 'standard' && isMeasured(column) ? (value - column.mean) / column.deviation : value;
  });
}

/** Returns weights in the places of their pixels. */
function weightImage(table: ImageTable, weights: ArrayLike<number>): Float64Array {
  const image = new Float64Array(table.columns * table.columns);
  table.pixels.forEach((pixel, j) => {
    image[pixel] = weights[j]!;
  });
  return image;
}

const requestOf = (scene: Scene) => ({ kind: 'classes', algorithm: scene.algorithm, strategy: 'kesler' }) as const;

/** Returns the run on all classes; null: it is not known yet, or there are two classes only. */
function classRun(scene: Scene): ClassRun | null {
  return (scene.companions?.[companionKey(requestOf(scene))] ?? null) as ClassRun | null;
}

/** The image that is asked about: the user's drawing, or else the selected or shown example. */
interface Asked {
  readonly name: string;
  readonly ink: ArrayLike<number>;
  readonly x: Float64Array;
}

function askedOf(scene: Scene, table: ImageTable): Asked {
  const { examples, look, moment, selected, recording } = scene;
  if (look.drawing !== undefined)
    return { name: 'your drawing', ink: look.drawing, x: featuresOfInk(examples, table, look.drawing) };
  const row = selected ?? (moment.row < 0 ? (recording.rows[0] ?? 0) : moment.row);
  const position = Math.max(0, shownAt(examples, row));
  const x = vectorAt(examples, position);
  return { name: `example ${examples.shown[position]! + 1}`, ink: inkOf(examples, table, x), x };
}

/** Returns the score and class of the shown run; null: it has no weights. */
function answerOf({ moment, recording, examples }: Scene, x: Float64Array): { score: number; name: string } | null {
  if (moment.answer === null) return null;
  const score = scoreOf(moment.answer, x, recording);
  const positive = score > 0 || (score === 0 && recording.tie > 0);
  return { score, name: examples.classes[positive ? 1 : 0] };
}

/** Shows weights of pixels as images, and what they make of a drawing. */
export const digits: View = {
  id: 'digits',
  title: 'Digits',
  question: 'What does it look for?',
  missing(scene) {
    if (imagesOf(scene.examples) === null)
      return 'The columns of these data are no pixels. Open images, such as the written digits.';
    return scene.moment.present === null
      ? 'This rule has no weights to show as images. Choose a rule that learns a line, such as perceptron.'
      : null;
  },
  offer: (scene) => (imagesOf(scene.examples) === null ? { title: 'Written digits', preset: 'digits' } : null),
  offers: (scene) =>
    scene.look.drawing === undefined ? [] : [{ title: 'Clear the drawing', look: withoutDrawing(scene.look) }],
  companion: (scene) =>
    imagesOf(scene.examples) !== null && scene.examples.encoding.label.classes.length > 2 ? requestOf(scene) : null,
  pad(scene, frame) {
    const table = imagesOf(scene.examples);
    if (table === null) return null;
    const { pad } = layoutOf(scene, frame);
    return {
      label: 'Draw a digit: arrow keys move the pen, space draws, Delete clears',
      ...pad,
      pixels: table.columns,
      stroke: (look, from, to) => withStroke(look, table.columns, from, to),
      clear: withoutDrawing,
    };
  },
  draw: (scene, frame) => drawImages(scene, imagesOf(scene.examples)!, frame),
  describe(scene) {
    const table = imagesOf(scene.examples)!;
    const asked = askedOf(scene, table);
    const answer = answerOf(scene, asked.x)!;
    const run = classRun(scene);
    const all = run === null ? '' : ` ${allText(scene, run, asked.x)}.`;
    return `The pixels of ${asked.name}, and the weights of ${scene.examples.classes[1]} against the rest as an image: the score is ${numberText(answer.score)}, so it is taken for ${answer.name}.${all}`;
  },
};

function allText(scene: Scene, run: ClassRun, x: Float64Array): string {
  const { present } = classMomentAt(run, scene.step ?? scene.moment.step);
  return `Of all ${run.classes.length} classes ${run.classes[winner(classScores(run, present, x))]} has the highest score`;
}

/** The places of the two large images, and of the small ones of all classes. */
function layoutOf(scene: Scene, { width, height, text }: Frame) {
  const count = scene.examples.encoding.label.classes.length;
  const small = count > 2 ? count : 0;
  const perRow = small === 0 ? 1 : width / small >= text * 2.1 ? small : Math.ceil(small / 2);
  const rows = small === 0 ? 0 : Math.ceil(small / perRow);
  const gap = text * 0.5;
  const side = Math.min((width - gap) / perRow - gap, text * 6);
  const strip = rows * (side + text * 2.3);
  const top = text * 3.2;
  const large = Math.max(text * 3, Math.min((width - gap * 6) / 2, height - top - strip - text * 1.8));
  const left = (width - 2 * large - gap * 4) / 2;
  return {
    pad: { left, top, side: large },
    weights: { left: left + large + gap * 4, top, side: large },
    small: { top: top + large + text * 2, side, gap, perRow },
  };
}

function drawImages(scene: Scene, table: ImageTable, frame: Frame): Picture {
  const { width, height, text } = frame;
  const { pad, weights, small } = layoutOf(scene, frame);
  const pixels = table.columns;
  const asked = askedOf(scene, table);
  const answer = answerOf(scene, asked.x)!;
  const { classes } = scene.examples;
  const run = classRun(scene);
  const line = (words: string, y: number, bold: boolean) =>
    textMark([text * 0.6, y], fitText(words, text, width - text), text, bold ? { weight: 'bold' } : { fill: 'muted' });
  const marks: Mark[] = [
    line(`Score ${numberText(answer.score)}: taken for ${answer.name}`, text * 0.9, true),
    line(run === null ? 'Draw a digit over the left image.' : `${allText(scene, run, asked.x)}.`, text * 2.2, false),
    ...inkMarks({ ...pad, pixels, id: 'pad' }, asked.ink),
    ...weightMarks({ ...weights, pixels, id: 'weights' }, weightImage(table, scene.moment.answer!.weights)),
    caption(asked.name, pad),
    caption(`w of ${classes[1]} against the rest`, weights),
  ];
  if (run !== null) marks.push(...smallImages(scene, run, table, asked.x, frame, small));
  return { width, height, marks };

  function caption(words: string, { left, top, side }: { left: number; top: number; side: number }): Mark {
    const style = { anchor: 'middle', fill: 'muted' } as const;
    return textMark([left + side / 2, top + side + text * 0.8], fitText(words, text * 0.85, side), text * 0.85, style);
  }
}

/** Draws the weights of each class with its score; the highest one is framed. */
function smallImages(
  scene: Scene,
  run: ClassRun,
  table: ImageTable,
  x: Float64Array,
  { width, text }: Frame,
  {
    top,
    side,
    gap,
    perRow,
  }: { readonly top: number; readonly side: number; readonly gap: number; readonly perRow: number },
): Mark[] {
  const { present } = classMomentAt(run, scene.step ?? scene.moment.step);
  const scores = classScores(run, present, x);
  const best = winner(scores);
  const from = (width - perRow * (side + gap) + gap) / 2;
  return run.classes.flatMap((name, k) => {
    const left = from + (k % perRow) * (side + gap);
    const y = top + Math.floor(k / perRow) * (side + text * 2.3);
    const first = k * (run.dimension + 1) + 1;
    const weights = weightImage(table, present.subarray(first, first + run.dimension));
    const image = { left, top: y, side, pixels: table.columns, id: `weights ${name}` };
    const style = { anchor: 'middle', fill: k === best ? 'ink' : 'muted' } as const;
    const frame: Mark[] =
      k === best
        ? [
            {
              kind: 'path',
              spots: [
                [left - 2, y - 2],
                [left + side + 2, y - 2],
                [left + side + 2, y + side + 2],
                [left - 2, y + side + 2],
              ],
              closed: true,
              stroke: 'selection',
              width: 3,
              id: 'best',
            },
          ]
        : [];
    return [
      ...weightMarks(image, weights),
      ...frame,
      textMark([left + side / 2, y + side + text * 0.7], name, text * 0.85, {
        ...style,
        weight: k === best ? 'bold' : 'normal',
      }),
      ...(side < text * 2.2
        ? []
        : [textMark([left + side / 2, y + side + text * 1.6], numberText(scores[k]!, 2), text * 0.7, style)]),
    ];
  });
}

/** Half the width of a stroke and its soft edge, in pixels of the image. */
const [core, edge] = [0.35, 1];

/** Returns a drawing with one more stroke between two places, in shares of the side. */
function withStroke(look: Look, pixels: number, from: readonly [number, number], to: readonly [number, number]): Look {
  const old = look.drawing ?? [];
  const [ax, ay, bx, by] = [from[0] * pixels, from[1] * pixels, to[0] * pixels, to[1] * pixels];
  const length = (bx - ax) ** 2 + (by - ay) ** 2;
  const drawing = Array.from({ length: pixels * pixels }, (_, k) => {
    const [x, y] = [(k % pixels) + 0.5, Math.floor(k / pixels) + 0.5];
    const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length));
    const distance = Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay));
    const ink = Math.min(1, Math.max(0, (core + edge - distance) / edge));
    return Math.round(100 * Math.max(old[k] ?? 0, ink)) / 100;
  });
  return { ...look, drawing };
}

function withoutDrawing({ drawing: _, ...look }: Look): Look {
  return look;
}
