import type { LearningPoint } from '../../engine/engine.ts';
import { countUpTo, type Recording } from '../../engine/recording.ts';
import { type Axis, axesInBox } from '../../picture/axes.ts';
import { type Box, cornersOf } from '../../picture/clip.ts';
import { lineMark, pathMark, symbolMark, textMark } from '../../picture/marks.ts';
import type { Frame, Mark, Picture, Spot } from '../../picture/picture.ts';
import { amountText, percentText } from '../../picture/shares.ts';
import { fitText, textWidth } from '../../picture/text-width.ts';
import type { Scene, View } from '../view.ts';

/** The steps of a run measured in passes. */
export interface Course {
  /** Number of passes begun. */
  readonly passes: number;
  /** Number of updates in each pass. */
  readonly mistakes: readonly number[];
  /** Returns the number of passes after a step; a whole number at the end of a pass. */
  readonly passOf: (step: number) => number;
}

export function courseOf({ passes, steps, updates }: Recording): Course {
  const begins = [...passes];
  // A last pass that was cut short counts as long as the one before.
  const ends = begins.map(
    (_, p) => begins[p + 1] ?? Math.max(steps, begins[p]! + begins[p]! - (begins[p - 1] ?? begins[p]!)),
  );
  return {
    passes: begins.length,
    mistakes: begins.map((begin, p) => countUpTo(updates, Math.min(ends[p]!, steps)) - countUpTo(updates, begin)),
    passOf: (step) => {
      if (step <= 0) return 0;
      const p = countUpTo(passes, step - 1) - 1;
      return p + (step - begins[p]!) / Math.max(1, ends[p]! - begins[p]!);
    },
  };
}

/** Returns the first point of the highest held-out accuracy; null: no examples are held out. */
export function bestHeldOut(curve: readonly LearningPoint[]): LearningPoint | null {
  let best: LearningPoint | null = null;
  for (const point of curve)
    if (point.holdout !== null && (best === null || point.holdout > best.holdout!)) best = point;
  return best;
}

/** Returns the last point of a curve up to a step. */
export function pointAt(curve: readonly LearningPoint[], step: number): LearningPoint | null {
  let last: LearningPoint | null = null;
  for (const point of curve) if (point.step <= step) last = point;
  return last;
}

/** Writes that the moment underfits, overfits, or neither; null: no examples are held out. */
export function fitAt(curve: readonly LearningPoint[], step: number): string | null {
  const [best, here] = [bestHeldOut(curve), pointAt(curve, step)];
  if (best === null || here === null || here.holdout === null) return null;
  if (here.holdout >= best.holdout!) return 'No other moment is better on the held-out examples.';
  if (step < best.step)
    return 'Underfitting: more steps still make it better on examples that it has not learned from.';
  const bestTrain = best.train;
  return here.train > bestTrain
    ? 'Overfitting: after its best step it got better on the examples that it learns from, and worse on the others.'
    : 'Past its best on the held-out examples: stopping earlier would have been better.';
}

const heldOutShare = 0.25;

/** Shows the accuracy on training and held-out examples, and the updates per pass, over the run. */
export const learning: View = {
  id: 'learning',
  title: 'Learning curve',
  question: 'When to stop?',
  needs: 'curve',
  missing({ recording }) {
    if (recording.passes.length === 0)
      return 'A tree is grown at once, not in passes, so there is no moment to stop at. Choose a rule that learns one example at a time, such as perceptron.';
    return null;
  },
  draw: drawLearning,
  describe(scene) {
    const { recording, moment, curve } = scene;
    const { mistakes } = courseOf(recording);
    const sentences = [
      `${amountText(mistakes.length, 'pass', 'passes')} with ${mistakes.slice(0, 12).join(', ')}${mistakes.length > 12 ? ' …' : ''} updates.`,
    ];
    if (curve === null) sentences.push('Accuracies are being computed.');
    else {
      const [here, best] = [pointAt(curve, moment.step), bestHeldOut(curve)];
      if (here !== null)
        sentences.push(
          `After ${amountText(here.step, 'example')}, ${percentText(here.train)} of the training examples are right${here.holdout === null ? '' : `, ${percentText(here.holdout)} of the held-out ones`}.`,
        );
      if (best !== null)
        sentences.push(
          `Best on held-out examples: ${percentText(best.holdout!)} after ${amountText(best.step, 'example')}.`,
        );
      else sentences.push('Nothing is held out: hold out some examples to see when to stop.');
      const fit = fitAt(curve, moment.step);
      if (fit !== null) sentences.push(fit);
    }
    return sentences.join(' ');
  },
  offer({ algorithm, recording }) {
    return algorithm.holdout > 0 || recording.passes.length === 0
      ? null
      : { title: 'Hold out a quarter', algorithm: { ...algorithm, holdout: heldOutShare } };
  },
};

