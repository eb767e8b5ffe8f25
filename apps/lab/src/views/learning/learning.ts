import type { Algorithm } from '../../algorithm/algorithm.ts';
import { choiceById, choiceOf, choose } from '../../algorithm/catalogue.ts';
import { companionKey, type Rival } from '../../engine/companion.ts';
import { countUpTo, type LearningPoint, type Recording } from '../../engine/recording.ts';
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

/** Returns the algorithm whose held-out accuracy is drawn beside that of the run; null: none is. */
function besideOf({ look, algorithm, recording }: Scene): Algorithm | null {
  if (look.choices.learning !== 'averaged' || algorithm.holdout === 0 || recording.passes.length === 0) return null;
  return choose(choiceById(algorithm.rule === 'averaged' ? 'rule perceptron' : 'rule averaged'), algorithm);
}

const requestOf = (algorithm: Algorithm) => ({ kind: 'rival', algorithm, curve: true }) as const;

/** A curve of accuracies, and how it is drawn. */
interface Series {
  readonly id: string;
  readonly name: string;
  readonly role: 'line' | 'answer' | 'star';
  readonly symbol: 'disc' | 'square';
  readonly dash?: readonly number[];
  readonly width: number;
  /** The accuracy at each step, rising. */
  readonly points: readonly { readonly step: number; readonly share: number }[];
}

/** Returns the curves to draw: of the run, or the held-out one beside that of another algorithm. */
function seriesOf(scene: Scene): Series[] {
  const of = (curve: readonly LearningPoint[] | null | undefined, part: 'train' | 'holdout') =>
    (curve ?? []).flatMap((point) => (point[part] === null ? [] : [{ step: point.step, share: point[part] }]));
  const [algorithm, title] = [besideOf(scene), choiceOf(scene.algorithm).title];
  const held = of(scene.curve, 'holdout');
  if (algorithm !== null) {
    const rival = scene.companions?.[companionKey(requestOf(algorithm))] as Rival | null | undefined;
    const other = { id: 'beside', name: choiceOf(algorithm).title, points: of(rival?.curve, 'holdout') };
    return [
      { id: 'held out', name: title, role: 'line', symbol: 'square', width: 1.75, points: held },
      { ...other, role: 'star', symbol: 'disc', width: 3.5 },
    ];
  }
  const train = of(scene.curve, 'train');
  return [
    { id: 'train', name: 'learned from', role: 'line', symbol: 'disc', width: 2, points: train },
    { id: 'held out', name: 'held out', role: 'answer', symbol: 'square', dash: [7, 4], width: 2.5, points: held },
  ];
}

const lastAt = ({ points }: Series, step: number) => points.findLast((point) => point.step <= step) ?? points[0];

/** Shows the accuracy on training and held-out examples, and the updates per pass, over the run. */
export const learning: View = {
  id: 'learning',
  title: 'Learning curve',
  question: 'When to stop?',
  needs: 'curve',
  choices: [
    { id: 'run', title: 'This run' },
    { id: 'averaged', title: 'Beside the averaged one' },
  ],
  companion(scene) {
    const algorithm = besideOf(scene);
    return algorithm === null ? null : requestOf(algorithm);
  },
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
      const beside = besideOf(scene) === null ? undefined : seriesOf(scene)[1];
      const there = beside === undefined ? undefined : lastAt(beside, moment.step);
      if (there !== undefined)
        sentences.push(`${beside!.name}: ${percentText(there.share)} of the held-out examples are right.`);
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

function accuracies(scene: Scene, course: Course, along: PassAxis, box: Box, text: number): Mark[] {
  const { curve, moment } = scene;
  const lines = seriesOf(scene);
  const least = Math.min(1, ...lines.flatMap(({ points }) => points.map(({ share }) => share)));
  const from = lines[0]!.points.length === 0 ? 0 : Math.max(0, Math.min(0.9, least - 0.05));
  const to = 1 + (1 - from) * 0.04;
  const across: Axis = { ...along.axis, format: () => '', grid: false };
  const format = (share: number) => (share > 1.0001 ? '' : `${Math.round(1000 * share) / 10} %`);
  const panel = axesInBox(box, text, across, { from, to, format });
  const marks: Mark[] = [...panel.marks];
  if (lines[0]!.points.length === 0) {
    const title = curve === null ? 'accuracies are being computed …' : 'accuracies are not known for this rule';
    marks.push(heading(title, [box.left, box.top - text * 0.75], text, box.right - box.left));
    return marks;
  }
  const place = ({ step, share }: { readonly step: number; readonly share: number }): Spot => [
    panel.x(along.at(course.passOf(step))),
    panel.y(share),
  ];
  const beside = besideOf(scene) !== null;
  for (const { id, points, role, dash, width } of lines) {
    if (points.length === 0) continue;
    const pen = { stroke: role, width, ...(dash === undefined ? {} : { dash }) };
    // Two runs are told apart as they learn: what is to come is faint.
    const past = beside ? points.filter(({ step }) => step <= moment.step) : points;
    if (beside) marks.push(pathMark(points.map(place), { ...pen, opacity: 0.2, id: `${id} to come` }));
    marks.push(pathMark(past.map(place), { ...pen, id }));
  }
  const best = beside ? null : bestHeldOut(curve!);
  if (best !== null)
    marks.push(
      symbolMark('ring', place({ step: best.step, share: best.holdout! }), text * 0.95, {
        stroke: 'star',
        width: 2.5,
        id: 'best',
      }),
    );
  for (const line of lines) {
    const here = lastAt(line, moment.step);
    if (here !== undefined)
      marks.push(symbolMark(line.symbol, place(here), text * 0.6, { fill: line.role, id: `${line.id} now` }));
  }
  return marks;
}

interface Name extends Pick<Series, 'role'> {
  readonly words: string;
  readonly symbol: Series['symbol'] | 'ring';
}

/** Returns the legend of the curves, with their values at the moment. */
function namesOf(scene: Scene, course: Course): Name[] {
  const names: Name[] = seriesOf(scene).flatMap((line): Name[] => {
    const here = lastAt(line, scene.moment.step);
    return here === undefined
      ? []
      : [{ words: `${line.name} ${percentText(here.share)}`, role: line.role, symbol: line.symbol }];
  });
  const best = bestHeldOut(scene.curve ?? []);
  if (besideOf(scene) !== null) return names.map((name) => ({ ...name, words: `${name.words} held out` }));
  const pass = Math.max(1, Math.ceil(course.passOf(best?.step ?? 0)));
  return best === null
    ? names
    : [...names, { words: `best ${percentText(best.holdout!)}, pass ${pass}`, role: 'star', symbol: 'ring' }];
}

/** Draws the legend above the curves, on as many lines as it takes. */
function flow(names: readonly Name[], { width, text }: Frame): { readonly marks: Mark[]; readonly height: number } {
  const marks: Mark[] = [];
  const size = text * 0.92;
  const edge = text * 0.6;
  let [x, y] = [edge, text * 0.8];
  for (const { words, role, symbol } of names) {
    const wide = textWidth(words, size) + text * 1.1;
    if (x > edge && x + wide > width - edge) [x, y] = [edge, y + text * 1.35];
    const at: Spot = [x + text * 0.35, y];
    marks.push(
      symbol === 'ring'
        ? symbolMark(symbol, at, text * 0.65, { stroke: role, width: 2 })
        : symbolMark(symbol, at, text * 0.6, { fill: role }),
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
