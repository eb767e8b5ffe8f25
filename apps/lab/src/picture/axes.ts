import { ticks } from 'd3-array';
import type { Box } from './clip.ts';
import { lineMark, textMark } from './marks.ts';
import { decadeText, tickText } from './numbers.ts';
import type { Frame, Mark } from './picture.ts';
import { linearScale, logScale, readTick, type Scale } from './scale.ts';

export interface Axis {
  readonly from: number;
  readonly to: number;
  readonly title: string;
  /** How a tick reads; default: short decimal. */
  readonly format?: (value: number) => string;
  /** Logarithmic; then `from` is above 0. */
  readonly log?: boolean;
  /** Ticks at whole numbers only. */
  readonly whole?: boolean;
  /** Ticks stand at round numbers of offset + scale·value, and read as those; default: of the value itself. */
  readonly measure?: { readonly offset: number; readonly scale: number };
}

/** The box where data are drawn, in pixels, and its scales. */
export interface Axes extends Box {
  readonly x: Scale;
  readonly y: Scale;
  /** Grid, ticks and titles. */
  readonly marks: readonly Mark[];
}

export interface AxesOptions {
  readonly horizontal: Axis;
  /** Null: there is none; everything is drawn at the height of 0, in the middle. */
  readonly vertical: Axis | null;
  /** Whether a unit is as long to the side as upwards; then the ranges given are the least that is seen. */
  readonly equal?: boolean;
  readonly grid?: boolean;
  /** Room about the axes for something else, in pixels. */
  readonly room?: { readonly left?: number; readonly right?: number; readonly top?: number };
}

/** Two axes with ticks at round numbers, that fill a frame. */
export function axesIn(
  { width, height, text }: Frame,
  { horizontal, vertical, equal = false, grid = true, room = {} }: AxesOptions,
): Axes {
  const small = text * 0.85;
  const [left, right] = [
    Math.round(text * (vertical === null ? 0.9 : 4.1) + (room.left ?? 0)),
    width - Math.round(text * 0.9 + (room.right ?? 0)),
  ];
  const [top, bottom] = [Math.round(text * 0.9 + (room.top ?? 0)), height - Math.round(text * 2.9)];
  const [h, v] =
    vertical === null
      ? [horizontal, { from: -1, to: 1, title: '' }]
      : equal
        ? equalised(horizontal, vertical, right - left, bottom - top)
        : [horizontal, vertical];
  const x = scaleOf(h, [left, right]);
  const y = scaleOf(v, [bottom, top]);
  const marks: Mark[] = [];
  const across = ticksOf(h, Math.max(2, Math.floor((right - left) / (text * 5))));
  const upwards = vertical === null ? [] : ticksOf(v, Math.max(2, Math.floor((bottom - top) / (text * 3))));
  for (const { at: tick, reads } of across) {
    const at = x(tick);
    if (grid)
      marks.push(
        lineMark([at, top], [at, bottom], {
          stroke: tick === 0 ? 'muted' : 'grid',
          width: 1,
          opacity: tick === 0 ? 0.5 : 1,
        }),
      );
    marks.push(textMark([at, bottom + text * 0.4], reads, small, { anchor: 'middle', baseline: 'top', fill: 'muted' }));
  }
  for (const { at: tick, reads } of upwards) {
    const at = y(tick);
    if (grid)
      marks.push(
        lineMark([left, at], [right, at], {
          stroke: tick === 0 ? 'muted' : 'grid',
          width: 1,
          opacity: tick === 0 ? 0.5 : 1,
        }),
      );
    marks.push(textMark([left - text * 0.5, at], reads, small, { anchor: 'end', fill: 'muted' }));
  }
  const box = { left, right, top, bottom };
  marks.push(...titleMarks(box, { height, text }, horizontal.title, v.title));
  return { x, y, ...box, marks };
}

/** Titles of two axes: below a box at the foot of a frame, and upright to the left of the box. */
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
 * About so many ticks at round numbers, and how they read; of a logarithmic axis powers of ten, and 2 and 5 times those where few of them are
 * in sight.
 */
function ticksOf({ from, to, log, whole, format, measure = { offset: 0, scale: 1 } }: Axis, count: number): Tick[] {
  if (log) return decadesOf(from, to, count).map((at) => ({ at, reads: (format ?? decadeText)(at) }));
  const { offset, scale } = measure;
  const measured = [offset + scale * from, offset + scale * to] as const;
  const rounds = ticks(...measured, count);
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

/** Widens one of two ranges about its middle. */
function equalised(h: Axis, v: Axis, width: number, height: number): [Axis, Axis] {
  const unit = Math.max((h.to - h.from) / width, (v.to - v.from) / height);
  const widened = (axis: Axis, pixels: number): Axis => {
    const [middle, half] = [(axis.from + axis.to) / 2, (unit * pixels) / 2];
    return { ...axis, from: middle - half, to: middle + half };
  };
  return [widened(h, width), widened(v, height)];
}

/** A range about some numbers, with room at both ends. */
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
