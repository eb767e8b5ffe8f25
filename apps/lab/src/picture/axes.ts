import { ticks } from 'd3-array';
import type { Box } from './clip.ts';
import { lineMark, textMark } from './marks.ts';
import { decadeText, tickText } from './numbers.ts';
import type { Frame, Mark, Spot } from './picture.ts';
import { linearScale, logScale, readTick, type Scale } from './scale.ts';

/** One of two axes: the range of numbers that it shows, and its ticks. */
export interface Axis {
  readonly from: number;
  readonly to: number;
  /** Default: none. */
  readonly title?: string;
  /** Text of a tick; default: with as few decimals as distinguish the ticks. */
  readonly format?: (value: number) => string;
  /** True for a logarithmic axis; then `from` is above 0. */
  readonly log?: boolean;
  /** True if ticks stand at whole numbers only. */
  readonly whole?: boolean;
  /** Values with ticks; default: round numbers, as many as there is room for. */
  readonly ticks?: readonly number[];
  /** True if ticks have grid lines; default true. */
  readonly grid?: boolean;
  /** Ticks stand where offset + scale·value is a round number, and show that number; default: the value itself. */
  readonly measure?: { readonly offset: number; readonly scale: number };
}

/** The box where data are drawn, in pixels, and its scales. */
export interface Axes extends Box {
  readonly x: Scale;
  readonly y: Scale;
  /** Grid lines, ticks and titles. */
  readonly marks: readonly Mark[];
}

interface AxesOptions {
  readonly horizontal: Axis;
  /** Null: there is no vertical axis, and everything is drawn in the middle. */
  readonly vertical: Axis | null;
  /** True if a unit has the same length on both axes; then one of the ranges is widened. */
  readonly equal?: boolean;
  /** Room beside the axes for something else, in pixels. */
  readonly room?: { readonly right?: number; readonly top?: number };
}

/** Returns two axes that fill a frame, with their titles. */
export function axesIn(
  { width, height, text }: Frame,
  { horizontal, vertical, equal = false, room = {} }: AxesOptions,
): Axes {
  const box = {
    left: Math.round(text * (vertical === null ? 0.9 : 4.1)),
    right: width - Math.round(text * 0.9 + (room.right ?? 0)),
    top: Math.round(text * 0.9 + (room.top ?? 0)),
    bottom: height - Math.round(text * 2.9),
  };
  const [h, v] =
    vertical !== null && equal
      ? equalised(horizontal, vertical, box.right - box.left, box.bottom - box.top)
      : [horizontal, vertical];
  const axes = axesInBox(box, text, h, v);
  const titles = titleMarks(box, { height, text }, horizontal.title ?? '', vertical?.title ?? '');
  return { ...axes, marks: [...axes.marks, ...titles] };
}

/** Returns two axes of a box, without titles; their ticks stand outside the box. Vertical null: 0 is in the middle. */
export function axesInBox(box: Box, text: number, horizontal: Axis, vertical: Axis | null): Axes {
  const { left, right, top, bottom } = box;
  const x = scaleOf(horizontal, [left, right]);
  const y = scaleOf(vertical ?? { from: -1, to: 1 }, [bottom, top]);
  const small = text * 0.85;
  const gridLine = (value: number, from: Spot, to: Spot) => {
    const pen = value === 0 ? ({ stroke: 'muted', opacity: 0.5 } as const) : ({ stroke: 'grid' } as const);
    return lineMark(from, to, { ...pen, width: 1 });
  };
  const marks: Mark[] = [];
  for (const { at, reads } of ticksOf(horizontal, Math.max(2, Math.floor((right - left) / (text * 5))))) {
    if (horizontal.grid !== false) marks.push(gridLine(at, [x(at), top], [x(at), bottom]));
    const style = { anchor: 'middle', baseline: 'top', fill: 'muted' } as const;
    marks.push(textMark([x(at), bottom + text * 0.4], reads, small, style));
  }
  if (vertical !== null)
    for (const { at, reads } of ticksOf(vertical, Math.max(2, Math.floor((bottom - top) / (text * 3))))) {
      if (vertical.grid !== false) marks.push(gridLine(at, [left, y(at)], [right, y(at)]));
      marks.push(textMark([left - text * 0.5, y(at)], reads, small, { anchor: 'end', fill: 'muted' }));
    }
  return { x, y, ...box, marks };
}

/** Returns the titles of two axes: below a box, at the foot of the frame, and upright to the left of it. */
export function titleMarks(
  { left, right, top, bottom }: Box,
  { height, text }: Pick<Frame, 'height' | 'text'>,
  across: string,
  upwards: string,
): Mark[] {
  const style = { anchor: 'middle', fill: 'muted' } as const;
  return [
    textMark([(left + right) / 2, height - text * 0.3], across, text, { ...style, baseline: 'bottom' }),
    textMark([text * 0.3, (top + bottom) / 2], upwards, text, { ...style, baseline: 'top', turn: -90 }),
  ];
}

function scaleOf({ from, to, log }: Axis, pixels: [number, number]): Scale {
  return (log ? logScale : linearScale)([from, to], pixels);
}

interface Tick {
  readonly at: number;
  readonly reads: string;
}

/**
 * Returns about `count` ticks at round numbers. A logarithmic axis has ticks at powers of ten. If few powers are in
 * range, it also has ticks at 2 and 5 times each power.
 */
function ticksOf(axis: Axis, count: number): Tick[] {
  const { from, to, log, whole, format, measure: { offset, scale } = { offset: 0, scale: 1 } } = axis;
  if (log) return decadesOf(from, to, count).map((at) => ({ at, reads: (format ?? decadeText)(at) }));
  const measured = [offset + scale * from, offset + scale * to] as const;
  const rounds = axis.ticks ?? ticks(...measured, count);
  const values = whole ? rounds.filter(Number.isInteger) : rounds;
  const read = format ?? (whole ? tickText : readTick(measured, count));
  return values.map((value) => ({ at: (value - offset) / scale, reads: read(value) }));
}

function decadesOf(from: number, to: number, count: number): number[] {
  const decades: number[] = [];
  for (let power = Math.floor(Math.log10(from)); power <= Math.log10(to); power++) decades.push(power);
  const every = Math.ceil(decades.length / count);
  const factors = decades.length * 3 <= count ? [1, 2, 5] : [1];
  return decades
    .filter((power) => power % every === 0)
    .flatMap((power) => factors.map((factor) => Number(`${factor}e${power}`)))
    .filter((tick) => tick >= from && tick <= to);
}

/** Widens one of two ranges about its middle, so that their units have the same length. */
function equalised(h: Axis, v: Axis, width: number, height: number): [Axis, Axis] {
  const unit = Math.max((h.to - h.from) / width, (v.to - v.from) / height);
  const widened = (axis: Axis, pixels: number): Axis => {
    const [middle, half] = [(axis.from + axis.to) / 2, (unit * pixels) / 2];
    return { ...axis, from: middle - half, to: middle + half };
  };
  return [widened(h, width), widened(v, height)];
}

/** Returns a range around some numbers, with a share of it as room at both ends. */
export function rangeOf(values: Iterable<number>, room = 0.08): [from: number, to: number] {
  let [from, to] = [Infinity, -Infinity];
  for (const value of values) {
    from = Math.min(from, value);
    to = Math.max(to, value);
  }
  if (!(from <= to)) return [-1, 1];
  const margin = from === to ? 1 : (to - from) * room;
  return [from - margin, to + margin];
}
