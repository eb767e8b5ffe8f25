import { startsAtExample } from '../../algorithm/variant.ts';
import { shownAt, vectorAt } from '../../engine/examples.ts';
import { type Axes, axesIn, rangeOf } from '../../picture/axes.ts';
import { header } from '../../picture/labels.ts';
import { arrowMark, classRole, lineMark, textMark } from '../../picture/marks.ts';
import { countText, numberText, subscript } from '../../picture/numbers.ts';
import type { Frame, Mark, Picture, Spot } from '../../picture/picture.ts';
import { cacheOf } from '../cache.ts';
import { type RunPath, runPath } from '../run-path.ts';
import type { Scene } from '../view.ts';
import { word } from '../weights/marks.ts';
import { type Component, type Components, componentsOf } from '../weights/plane.ts';
import { countsAt, presentCounts } from './counts.ts';

/** The vector nᵢyᵢzᵢ of an example, or y·z of FODA's start, as a link of the chain from 0 to w. */
interface Link {
  readonly row: number;
  readonly label: -1 | 1;
  /** nᵢ; 1 for the start. */
  readonly count: number;
  /** True for the start, which is no update. */
  readonly start: boolean;
  readonly from: Spot;
  readonly to: Spot;
}

/** Maximum number of arrows with names. */
const mostNamed = 8;
/** Number of moments whose chains the axes must hold. */
const moments = 24;

/**
 * Returns w = Σ nᵢyᵢzᵢ in two components, as a chain of links: the start if there is one, then the examples in the
 * order of the data. All examples must be drawn.
 */
export function chainAt(scene: Scene, { drawn: [h, v] }: Components, counts: Uint32Array): Link[] {
  const { examples, recording, algorithm } = scene;
  const { divisor, biasConstant } = recording;
  const links: Link[] = [];
  let from: Spot = [0, 0];
  const add = (row: number, count: number, start: boolean) => {
    const label = examples.labels[row]! > 0 ? 1 : -1;
    const x = vectorAt(examples, shownAt(examples, row));
    const along = ({ at }: Component) => count * label * (at === 0 ? biasConstant : x[at - 1]! / divisor);
    const to: Spot = [from[0] + along(h), from[1] + along(v)];
    links.push({ row, label, count, start, from, to });
    from = to;
  };
  if (startsAtExample(algorithm) && recording.steps > 0) add(recording.rows[0]!, 1, true);
  counts.forEach((count, row) => {
    if (count > 0) add(row, count, false);
  });
  return links;
}

const ranges = cacheOf<RunPath, readonly Spot[]>();

/** Returns spots that the axes must hold: the chains of some moments of the run. */
function spotsOfRun(scene: Scene, components: Components): readonly Spot[] {
  const { steps } = scene.recording;
  const make = () =>
    Array.from({ length: moments + 1 }, (_, i) => Math.round((i * steps) / moments)).flatMap((step) =>
      chainAt(scene, components, countsAt(scene, step)).map(({ to }) => to),
    );
  return ranges(runPath(scene)!, make, components.drawn.map(({ at }) => at).join());
}

export function drawDualSum(scene: Scene, frame: Frame): Picture {
  const { text, width, height } = frame;
  const components = componentsOf(scene);
  const counts = presentCounts(scene);
  const links = chainAt(scene, components, counts);
  const [h, v] = components.drawn;
  const end = links.at(-1)?.to ?? [0, 0];
  const made = links.filter(({ start }) => !start);
  const updates = made.reduce((sum, { count }) => sum + count, 0);
  const head = header(
    frame,
    [
      { term: 'Σ nᵢ', value: countText(updates), role: 'muted' },
      { term: 'examples', value: countText(made.length), role: 'muted' },
      { term: h.name, value: numberText(end[0]), role: 'line' },
      { term: v.name, value: numberText(end[1]), role: 'line' },
    ],
    made.length < links.length
      ? 'w = y·x of the start + Σ nᵢ·yᵢ·xᵢ: each further arrow is an example’s yᵢ·xᵢ, once for each of its updates.'
      : 'w = Σ nᵢ·yᵢ·xᵢ: each arrow is an example’s yᵢ·xᵢ, once for each of its updates.',
  );
  const spots: Spot[] = [[0, 0], ...spotsOfRun(scene, components), ...links.map(({ to }) => to)];
  const range = (side: 0 | 1) =>
    rangeOf(
      (function* () {
        for (const spot of spots) yield spot[side];
      })(),
      0.15,
    );
  const [x, y] = [range(0), range(1)];
  const shape = (y[1] - y[0]) / (x[1] - x[0]);
  const axes = axesIn(frame, {
    horizontal: { from: x[0], to: x[1], title: h.name },
    vertical: { from: y[0], to: y[1], title: v.name },
    equal: shape < 6 && shape > 1 / 6,
    room: { top: head.height },
  });
  const marks: Mark[] = [...head.marks, ...axes.marks];
  for (const link of links) marks.push(...linkMarks(link, scene, axes, frame, links.length <= mostNamed));
  const at: Spot = [axes.x(end[0]), axes.y(end[1])];
  if (links.length > 0) marks.push(arrowMark([axes.x(0), axes.y(0)], at, { stroke: 'line', width: 2.7, id: 'w' }));
  marks.push(word('w', at, axes, text, 'line'));
  return { width, height, marks };
}

function linkMarks(
  { row, label, count, start, from, to }: Link,
  scene: Scene,
  axes: Axes,
  { text }: Frame,
  named: boolean,
): Mark[] {
  const [a, b]: [Spot, Spot] = [
    [axes.x(from[0]), axes.y(from[1])],
    [axes.x(to[0]), axes.y(to[1])],
  ];
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  const role = scene.selected === row ? 'selection' : classRole(label);
  const marks: Mark[] = [
    (length > text ? arrowMark : lineMark)(a, b, {
      stroke: role,
      width: row === scene.moment.row || row === scene.selected ? 3 : 1.8,
      ...(label > 0 ? {} : { dash: [7.5, 3.75] }),
      id: start ? 'link of the start' : `link ${row}`,
    }),
  ];
  if (named && length > text * 2.5) {
    const side = text * 0.9;
    marks.push(
      textMark(
        [(a[0] + b[0]) / 2 + (side * (b[1] - a[1])) / length, (a[1] + b[1]) / 2 - (side * (b[0] - a[0])) / length],
        `${label > 0 ? '' : '−'}${count === 1 ? '' : `${count}·`}x${subscript(row + 1)}${start ? ' (start)' : ''}`,
        text * 0.9,
        { anchor: 'middle', fill: role, stroke: 'paper', width: 4.5 },
      ),
    );
  }
  return marks;
}
