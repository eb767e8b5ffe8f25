import { startsAtExample } from '../../algorithm/variant.ts';
import { type Axes, axesIn } from '../../picture/axes.ts';
import { cornersOf } from '../../picture/clip.ts';
import { header, type Reading } from '../../picture/labels.ts';
import { classRole, exampleMark, pathMark, textMark } from '../../picture/marks.ts';
import { countText, numberText, subscript } from '../../picture/numbers.ts';
import type { Frame, Mark, Picture, Role } from '../../picture/picture.ts';
import { amountText } from '../../picture/shares.ts';
import { isSum, runPath } from '../run-path.ts';
import type { Scene, View } from '../view.ts';
import { componentsOf } from '../weights/plane.ts';
import { finalCounts, mostMistaken, passCounts, presentCounts } from './counts.ts';
import { chainAt, drawDualSum } from './dual-sum.ts';

const choices = [
  { id: 'order', title: 'In order' },
  { id: 'sorted', title: 'Most first' },
  { id: 'passes', title: 'By pass' },
  { id: 'sum', title: 'Dual sum' },
] as const;

const chosen = ({ look }: Scene): string => look.choices.mistakes ?? choices[0].id;

/** Shows nᵢ, the number of updates on each example, and the sum that they make. */
export const mistakes: View = {
  id: 'mistakes',
  title: 'Mistakes',
  question: 'Which points made w?',
  choices,
  missing(scene) {
    if (scene.recording.steps === 0)
      return 'A tree is not learned one mistake at a time: choose another rule, such as perceptron.';
    if (chosen(scene) !== 'sum') return null;
    const { rule } = scene.algorithm;
    if (!isSum(scene) || runPath(scene) === null)
      return `The answer of the rule ${rule} is no sum of y·x: choose a lecture, or the rule perceptron.`;
    if ((scene.recording.skipped ?? null) !== null)
      return 'This run is too long for every update to be kept, and the sum takes all: allow fewer passes.';
    return scene.examples.shown.length < scene.examples.rows
      ? 'Only some of these examples are drawn, and the sum takes all: choose “Most first”.'
      : null;
  },
  draw(scene, frame) {
    switch (chosen(scene)) {
      case 'sum':
        return drawDualSum(scene, frame);
      case 'passes':
        return drawPasses(scene, frame);
      default:
        return drawExamples(scene, frame, chosen(scene) === 'sorted');
    }
  },
  describe: (scene) => mistakes.missing(scene) ?? `${describeForm(scene)} ${describeCounts(scene)}`,
};

/** Number of passes, or of examples, whose counts are told. */
const mostTold = 12;

/** Describes what the chosen picture draws. */
function describeForm(scene: Scene): string {
  const { moment, examples } = scene;
  switch (chosen(scene)) {
    case 'sum': {
      const { drawn } = componentsOf(scene);
      const links = chainAt(scene, componentsOf(scene), presentCounts(scene));
      const [x, y] = links.at(-1)?.to ?? [0, 0];
      const names = drawn.map(({ name }) => name).join(', ');
      return `The sum of n·y·x as ${amountText(links.length, 'arrow')}, one after the other from 0 to (${names}) = (${numberText(x)}, ${numberText(y)}).`;
    }
    case 'passes': {
      const counts = [...passCounts(scene, moment.step).subarray(0, moment.pass)];
      const some = counts.slice(0, mostTold).map(countText).join(', ');
      return `A bar for each pass${counts.length === 0 ? '.' : `; updates so far: ${some}${counts.length > mostTold ? ' …' : ''}.`}`;
    }
    case 'sorted': {
      const counts = presentCounts(scene);
      const ranked = [...mostMistaken(finalCounts(scene)).subarray(0, mostTold)];
      const some = ranked.map((row) => `example ${countText(row + 1)} ${countText(counts[row]!)}`).join(', ');
      return `A bar for each example with updates, most first${some === '' ? '.' : `: ${some}.`}`;
    }
    default:
      return `A bar for each of ${countText(examples.rows)} examples, in order.`;
  }
}

function describeCounts(scene: Scene): string {
  const { moment, examples } = scene;
  const counts = presentCounts(scene);
  const wrong = counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0);
  let most = 0;
  counts.forEach((count, row) => {
    if (count > counts[most]!) most = row;
  });
  const top = wrong === 0 ? '' : ` Most on example ${countText(most + 1)}: ${amountText(counts[most]!, 'update')}.`;
  return `${amountText(moment.updates, 'update')} so far, on ${countText(wrong)} of ${countText(examples.rows)} examples.${top}`;
}

interface Bar {
  /** Counts over the whole run, and up to now. */
  readonly whole: number;
  readonly now: number;
  readonly role: Role;
  readonly label: -1 | 0 | 1;
  readonly name: string;
  readonly id: string;
  readonly selected: boolean;
}

