import { countUpTo, type Recording, snapshot } from '../../engine/recording.ts';
import { axesInBox, titleMarks } from '../../picture/axes.ts';
import { cornersOf } from '../../picture/clip.ts';
import { arrowMark, classRole, exampleMark, lineMark, pathMark, symbolMark, textMark } from '../../picture/marks.ts';
import { numberText } from '../../picture/numbers.ts';
import type { Frame, Mark, Picture, Role, Spot } from '../../picture/picture.ts';
import { textWidth } from '../../picture/text-width.ts';
import { cacheOf } from '../cache.ts';
import { scoresOf, shownLabels } from '../scores.ts';
import type { Scene } from '../view.ts';
import { lossesFor, meanLoss, ownLoss } from './losses.ts';

/**
 * Half-widths of the margins' window. It holds nearly all margins of a run, and is the same for every moment, so that
 * nothing jumps.
 */
const windows = cacheOf<Recording, number>();
const mostNumbers = 6_000_000;

const marginWindow = (scene: Scene): number => windows(scene.recording, () => makeWindow(scene));

function makeWindow(scene: Scene): number {
  const { recording, examples } = scene;
  const snapshots = recording.changes.length + 1;
  const samples = Math.max(1, Math.min(24, snapshots, Math.floor(mostNumbers / Math.max(1, examples.vectors.length))));
  const sizes: number[] = [];
  for (let s = 1; s <= samples; s++) {
    const k = Math.round((s * (snapshots - 1)) / samples);
    for (const score of scoresOf(scene, snapshot(recording, recording.present, k))) sizes.push(Math.abs(score));
  }
  sizes.sort((a, b) => a - b);
  const far = Math.max(2, sizes[Math.floor(0.95 * (sizes.length - 1))] ?? 0);
  const unit = 10 ** Math.floor(Math.log10(far));
  return Math.ceil((far / unit) * 2) * (unit / 2);
}

/** Half-width of the window near the kinks, where the losses differ. */
const near = 4;

/**
 * Draws the losses over the margin of one example, and the drawn examples at their margins; those beyond the window
 * are counted.
 */
export function drawCurves(scene: Scene, frame: Frame, all: boolean): Picture {
  const { width, height, text } = frame;
  const { recording, moment, examples } = scene;
  const line = moment.present!;
  const scores = scoresOf(scene, line);
  const labels = shownLabels(examples);
  const far = all ? marginWindow(scene) : Math.min(near, marginWindow(scene));
  const row = text * 0.95;
  const box = { left: text * 3.4, right: width - text * 0.9, top: text * 0.9, bottom: height - text * 2.9 - 2 * row };
  const axes = axesInBox(box, text, { from: -far, to: far }, { from: 0, to: far + 1 });
  const { x, y } = axes;
  const own = ownLoss(recording);
  const shown = lossesFor(recording);
  const marks: Mark[] = [];
  // Ticks of the horizontal axis stand below the strip of examples.
  for (const mark of axes.marks)
    marks.push(
      mark.kind === 'text' && mark.baseline === 'top' ? { ...mark, at: [mark.at[0], mark.at[1] + 2 * row] } : mark,
    );
  marks.push(...strip(scene, { scores, labels, far, x, top: box.bottom, row, text }));
  for (const loss of shown) {
    const spots: Spot[] =
      loss.id === 'zero-one'
        ? [
            [x(-far), y(1)],
            [x(0), y(1)],
            [x(0), y(0)],
            [x(far), y(0)],
          ]
        : Array.from({ length: 161 }, (_, k): Spot => {
            const m = -far + (k * 2 * far) / 160;
            return [x(m), Math.max(box.top, y(loss.at(m)))];
          });
    marks.push(
      pathMark(spots, {
        stroke: loss.stroke,
        width: loss.id === own ? 3.5 : 2,
        ...(loss.dash === undefined ? {} : { dash: loss.dash }),
        id: `loss ${loss.id}`,
      }),
    );
  }
  marks.push(...example(scene, { x, y, far, box, text }));
  marks.push(
    ...key(
      shown.map((loss) => ({ ...loss, mean: meanLoss(loss, scores, labels, recording.tie), own: loss.id === own })),
      { right: box.right, top: box.top, text, count: scores.length },
    ),
  );
  marks.push(...titleMarks(box, frame, 'margin y·a of an example', 'loss'));
  return { width, height, marks };
}

type Across = (value: number) => number;

/** Draws the examples at their margins, positive ones above; those beyond the window are counted at its ends. */
function strip(
  { examples }: Scene,
  at: {
    readonly scores: Float64Array;
    readonly labels: Int8Array;
    readonly far: number;
    readonly x: Across;
    readonly top: number;
    readonly row: number;
    readonly text: number;
  },
): Mark[] {
  const { scores, labels, far, x, top, row, text } = at;
  const marks: Mark[] = [];
  const many = scores.length > 300;
  for (const label of [1, -1] as const) {
    const middle = top + row * (label > 0 ? 0.55 : 1.5);
    let [left, right] = [0, 0];
    for (let k = 0; k < scores.length; k++) {
      if (labels[k] !== label) continue;
      const margin = label * scores[k]!;
      if (margin < -far) left++;
      else if (margin > far) right++;
      else
        marks.push(
          exampleMark(label, [x(margin), middle], text * (many ? 0.45 : 0.6), {
            opacity: many ? 0.35 : 0.75,
            id: `example ${examples.shown[k]!}`,
          }),
        );
    }
    const fill = classRole(label);
    if (left > 0) marks.push(...beyond(`‹ ${left}`, 'start', [x(-far), middle], { text, fill }));
    if (right > 0) marks.push(...beyond(`${right} ›`, 'end', [x(far), middle], { text, fill }));
  }
  return marks;
}