function drawLearning(scene: Scene, { width, height, text }: Frame): Picture {
  const { recording, moment } = scene;
  const course = courseOf(recording);
  const marks: Mark[] = [];
  const [left, right] = [text * 3.8, width - text * 1.6];
  const bottom = height - text * 2.9;
  const gap = text * 2.1;
  const names = flow(namesOf(scene, course), { width, height, text });
  const top = names.height + text * (names.marks.length > 0 ? 0.7 : 1.5);
  const split = top + (bottom - top - gap) * 0.62;
  const along = axisOf(course);
  const now = course.passOf(moment.step);
  marks.push(...names.marks, ...accuracies(scene, course, along, { left, right, top, bottom: split }, text));
  const most = Math.max(1, ...course.mistakes);
  const panel = axesInBox(
    { left, right, top: split + gap, bottom },
    text,
    { ...along.axis, grid: false },
    { from: 0, to: most * 1.08, whole: true },
  );
  marks.push(...panel.marks, ...bars(course, { x: (pass) => panel.x(along.at(pass)), y: panel.y }, now));
  marks.push(
    heading(
      `updates in each pass, ${recording.updates.length.toLocaleString('en')} in all`,
      [left, split + gap - text * 0.75],
      text,
      right - left,
    ),
  );
  marks.push(
    lineMark([panel.x(along.at(now)), top], [panel.x(along.at(now)), bottom], {
      stroke: 'ink',
      width: 1.5,
      dash: [3, 3],
      id: 'now',
    }),
  );
  marks.push(
    textMark(
      [(left + right) / 2, height - text * 0.3],
      along.logarithmic ? 'passes, on a logarithmic scale' : 'passes over the data',
      text,
      { anchor: 'middle', baseline: 'bottom', fill: 'muted' },
    ),
  );
  return { width, height, marks };
}

function heading(words: string, at: Spot, text: number, width: number): Mark {
  return textMark(at, fitText(words, text * 0.92, width), text * 0.92);
}

/** An axis of passes: logarithmic for many passes, because most happens in the first. */
interface PassAxis {
  readonly logarithmic: boolean;
  readonly at: (pass: number) => number;
  readonly axis: Axis;
}

const mostEven = 60;

function axisOf({ passes }: Course): PassAxis {
  const whole = (pass: number) => (Number.isInteger(pass) ? pass.toLocaleString('en') : '');
  if (passes <= mostEven)
    return { logarithmic: false, at: (pass) => pass, axis: { from: 0, to: Math.max(1, passes), format: whole } };
  const at = (pass: number) => Math.log10(1 + pass);
  const named = [0, 1, 3, 10, 30, 100, 300, 1000, 3000, 10_000, 100_000].filter((pass) => pass <= passes);
  const names = new Map(named.map((pass) => [at(pass), whole(pass)]));
  return {
    logarithmic: true,
    at,
    axis: { from: 0, to: at(passes), ticks: [...names.keys()], format: (tick) => names.get(tick)! },
  };
}