function drawExamples(scene: Scene, frame: Frame, sorted: boolean): Picture {
  const { examples, moment, selected } = scene;
  const [whole, now] = [finalCounts(scene), presentCounts(scene)];
  const ranked = mostMistaken(whole);
  const most = Math.max(1, Math.floor((frame.width - frame.text * 5) / (frame.text * 0.3)));
  const rows = sorted ? ranked.subarray(0, most) : null;
  const count = rows?.length ?? examples.rows;
  const group = Math.ceil(count / most);
  const bars = Array.from({ length: Math.ceil(count / group) }, (_, i): Bar => {
    let sums = [0, 0];
    let chosenHere = false;
    for (let k = i * group; k < Math.min(count, (i + 1) * group); k++) {
      const row = rows === null ? k : rows[k]!;
      sums = [sums[0]! + whole[row]!, sums[1]! + now[row]!];
      chosenHere ||= row === selected;
    }
    const row = rows === null ? i : rows[i]!;
    const label = group > 1 ? 0 : examples.labels[row]! > 0 ? 1 : -1;
    return {
      whole: sums[0]!,
      now: sums[1]!,
      label,
      role: label === 0 ? 'line' : classRole(label),
      name: group > 1 ? '' : `x${subscript(row + 1)}`,
      id: group > 1 ? `examples from ${row}` : `mistakes of ${row}`,
      selected: chosenHere,
    };
  });
  const wrong = now.reduce((sum, n) => sum + (n > 0 ? 1 : 0), 0);
  const shown = moment.row < 0 ? '' : `x${subscript(moment.row + 1)} just shown`;
  const readings: Reading[] = [
    { term: 'Σ nᵢ', value: countText(now.reduce((sum, n) => sum + n, 0)), role: 'muted' },
    { term: 'nᵢ > 0', value: `${countText(wrong)} of ${countText(examples.rows)}`, role: 'muted' },
    {
      term: shown === '' ? 'nᵢ' : shown,
      value: moment.row < 0 ? '–' : `n = ${countText(now[moment.row]!)}`,
      role: 'line',
    },
  ];
  const start = startsAtExample(scene.algorithm)
    ? ` w starts at y·x${subscript(scene.recording.rows[0]! + 1)}, which is no update.`
    : '';
  const left = sorted && ranked.length > count ? ` The first ${countText(count)} are drawn.` : '';
  const caption =
    group > 1
      ? `Each bar counts the updates of ${countText(group)} examples in a row; faint: by the end of the run.${start}`
      : `How often each example made an update: by now, and faintly by the end of the run.${start}${left}`;
  return drawBars(frame, bars, {
    readings,
    caption,
    title: sorted
      ? 'examples, most mistakes first'
      : group > 1
        ? `examples, ${countText(group)} a bar`
        : 'examples, in order',
    every: group,
  });
}

function drawPasses(scene: Scene, frame: Frame): Picture {
  const [whole, now] = [passCounts(scene), passCounts(scene, scene.moment.step)];
  const most = Math.max(1, Math.floor((frame.width - frame.text * 5) / (frame.text * 0.3)));
  const group = Math.ceil(whole.length / most);
  const sum = (of: Uint32Array, i: number) => of.subarray(i * group, (i + 1) * group).reduce((all, n) => all + n, 0);
  const bars = Array.from(
    { length: Math.ceil(whole.length / group) },
    (_, i): Bar => ({
      whole: sum(whole, i),
      now: sum(now, i),
      role: 'line',
      label: 0,
      name: '',
      id: `pass ${i * group + 1}`,
      selected: false,
    }),
  );
  const { pass, updates } = scene.moment;
  return drawBars(frame, bars, {
    readings: [
      { term: 'pass', value: `${countText(pass)} of ${countText(whole.length)}`, role: 'muted' },
      { term: 'updates in it', value: pass === 0 ? '–' : countText(now[pass - 1]!), role: 'line' },
      { term: 'updates in all', value: countText(updates), role: 'muted' },
    ],
    caption:
      group > 1
        ? `Each bar counts the updates of ${countText(group)} passes; faint: by the end of the run.`
        : 'Updates in each pass. In a pass without updates every example is right.',
    title: group > 1 ? `passes, ${countText(group)} a bar` : 'passes',
    every: group,
  });
}

interface BarsOptions {
  readonly readings: readonly Reading[];
  readonly caption: string;
  readonly title: string;
  /** Number of examples or passes per bar. */
  readonly every: number;
}

function drawBars(frame: Frame, bars: readonly Bar[], options: BarsOptions): Picture {
  const { text, width, height } = frame;
  const head = header(frame, options.readings, options.caption);
  const highest = bars.reduce((most, { whole }) => Math.max(most, whole), 1);
  const count = Math.max(1, bars.length);
  const axes = axesIn(frame, {
    horizontal: {
      from: 0.5,
      to: count + 0.5,
      title: options.title,
      whole: true,
      format: (value) => (options.every === 1 ? countText(value) : countText((value - 1) * options.every + 1)),
    },
    vertical: { from: 0, to: highest * 1.12, title: '', whole: true },
    room: { top: head.height },
  });
  // Vertical grid lines mean nothing here: bars show where they stand.
  const kept = axes.marks.filter((mark) => mark.kind !== 'line' || mark.from[1] === mark.to[1]);
  const step = (axes.right - axes.left) / count;
  const marks: Mark[] = [...head.marks, ...kept];
  bars.forEach((bar, i) => {
    marks.push(...barMarks(bar, axes.x(i + 1), step, axes, text));
  });
  return { width, height, marks };
}

function barMarks(
  { whole, now, role, label, name, id, selected }: Bar,
  x: number,
  step: number,
  axes: Axes,
  text: number,
): Mark[] {
  const half = Math.min(step * (step > 6 ? 0.36 : 0.5), text * 1.2);
  const box = (value: number): Mark =>
    pathMark(cornersOf({ left: x - half, right: x + half, top: axes.y(value), bottom: axes.bottom }), {
      closed: true,
      fill: selected ? 'selection' : role,
    });
  const marks: Mark[] = [];
  if (whole > now) marks.push({ ...box(whole), opacity: 0.22, id: `${id} in the end` });
  if (now > 0) marks.push({ ...box(now), id });
  if (label !== 0 && step > text * 0.8)
    marks.push(exampleMark(label, [x, axes.bottom], text * 0.55, { stroke: 'paper' }));
  if (name !== '' && whole > 0 && step > text * 2)
    marks.push(textMark([x, axes.y(whole) - text * 0.7], name, text * 0.85, { anchor: 'middle', fill: 'muted' }));
  return marks;
}