/** Writes the number of examples beyond an end of the strip, on a patch of paper. */
function beyond(
  count: string,
  anchor: 'start' | 'end',
  at: Spot,
  { text, fill }: { readonly text: number; readonly fill: Role },
): Mark[] {
  const size = text * 0.78;
  const wide = (anchor === 'start' ? 1 : -1) * (textWidth(count, size) + text * 0.3);
  const high = text * 0.42;
  const ground = cornersOf({ left: at[0], right: at[0] + wide, top: at[1] - high, bottom: at[1] + high });
  return [pathMark(ground, { closed: true, fill: 'paper' }), textMark(at, count, size, { anchor, fill })];
}

/** Draws the example just shown: its loss before and after, on the run's own loss, or on the perceptron's. */
function example(
  scene: Scene,
  at: {
    readonly x: Across;
    readonly y: Across;
    readonly far: number;
    readonly box: { readonly top: number; readonly bottom: number };
    readonly text: number;
  },
): Mark[] {
  const margins = shownMargins(scene);
  if (margins === null) return [];
  const { x, y, far, box, text } = at;
  const id = ownLoss(scene.recording) ?? 'perceptron';
  const loss = lossesFor(scene.recording).find((each) => each.id === id)!;
  const spot = (margin: number): Spot => {
    const inside = Math.max(-far, Math.min(far, margin));
    return [x(inside), Math.max(box.top, y(loss.at(inside)))];
  };
  const [before, after] = [spot(margins.before), spot(margins.after)];
  const marks: Mark[] = [
    lineMark([after[0], after[1]], [after[0], box.bottom], { stroke: 'ink', width: 1, dash: [3, 3], opacity: 0.7 }),
  ];
  if (Math.hypot(after[0] - before[0], after[1] - before[1]) > 3)
    marks.push(
      symbolMark('ring', before, text * 0.75, { stroke: 'update', width: 2, id: 'shown before' }),
      arrowMark(before, after, { stroke: 'update', width: 2, id: 'shown moves' }),
    );
  marks.push(
    exampleMark(scene.examples.labels[scene.moment.row]!, after, text * 0.85, {
      fill: scene.moment.updated ? 'update' : 'ink',
      stroke: 'paper',
      width: 1.5,
      id: 'shown',
    }),
  );
  return marks;
}

/**
 * Returns the margins y·a of the example just shown, before and after. Null at the start, and where it is not drawn.
 */
export function shownMargins(scene: Scene): { readonly before: number; readonly after: number } | null {
  const { moment, examples } = scene;
  if (moment.row < 0 || moment.present === null || moment.before === null) return null;
  const k = countUpTo(examples.shown, moment.row) - 1;
  if (examples.shown[k] !== moment.row) return null;
  const label = examples.labels[moment.row]!;
  return { before: label * scoresOf(scene, moment.before)[k]!, after: label * scoresOf(scene, moment.present)[k]! };
}

/** Draws the names of the losses and their means over the drawn examples, in the corner without curves. */
function key(
  entries: readonly {
    readonly id: string;
    readonly title: string;
    readonly mean: number;
    readonly own: boolean;
    readonly stroke: Mark['stroke'];
    readonly dash?: readonly number[];
  }[],
  at: { readonly right: number; readonly top: number; readonly text: number; readonly count: number },
): Mark[] {
  const { right, top, text, count } = at;
  const small = text * 0.88;
  const left = right - text * 12.8;
  const pitch = text * 1.35;
  const marks: Mark[] = [
    textMark([right, top + pitch * 0.5], `mean of ${count.toLocaleString('en')}`, small, {
      anchor: 'end',
      fill: 'muted',
      stroke: 'paper',
      width: 3,
    }),
  ];
  entries.forEach(({ id, title, mean, own, stroke, dash }, k) => {
    const middle = top + pitch * (k + 1.5);
    marks.push(
      lineMark([left, middle], [left + text * 2, middle], {
        ...(stroke === undefined ? {} : { stroke }),
        width: own ? 3.5 : 2,
        ...(dash === undefined ? {} : { dash }),
      }),
      textMark([left + text * 2.5, middle], title, small, {
        weight: own ? 'bold' : 'normal',
        stroke: 'paper',
        width: 3,
      }),
      textMark([right, middle], numberText(mean), small, {
        anchor: 'end',
        weight: own ? 'bold' : 'normal',
        stroke: 'paper',
        width: 3,
        id: `mean ${id}`,
      }),
    );
  });
  return marks;
}
