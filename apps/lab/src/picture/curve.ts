import { ticks } from 'd3-array';
import type { DescribedFunction } from 'halfspace/models';
import { axesIn, rangeOf } from './axes.ts';
import { keyMarks } from './key.ts';
import { lineMark, pathMark, symbolMark, textMark } from './marks.ts';
import type { Frame, Mark, Picture, Role, Spot } from './picture.ts';
import { readTick } from './scale.ts';
import { fitText } from './text-width.ts';
import { dateTicks } from './values.ts';

type Curve = DescribedFunction['curves'][number];

/** A curve of a class. */
export interface ClassCurve {
  readonly class: string;
  readonly curve: Curve;
}

const pens: readonly { readonly stroke: Role; readonly dash?: readonly number[] }[] = [
  { stroke: 'positive' },
  { stroke: 'negative', dash: [6, 3] },
  { stroke: 'third', dash: [2, 2] },
  { stroke: 'star', dash: [8, 3, 2, 3] },
  { stroke: 'answer' },
  { stroke: 'muted', dash: [6, 3] },
];

/** Number of classes that one chart has room for. */
export const mostCurves = pens.length;

/**
 * Draws what a bent column adds to the score, over its values: a step for each interval, above it a disc for each word
 * and for missing values, below it the rows of each interval.
 *
 * @param shown the curves of one column: of the only function of two classes, or of some classes.
 */
export function curvePicture(shown: readonly ClassCurve[], frame: Frame): Picture {
  const { width, height, text } = frame;
  const [{ curve }] = shown as [ClassCurve];
  const { edges, names, shares, format } = curve;
  const domain = domainOf(edges);
  const [low, high] = rangeOf([0, ...shown.flatMap(({ curve: { values } }) => [...values])]);
  const slot = text * 4.2;
  const rows = shares === undefined ? 0 : 0.22;
  const several = shown.length > 1 ? shown : [];
  const key = keyMarks(
    several.map(({ class: name }, c) => ({ name, pen: pens[c % mostCurves]! })),
    frame,
  );
  // Ticks stand beside the curve, not beside the rows below it.
  const count = Math.max(2, Math.floor((height - key.height) / (text * 3.5)));
  const room = { right: names.length * slot, top: key.height };
  const axes = axesIn(frame, {
    horizontal: {
      ...{ from: domain.from, to: domain.to, log: domain.log, grid: false },
      title: fitText(curve.column, text, width - 5 * text),
      ...dateTicks([domain.from, domain.to], Math.floor((width - room.right) / (6 * text)), format),
    },
    vertical: {
      ...{ from: low - rows * (high - low), to: high, title: 'added to the score' },
      ticks: ticks(low, high, count),
      format: readTick([low, high], count),
    },
    room,
  });
  const { x, y, left, right, top, bottom } = axes;
  const ends = [left, ...edges.map((edge) => x(edge)), right];
  const stepsOf = ({ values }: Curve): Spot[] =>
    ends.slice(1).flatMap((end, k): Spot[] => [
      [ends[k]!, y(values[k]!)],
      [end, y(values[k]!)],
    ]);
  const marks: Mark[] = [];
  if (shown.length === 1)
    for (const [fill, cut] of [
      ['positive-region', Math.min],
      ['negative-region', Math.max],
    ] as const) {
      const area = stepsOf(curve).map(([across, up]): Spot => [across, cut(up, y(0))]);
      marks.push(pathMark([[left, y(0)], ...area, [right, y(0)]], { fill, closed: true }));
    }
  marks.push(...axes.marks);
  if (shares !== undefined) {
    const most = Math.max(...shares.subarray(0, ends.length - 1)) || 1;
    const tall = (rows * 0.8 * (bottom - top)) / (1 + rows);
    for (let k = 0; k + 1 < ends.length; k++) {
      const up = bottom - (tall * shares[k]!) / most;
      const corners: Spot[] = [
        [ends[k]!, bottom],
        [ends[k]!, up],
        [ends[k + 1]!, up],
        [ends[k + 1]!, bottom],
      ];
      marks.push(pathMark(corners, { fill: 'muted', opacity: 0.35, closed: true, id: `rows ${k}` }));
    }
  }
  if (names.length > 0)
    marks.push(lineMark([right + text * 0.4, top], [right + text * 0.4, bottom], { stroke: 'grid' }));
  names.forEach((name, n) => {
    const style = { anchor: 'middle', baseline: 'top', fill: 'muted' } as const;
    const at: Spot = [right + slot * (n + 0.6), bottom + text * 0.4];
    marks.push(textMark(at, fitText(name, text * 0.85, slot - text * 0.3), text * 0.85, style));
  });
  shown.forEach(({ curve: each }, c) => {
    const pen = shown.length === 1 ? { stroke: 'ink' as const } : pens[c % mostCurves]!;
    marks.push(pathMark(stepsOf(each), { ...pen, width: 2, id: `steps ${c}` }));
    names.forEach((_, n) => {
      const spot: Spot = [right + slot * (n + 0.6), y(each.values[edges.length + 1 + n]!)];
      marks.push(symbolMark('disc', spot, text * 0.7, { fill: pen.stroke, stroke: 'paper' }));
    });
  });
  return { width, height, marks: [...key.marks, ...marks] };
}

/** Returns the range of the values. It is logarithmic if most edges of positive values are crowded at its beginning. */
function domainOf(edges: readonly number[]): { readonly from: number; readonly to: number; readonly log: boolean } {
  const [first, last] = [edges[0]!, edges.at(-1)!];
  const middle = edges[edges.length >> 1]!;
  const log = first > 0 && middle - first < 0.1 * (last - first) && last > 20 * first;
  if (log) return { from: first * (first / last) ** 0.05, to: last * (last / first) ** 0.05, log };
  const pad = first === last ? Math.max(1, Math.abs(first) / 2) : (last - first) * 0.06;
  return { from: first - pad, to: last + pad, log };
}
