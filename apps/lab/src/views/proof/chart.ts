import { type Axes, type Axis, axesIn } from '../../picture/axes.ts';
import { header, type Reading } from '../../picture/labels.ts';
import { pathMark, textMark } from '../../picture/marks.ts';
import type { Frame, Mark, Picture, Role, Spot } from '../../picture/picture.ts';
import { type RunCurve, runCurve, type Series, spotsOf } from '../../picture/series.ts';
import { spread, textWidth } from '../../picture/text-width.ts';
import { remember } from '../cache.ts';

/** A measured number over the run, with its label. */
export interface LabelledCurve extends RunCurve {
  readonly label: string;
}

/** A bound, drawn dashed over its whole range. */
export interface BoundCurve extends Series {
  readonly id: string;
  readonly label: string;
  readonly role: Role;
}

interface Chart {
  readonly horizontal: Axis;
  readonly vertical: Axis;
  readonly readings: readonly Reading[];
  readonly caption: string;
  readonly curves: readonly LabelledCurve[];
  readonly bounds: readonly BoundCurve[];
  /** Index of the present moment in the curves. */
  readonly index: number;
  /** Marks behind and in front of the curves. */
  readonly behind?: (axes: Axes) => readonly Mark[];
  readonly before?: (axes: Axes) => readonly Mark[];
}

/** Draws numbers of a run over its updates: header, axes, bounds, curves, and labels at their ends. */
export function drawChart(frame: Frame, chart: Chart): Picture {
  const { width, height, text } = frame;
  const { curves, bounds, index } = chart;
  const head = header(frame, chart.readings, chart.caption);
  const size = text * 0.9;
  const labelled = [...bounds, ...curves];
  const widest = Math.max(0, ...labelled.map(({ label }) => textWidth(label, size) * 1.1));
  const axes = axesIn(frame, {
    horizontal: chart.horizontal,
    vertical: chart.vertical,
    room: { top: head.height, right: widest + text * 0.2 },
  });
  const marks: Mark[] = [...head.marks, ...(chart.behind?.(axes) ?? []), ...axes.marks];
  for (const bound of bounds)
    marks.push(
      pathMark(spotsOf(bound, axes), {
        stroke: bound.role,
        width: 1.8,
        dash: [6.75, 5.25],
        id: bound.id,
      }),
    );
  for (const curve of curves) marks.push(...runCurve(curve, axes, index + 1, text));
  marks.push(...(chart.before?.(axes) ?? []));
  marks.push(...endLabels(labelled, axes, frame));
  return { width, height, marks };
}

/**
 * Writes the labels of curves to the right of their ends. Labels at the edge of the chart and labels before it are
 * spread separately.
 */
function endLabels(curves: readonly (LabelledCurve | BoundCurve)[], axes: Axes, { text }: Frame): Mark[] {
  const ends = curves.map((curve) => spotsOf(curve, axes).at(-1) ?? ([axes.left, axes.bottom] as Spot));
  const atEdge = ([x]: Spot) => x > axes.right - text * 4;
  const marks: Mark[] = [];
  for (const group of [ends.filter(atEdge), ends.filter((end) => !atEdge(end))]) {
    const heights = spread(
      group.map(([, y]) => y),
      text * 1.2,
      axes.top,
      // Labels stand above those at the foot of the chart.
      axes.bottom - text * (atEdge(group[0] ?? [axes.right, 0]) ? 0.5 : 1.8),
    );
    const right = Math.max(...group.map(([x]) => x)) + text * 0.6;
    group.forEach((end, i) => {
      const { label, role } = curves[ends.indexOf(end)]!;
      marks.push(
        textMark([right, heights[i]!], label, text * 0.9, {
          fill: role,
          stroke: 'paper',
          width: 4.5,
          weight: 'bold',
        }),
      );
    });
  }
  return marks;
}

/** Replaces values of at most 0 by NaN, for logarithmic axes. */
export const positive = remember((values: Float64Array) => values.map((value) => (value > 0 ? value : Number.NaN)));

/** Samples a formula over [from, to]. */
export function sampled(from: number, to: number, formula: (x: number) => number, log = false): Series {
  const count = 128;
  const xs = Float64Array.from({ length: count + 1 }, (_, i) =>
    log ? from * (to / from) ** (i / count) : from + ((to - from) * i) / count,
  );
  return { xs, ys: xs.map(formula) };
}

/** Returns the axis of updates. */
export function updatesAxis(title: string, from: number, to: number, log = false): Axis {
  return { from, to, title, whole: true, log };
}
