import { countUpTo, type Recording, snapshot } from '../../engine/recording.ts';
import { type Axis, axesInBox } from '../../picture/axes.ts';
import { pathMark, symbolMark, textMark } from '../../picture/marks.ts';
import { numberText } from '../../picture/numbers.ts';
import type { Frame, Mark, Picture, Spot } from '../../picture/picture.ts';
import { fitText } from '../../picture/text-width.ts';
import { cacheOf } from '../cache.ts';
import { scoresOf, shownLabels } from '../scores.ts';
import type { Scene } from '../view.ts';
import { type LossId, lossesFor, meanLoss, ownLoss } from './losses.ts';

/** The line through the weights before and after a change, and the mean losses along it. */
interface Slice {
  /** The step of the change, from 1. */
  readonly step: number;
  /** Position along the line: 0 before the change, 1 after it. */
  readonly t: Float64Array;
  readonly means: ReadonlyMap<LossId, Float64Array>;
  readonly before: ReadonlyMap<LossId, number>;
  readonly after: ReadonlyMap<LossId, number>;
}

const [from, to] = [-1, 2];
/** Number of samples: 3k + 1, so that 0 and 1 are among them. */
const samplesFor = (examples: number) => (examples > 500 ? 49 : 145);
const cached = cacheOf<Recording, Slice>(4);

/**
 * Returns the slice of the last update at the moment, or of the first update where there was none yet; null: the run
 * has no update.
 */
export function sliceOf(scene: Scene): Slice | null {
  const { recording, moment } = scene;
  const { updates, changes } = recording;
  if (updates.length === 0 || changes.length === 0) return null;
  const step = updates[Math.max(0, moment.updates - 1)]!;
  // Long runs do not keep every change; then the slice is that between the two nearest snapshots.
  const after = Math.max(1, countUpTo(changes, step));
  const before = Math.min(after - 1, countUpTo(changes, step - 1));
  return cached(recording, () => makeSlice(scene, before, after), String(after));
}

/** The slice between two snapshots. */
function makeSlice(scene: Scene, before: number, after: number): Slice {
  const { recording, examples } = scene;
  const start = scoresOf(scene, snapshot(recording, recording.present, before));
  const end = scoresOf(scene, snapshot(recording, recording.present, after));
  const labels = shownLabels(examples);
  const samples = samplesFor(start.length);
  const t = Float64Array.from({ length: samples }, (_, k) => from + ((to - from) * k) / (samples - 1));
  const scores = new Float64Array(start.length);
  const shown = lossesFor(recording);
  const means = new Map(shown.map(({ id }) => [id, new Float64Array(samples)]));
  t.forEach((share, k) => {
    for (let i = 0; i < scores.length; i++) scores[i] = start[i]! + share * (end[i]! - start[i]!);
    for (const loss of shown) means.get(loss.id)![k] = meanLoss(loss, scores, labels, recording.tie);
  });
  const at = (moment: Float64Array) =>
    new Map(shown.map((loss) => [loss.id, meanLoss(loss, moment, labels, recording.tie)]));
  return { step: recording.changes[after - 1]!, t, means, before: at(start), after: at(end) };
}

/** Draws a panel for each loss, each with its own scale: the shape counts, not the height. */
export function drawSlice(scene: Scene, { width, height, text }: Frame): Picture {
  const marks: Mark[] = [];
  const slice = sliceOf(scene)!;
  const shown = lossesFor(scene.recording);
  const own = ownLoss(scene.recording);
  const columns = width < text * 22 ? 1 : shown.length > 4 && width > text * 46 ? 3 : 2;
  const rows = Math.ceil(shown.length / columns);
  const bottom = height - text * 1.9;
  const [wide, high] = [width / columns, bottom / rows];
  const narrow = wide < text * 17;
  shown.forEach((loss, k) => {
    const [c, r] = [k % columns, Math.floor(k / columns)];
    const means = slice.means.get(loss.id)!;
    const [least, most] = [Math.min(...means), Math.max(...means)];
    const room = most === least ? 0.5 : (most - least) * 0.12;
    const box = {
      left: c * wide + text * 3.3,
      right: (c + 1) * wide - text * 0.9,
      top: r * high + text * (narrow ? 3.1 : 1.75),
      bottom: (r + 1) * high - text * 1.55,
    };
    const across: Axis = { from, to, ticks: [0, 1], format: (tick) => (tick === 0 ? 'before' : 'after') };
    const axes = axesInBox(box, text, across, { from: Math.max(0, least - room), to: most + room });
    const { x, y } = axes;
    const spot = (at: number, value: number): Spot => [x(at), y(value)];
    const [before, after] = [slice.before.get(loss.id)!, slice.after.get(loss.id)!];
    const spots = Array.from(slice.t, (at, i) => spot(at, means[i]!));
    marks.push(
      ...axes.marks.map((mark) => apart(mark, x(1) - x(0), text)),
      pathMark(loss.id === 'zero-one' ? stepped(spots) : spots, {
        stroke: loss.stroke,
        width: loss.id === own ? 3 : 2,
        ...(loss.dash === undefined ? {} : { dash: loss.dash }),
        id: `slice ${loss.id}`,
      }),
    );
    marks.push(
      symbolMark('ring', spot(0, before), text * 0.7, { stroke: 'update', width: 2, id: `before ${loss.id}` }),
      symbolMark('disc', spot(1, after), text * 0.75, {
        fill: 'update',
        stroke: 'paper',
        width: 1,
        id: `after ${loss.id}`,
      }),
      ...title(loss.title, `${numberText(before)} → ${numberText(after)}`, {
        at: [box.left - (narrow ? text * 1.5 : 0), box.top - text * (narrow ? 1.05 : 0.75)],
        text,
        narrow,
        bold: loss.id === own,
      }),
    );
  });
  marks.push(
    textMark(
      [width / 2, height - text * 0.3],
      fitText(`on the line through the update at step ${slice.step}`, text, width - text),
      text,
      { anchor: 'middle', baseline: 'bottom', fill: 'muted' },
    ),
  );
  return { width, height, marks };
}

/** Writes the name of a loss and its values before and after, on two lines where one is too narrow. */
function title(
  name: string,
  numbers: string,
  {
    at: [x, y],
    text,
    narrow,
    bold,
  }: { readonly at: Spot; readonly text: number; readonly narrow: boolean; readonly bold: boolean },
): Mark[] {
  const size = text * 0.92;
  const weight = bold ? 'bold' : 'normal';
  if (!narrow) return [textMark([x, y], `${name}  ${numbers}`, size, { weight })];
  return [
    textMark([x, y - text * 1.05], name, size, { weight }),
    textMark([x, y], numbers, size, { weight, fill: 'muted' }),
  ];
}

/** Moves the ticks “before” and “after” apart where they are close. */
function apart(mark: Mark, between: number, text: number): Mark {
  if (mark.kind !== 'text' || between > text * 4) return mark;
  const [x, y] = mark.at;
  if (mark.text === 'before') return { ...mark, at: [x + text * 0.9, y], anchor: 'end' };
  if (mark.text === 'after') return { ...mark, at: [x - text * 0.4, y], anchor: 'start' };
  return mark;
}

/** Makes steps of slopes, because the 0–1 loss has steps. */
function stepped(spots: readonly Spot[]): Spot[] {
  return spots.flatMap((spot, k): Spot[] => {
    if (k === 0) return [spot];
    const middle = (spots[k - 1]![0] + spot[0]) / 2;
    return [[middle, spots[k - 1]![1]], [middle, spot[1]], ...(k === spots.length - 1 ? [spot] : [])];
  });
}