function accuracies({ curve, moment }: Scene, course: Course, along: PassAxis, box: Box, text: number): Mark[] {
  const points = curve ?? [];
  const values = points.flatMap(({ train, holdout }) => (holdout === null ? [train] : [train, holdout]));
  const least = Math.min(1, ...values);
  const from = values.length === 0 ? 0 : Math.max(0, Math.min(0.9, least - 0.05));
  const to = 1 + (1 - from) * 0.04;
  const across: Axis = { ...along.axis, format: () => '', grid: false };
  const format = (share: number) => (share > 1.0001 ? '' : `${Math.round(1000 * share) / 10} %`);
  const panel = axesInBox(box, text, across, { from, to, format });
  const { y } = panel;
  const x = (pass: number) => panel.x(along.at(pass));
  const marks: Mark[] = [...panel.marks];
  if (points.length === 0) {
    const title = curve === null ? 'accuracies are being computed …' : 'accuracies are not known for this rule';
    marks.push(heading(title, [box.left, box.top - text * 0.75], text, box.right - box.left));
    return marks;
  }
  const best = bestHeldOut(points);
  const shape = (value: (point: LearningPoint) => number | null): Spot[] =>
    points.flatMap((point): Spot[] => {
      const share = value(point);
      return share === null ? [] : [[x(course.passOf(point.step)), y(share)]];
    });
  const train = shape((point) => point.train);
  const held = shape((point) => point.holdout);
  marks.push(pathMark(train, { stroke: 'line', width: 2, id: 'train' }));
  if (held.length > 0) marks.push(pathMark(held, { stroke: 'answer', width: 2.5, dash: [7, 4], id: 'held out' }));
  if (best !== null)
    marks.push(
      symbolMark('ring', [x(course.passOf(best.step)), y(best.holdout!)], text * 0.95, {
        stroke: 'star',
        width: 2.5,
        id: 'best',
      }),
    );
  const here = pointAt(points, moment.step);
  if (here !== null) {
    const at = x(course.passOf(here.step));
    marks.push(symbolMark('disc', [at, y(here.train)], text * 0.6, { fill: 'line', id: 'train now' }));
    if (here.holdout !== null)
      marks.push(symbolMark('square', [at, y(here.holdout)], text * 0.6, { fill: 'answer', id: 'held out now' }));
  }
  return marks;
}

interface Name {
  readonly words: string;
  readonly role: 'line' | 'answer' | 'star';
}

/** Returns the legend of the curves, with their values at the moment. */
function namesOf({ curve, moment }: Scene, course: Course): Name[] {
  const points = curve ?? [];
  const [here, best] = [pointAt(points, moment.step) ?? points[0], bestHeldOut(points)];
  if (here === undefined) return [];
  const names: Name[] = [{ words: `learned from ${percentText(here.train)}`, role: 'line' }];
  if (here.holdout !== null && best !== null)
    names.push(
      { words: `held out ${percentText(here.holdout)}`, role: 'answer' },
      {
        words: `best ${percentText(best.holdout!)}, pass ${Math.max(1, Math.ceil(course.passOf(best.step)))}`,
        role: 'star',
      },
    );
  return names;
}

/** Draws the legend above the curves, on as many lines as it takes. */
function flow(names: readonly Name[], { width, text }: Frame): { readonly marks: Mark[]; readonly height: number } {
  const marks: Mark[] = [];
  const size = text * 0.92;
  const edge = text * 0.6;
  let [x, y] = [edge, text * 0.8];
  for (const { words, role } of names) {
    const wide = textWidth(words, size) + text * 1.1;
    if (x > edge && x + wide > width - edge) [x, y] = [edge, y + text * 1.35];
    const at: Spot = [x + text * 0.35, y];
    marks.push(
      role === 'star'
        ? symbolMark('ring', at, text * 0.65, { stroke: role, width: 2 })
        : symbolMark(role === 'line' ? 'disc' : 'square', at, text * 0.6, { fill: role }),
      textMark([x + text * 0.95, y], words, size, { fill: role, id: `name ${role}` }),
    );
    x += wide + text * 0.9;
  }
  return { marks, height: names.length === 0 ? text * 0.3 : y + text * 0.3 };
}

/** Draws a bar for each pass; for many passes, one for the mean of several. Future passes are faint. */
function bars(
  course: Course,
  { x, y }: { readonly x: (v: number) => number; readonly y: (v: number) => number },
  now: number,
): Mark[] {
  const { mistakes } = course;
  const marks: Mark[] = [];
  for (let p = 0, next = 0; p < mistakes.length; p = next) {
    next = p + 1;
    while (next < mistakes.length && x(next) - x(p) < 2) next++;
    const some = mistakes.slice(p, next);
    const mean = some.reduce((sum, count) => sum + count, 0) / some.length;
    const wide = x(next) - x(p);
    const inset = wide > 6 ? Math.min(3, wide * 0.12) : 0;
    const [from, to] = [x(p) + inset, x(next) - inset];
    marks.push(
      pathMark(cornersOf({ left: from, right: to, top: y(mean), bottom: y(0) }), {
        closed: true,
        fill: 'update',
        opacity: p < now ? 0.8 : 0.25,
        id: `pass ${p + 1}`,
      }),
    );
  }
  return marks;
}
