import type { TableColumn } from 'halfspace';
import type { Dataset } from '../../data/dataset.ts';
import type { Examples } from '../../engine/examples.ts';
import type { Recording } from '../../engine/recording.ts';
import { type Axes, type Axis, axesIn, rangeOf } from '../../picture/axes.ts';
import type { Frame, Spot } from '../../picture/picture.ts';
import { cacheOf, remember } from '../cache.ts';
import type { Look } from '../view.ts';
import { type Drawn, drawnExamples, drawnPoints, flat, type Projection, projectionOf } from './projection.ts';

/** The parts of a scene that decide where examples are drawn. Drawn points need no run. */
export interface Subject {
  readonly dataset: Dataset;
  readonly examples: Examples | null;
  readonly recording: Recording | null;
  readonly look: Look;
}

/** The projection, the drawn examples and the axes that all layers of the plane share. */
export interface Ground {
  readonly projection: Projection;
  readonly drawn: Drawn;
  readonly axes: Axes;
  /** Returns the pixels of a place in the units of the axes. */
  readonly at: (u: number, v: number) => Spot;
}

/** Half the side of the plane that is visible at first. It grows with the points. */
const least = 5;

const pointSets = remember(drawnPoints);

/** The latest ground of each frame: it stays the same while only time passes. */
const grounds = new WeakMap<Frame, { readonly subject: Subject; readonly ground: Ground | null }>();

/** Returns the ground of a subject in a frame; null: no examples are known yet. */
export function groundOf(subject: Subject, frame: Frame): Ground | null {
  const known = grounds.get(frame);
  if (
    known !== undefined &&
    known.subject.dataset === subject.dataset &&
    known.subject.examples === subject.examples &&
    known.subject.recording === subject.recording &&
    known.subject.look === subject.look
  )
    return known.ground;
  const ground = makeGround(subject, frame);
  const { dataset, examples, recording, look } = subject;
  grounds.set(frame, { subject: { dataset, examples, recording, look }, ground });
  return ground;
}

function makeGround(subject: Subject, frame: Frame): Ground | null {
  const { dataset, examples, recording, look } = subject;
  let projection: Projection;
  let drawn: Drawn;
  if (dataset.kind === 'points') {
    projection = flat(dataset.dimension);
    drawn = pointSets(dataset);
  } else {
    if (examples === null) return null;
    projection = projectionOf(examples, recording, look.plane);
    drawn = drawnExamples(examples, projection);
  }
  const axes = axesOf(subject, projection, drawn, frame);
  const middle = (axes.top + axes.bottom) / 2;
  const at =
    projection.kind === 'line'
      ? (u: number): Spot => [axes.x(u), middle]
      : (u: number, v: number): Spot => [axes.x(u), axes.y(v)];
  return { projection, drawn, axes, at };
}

function axesOf({ dataset, examples, look }: Subject, projection: Projection, drawn: Drawn, frame: Frame): Axes {
  const ranges = look.window === null ? rangesOf(dataset, drawn) : windowRanges(look.window);
  const [h, v] = [axis(0), projection.kind === 'line' ? null : axis(1)];
  return axesIn(frame, { horizontal: h, vertical: v, equal: projection.kind !== 'slice' || alike(ranges) });

  function axis(which: 0 | 1): Axis {
    const [from, to] = ranges[which];
    if (dataset.kind === 'points') return { from, to, title: which === 0 ? 'x1' : 'x2' };
    if (projection.features === null)
      return { from, to, title: which === 0 ? 'distance to the learned line' : 'where the rest varies most' };
    const name = examples?.featureNames[projection.features[which]] ?? '';
    return { from, to, title: name, ...measureOf(examples, name) };
  }
}

/** Tests if two ranges are of similar size. Then both axes have the same unit, so right angles look right. */
function alike([x, y]: Ranges): boolean {
  const ratio = (x[1] - x[0]) / (y[1] - y[0]);
  return ratio > 0.2 && ratio < 5;
}

type Ranges = readonly [x: readonly [number, number], y: readonly [number, number]];

const windowRanges = ({ from, to }: NonNullable<Look['window']>): Ranges => [
  [from[0], to[0]],
  [from[1], to[1]],
];

const ranges = cacheOf<Drawn, Ranges>();

/**
 * Returns the ranges around everything that is drawn. Drawn points have at least the usual part of the plane, and
 * always the origin.
 */
const rangesOf = (dataset: Dataset, drawn: Drawn): Ranges => ranges(drawn, () => makeRanges(dataset, drawn));

function makeRanges(dataset: Dataset, drawn: Drawn): Ranges {
  const along = (which: 0 | 1) => drawn.spots.filter((_, k) => k % 2 === which);
  const [x, y] = [along(0), along(1)];
  const own = dataset.kind === 'points';
  if (own && drawn.spots.every((value) => Math.abs(value) <= least)) {
    const usual = [-least, least] as const;
    return [usual, usual];
  }
  return own ? [rangeOf([0, ...x], 0.1), rangeOf([0, ...y], 0.1)] : [rangeOf(x, 0.08), rangeOf(y, 0.08)];
}

/** Returns the measure and format that show ticks of a feature in the units of its column. */
function measureOf(examples: Examples | null, name: string): Pick<Axis, 'measure' | 'format'> {
  if (examples === null) return {};
  const { columns, scale } = examples.encoding;
  const column = columns.find((each) => each.name === name);
  if (column === undefined || !isMeasured(column)) return {};
  return {
    ...(scale === 'standard' ? { measure: { offset: column.mean, scale: column.deviation } } : {}),
    ...(column.kind === 'date' ? { format: dayName } : {}),
  };
}

/** Tests if a column is one feature of numbers or dates, scaled or not. */
export function isMeasured(column: TableColumn): column is Extract<TableColumn, { kind: 'number' | 'date' }> {
  return (column.kind === 'number' || column.kind === 'date') && column.edges === undefined;
}

const dayName = (days: number): string => new Date(days * 86_400_000).toISOString().slice(0, 10);
