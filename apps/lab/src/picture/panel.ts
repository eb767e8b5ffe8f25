import type { Box } from './clip.ts';
import { lineMark, textMark } from './marks.ts';
import type { Mark } from './picture.ts';
import { linearScale, type Scale } from './scale.ts';

/** One of two axes of a panel. */
export interface PanelAxis {
  readonly from: number;
  readonly to: number;
  /** Where ticks are; default: round numbers, as many as there is room for. */
  readonly ticks?: readonly number[];
  readonly format?: (value: number) => string;
  /** Default true. */
  readonly grid?: boolean;
}

export interface PanelOptions {
  readonly across: PanelAxis;
  readonly upwards: PanelAxis;
  /** Size of the frame's text; ticks are a little smaller. */
  readonly text: number;
}

export interface Panel extends Box {
  readonly x: Scale;
  readonly y: Scale;
  readonly marks: readonly Mark[];
}

/** Axes in a part of a frame, whose ticks stand outside of it: for pictures of several panels. Titles are the caller's. */
export function panelIn(box: Box, { across, upwards, text }: PanelOptions): Panel {
  const { left, right, top, bottom } = box;
  const small = text * 0.85;
  const x = linearScale([across.from, across.to], [left, right]);
  const y = linearScale([upwards.from, upwards.to], [bottom, top]);
  const marks: Mark[] = [];
  const line = (from: readonly [number, number], to: readonly [number, number], zero: boolean) =>
    marks.push(lineMark(from, to, { stroke: zero ? 'muted' : 'grid', width: 1, opacity: zero ? 0.5 : 1 }));
  const atX = across.ticks ?? x.ticks(Math.max(2, Math.floor((right - left) / (text * 4.5))));
  const atY = upwards.ticks ?? y.ticks(Math.max(2, Math.floor((bottom - top) / (text * 2.6))));
  const readX = across.format ?? readTicks(atX);
  const readY = upwards.format ?? readTicks(atY);
  for (const tick of atX) {
    if (across.grid !== false) line([x(tick), top], [x(tick), bottom], tick === 0);
    marks.push(
      textMark([x(tick), bottom + text * 0.4], readX(tick), small, {
        anchor: 'middle',
        baseline: 'top',
        fill: 'muted',
      }),
    );
  }
  for (const tick of atY) {
    if (upwards.grid !== false) line([left, y(tick)], [right, y(tick)], tick === 0);
    marks.push(textMark([left - text * 0.4, y(tick)], readY(tick), small, { anchor: 'end', fill: 'muted' }));
  }
  return { ...box, x, y, marks };
}

/** Ticks all with the decimals that the finest of them needs; large ones with k, M, G. */
export function readTicks(ticks: readonly number[]): (value: number) => string {
  const largest = Math.max(...ticks.map(Math.abs), 0);
  const step = ticks.length > 1 ? Math.abs(ticks[1]! - ticks[0]!) : largest;
  const [unit, suffix] =
    largest >= 1e10
      ? [0, '']
      : largest >= 1e9
        ? [1e9, 'G']
        : largest >= 1e6
          ? [1e6, 'M']
          : largest >= 1e4
            ? [1e3, 'k']
            : [1, ''];
  if (unit === 0 || (largest > 0 && largest < 1e-4))
    return (value) => (value === 0 ? '0' : value.toExponential(1).replace('e+', 'e').replace(/-/g, '−'));
  const places = step === 0 ? 0 : Math.max(0, Math.min(6, -Math.floor(Math.log10(step / unit) + 1e-9)));
  return (value) => (value === 0 ? '0' : `${(value / unit).toFixed(places)}${suffix}`.replace(/-/g, '−'));
}
