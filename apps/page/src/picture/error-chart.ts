import { type Axes, axesIn } from 'halfspace-lab/picture/axes.ts';
import { lineMark, pathMark, symbolMark, textMark } from 'halfspace-lab/picture/marks.ts';
import type { Frame, Mark, Picture, Spot } from 'halfspace-lab/picture/picture.ts';
import type { Alarm } from 'halfspace-server/client';
import type { CurvePoint } from '../service/types.ts';

/** Number of points from which a curve fills the width. */
const fewPoints = 3;

function axesOf(points: readonly CurvePoint[], shadow: readonly CurvePoint[], frame: Frame): Axes {
  // A curve that only begins stands at the right of what was before.
  const first = points.length < fewPoints ? 0 : points[0]!.examples;
  const last = Math.max(points.at(-1)!.examples, first + 10);
  const highest = [
    ...points.flatMap(({ error, latestError }) => [error, latestError]),
    ...shadow.map(({ latestError }) => latestError),
  ].reduce((most, each) => Math.max(most, each), 0.02);
  return axesIn(frame, {
    horizontal: { from: first, to: last, title: 'examples', whole: true, grid: false },
    vertical: { from: 0, to: Math.min(1, highest * 1.12), title: 'wrong answers', format: percentTick },
    room: { top: frame.text * 1.1, right: frame.text * 0.9 },
  });
}

/** Returns the position of the point that is nearest to a pixel of a chart. */
export function nearestPoint(points: readonly CurvePoint[], frame: Frame, pixel: number): number {
  const { x } = axesOf(points, [], frame);
  const wanted = x.invert(pixel);
  let nearest = 0;
  for (const [k, { examples }] of points.entries())
    if (Math.abs(examples - wanted) < Math.abs(points[nearest]!.examples - wanted)) nearest = k;
  return nearest;
}

/**
 * Draws the errors before learning over the number of examples: of the latest answers, of all, and marks of drift.
 *
 * @param chosen position of the point that is marked; null: none.
 * @param shadow errors of the shadow, of which those of the latest answers are drawn.
 */
export function errorChart(
  points: readonly CurvePoint[],
  alarms: readonly Alarm[],
  frame: Frame,
  chosen: number | null = null,
  shadow: readonly CurvePoint[] = [],
): Picture {
  const { width, height, text } = frame;
  const axes = axesOf(points, shadow, frame);
  const { x, y, top, bottom, left, right } = axes;
  const latestSpot = ({ examples, latestError }: CurvePoint): Spot => [x(examples), y(latestError)];
  const latest = points.map(latestSpot);
  const whole = points.map(({ examples, error }): Spot => [x(examples), y(error)]);
  const marks: Mark[] = [
    pathMark([[latest[0]![0], bottom], ...latest, [latest.at(-1)![0], bottom]], {
      fill: 'positive-region',
      opacity: 0.55,
      closed: true,
    }),
    ...axes.marks,
  ];
  const [first, last] = x.domain();
  const shown = alarms.filter(({ examples }) => examples >= first && examples <= last);
  for (const { examples } of shown.filter(({ of }) => of === 'input'))
    marks.push(lineMark([x(examples), bottom], [x(examples), bottom - text * 0.6], { stroke: 'answer', width: 2 }));
  for (const at of driftsOf(shown))
    marks.push(
      lineMark([x(at), top], [x(at), bottom], { stroke: 'broken', width: 1.5, dash: [4, 3], id: `drift ${at}` }),
    );
  const beside = shadow.filter(({ examples }) => examples >= first && examples <= last).map(latestSpot);
  if (beside.length > 0)
    marks.push(
      pathMark(beside, { stroke: 'negative', width: text * 0.15, dash: [text * 0.5, text * 0.3], id: 'shadow' }),
      symbolMark('square', beside.at(-1)!, text * 0.6, { fill: 'negative', stroke: 'paper' }),
    );
  marks.push(
    pathMark(whole, { stroke: 'muted', width: text * 0.11, id: 'all' }),
    pathMark(latest, { stroke: 'positive', width: text * 0.17, id: 'latest' }),
    symbolMark('disc', whole.at(-1)!, text * 0.5, { fill: 'muted', stroke: 'paper' }),
    symbolMark('disc', latest.at(-1)!, text * 0.65, { fill: 'positive', stroke: 'paper' }),
  );
  if (chosen !== null && chosen < points.length) {
    const [across, upwards] = latest[chosen]!;
    marks.push(
      lineMark([across, top], [across, bottom], { stroke: 'ink', width: 1, opacity: 0.5 }),
      symbolMark('disc', whole[chosen]!, text * 0.5, { fill: 'muted', stroke: 'paper' }),
      symbolMark('disc', [across, upwards], text * 0.65, { fill: 'positive', stroke: 'paper', id: 'chosen' }),
    );
  }
  let free = left - 1;
  for (const at of driftsOf(shown)) {
    const half = text * 1.4;
    const middle = Math.min(Math.max(x(at), left + half), right - half);
    if (middle - half <= free) continue;
    marks.push(
      textMark([middle, top - text * 0.75], 'drift', text * 0.85, { anchor: 'middle', fill: 'broken', weight: 'bold' }),
    );
    free = middle + half;
  }
  return { width, height, marks };
}

/** Returns the places at which the errors rose, each once. */
export function driftsOf(alarms: readonly Alarm[]): number[] {
  return [...new Set(alarms.filter(({ of }) => of === 'error').map(({ examples }) => examples))];
}

function percentTick(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}
