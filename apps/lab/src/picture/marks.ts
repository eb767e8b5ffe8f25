import type { ArrowMark, LineMark, PathMark, Pen, Spot, SymbolMark, TextMark } from './picture.ts';

/** A straight line between two spots. */
export const lineMark = (from: Spot, to: Spot, pen: Pen): LineMark => ({ kind: 'line', from, to, ...pen });

/** An arrow whose head is at `to`. */
export const arrowMark = (from: Spot, to: Spot, pen: Pen): ArrowMark => ({ kind: 'arrow', from, to, ...pen });

/** Straight pieces through spots. */
export const pathMark = (spots: readonly Spot[], pen: Omit<PathMark, 'kind' | 'spots'>): PathMark => ({
  kind: 'path',
  spots,
  ...pen,
});

/** A symbol with its middle at a spot. @param size its diameter in pixels. */
export const symbolMark = (shape: SymbolMark['shape'], at: Spot, size: number, pen: Pen): SymbolMark => ({
  kind: 'symbol',
  shape,
  at,
  size,
  ...pen,
});

/** A text at a spot. @param size height of its letters in pixels. */
export const textMark = (
  at: Spot,
  text: string,
  size: number,
  style: Omit<TextMark, 'kind' | 'at' | 'text' | 'size'> = {},
): TextMark => ({ kind: 'text', at, text, size, ...style });
