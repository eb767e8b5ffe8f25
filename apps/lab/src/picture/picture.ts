/**
 * What a view draws: marks in pixels of a frame, from back to front, with colours by their role. A picture is data: the page paints it on a
 * canvas, exports write it as SVG, PNG or film, and tests read it.
 */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly marks: readonly Mark[];
}

/** What a colour stands for; `theme.ts` says which colour that is, in light and in dark. */
export type Role =
  | 'ink'
  | 'muted'
  | 'grid'
  | 'paper'
  | 'positive'
  | 'negative'
  | 'positive-region'
  | 'negative-region'
  | 'line'
  | 'answer'
  | 'star'
  | 'bound'
  | 'update'
  | 'broken'
  | 'selection';

export interface Pen {
  readonly stroke?: Role;
  readonly fill?: Role;
  /** Of the stroke; default 1.5. */
  readonly width?: number;
  /** In [0, 1]; default 1. */
  readonly opacity?: number;
  readonly dash?: readonly number[];
  /** What the mark shows, for tests and tools: `boundary`, `point 12`. */
  readonly id?: string;
}

export type Mark = LineMark | PathMark | SymbolMark | TextMark | ArrowMark | CellsMark;

export interface LineMark extends Pen {
  readonly kind: 'line';
  readonly from: Spot;
  readonly to: Spot;
}

/** Straight pieces through spots; `closed` joins the last to the first. */
export interface PathMark extends Pen {
  readonly kind: 'path';
  readonly spots: readonly Spot[];
  readonly closed?: boolean;
}

/** An example, or a key's symbol: positive ones are discs, negative ones squares, so that no colour is needed to tell them apart. */
export interface SymbolMark extends Pen {
  readonly kind: 'symbol';
  readonly shape: 'disc' | 'square' | 'ring' | 'cross';
  readonly at: Spot;
  /** Its diameter. */
  readonly size: number;
}

export interface TextMark extends Pen {
  readonly kind: 'text';
  readonly at: Spot;
  readonly text: string;
  /** Default 13. */
  readonly size?: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly baseline?: 'top' | 'middle' | 'bottom';
  readonly weight?: 'normal' | 'bold';
  readonly italic?: boolean;
  /** Degrees, clockwise about `at`. */
  readonly turn?: number;
}

/** A line with a head at its end. */
export interface ArrowMark extends Pen {
  readonly kind: 'arrow';
  readonly from: Spot;
  readonly to: Spot;
}

/** A grid of cells, row by row from the top left: scores below 0 and above 0 in the colours of the regions, the fainter the nearer to 0. */
export interface CellsMark extends Pen {
  readonly kind: 'cells';
  readonly at: Spot;
  readonly size: Spot;
  readonly columns: number;
  readonly rows: number;
  /** In [−1, 1]. */
  readonly values: Float64Array;
}

/** Horizontal and vertical pixels, from the top left. */
export type Spot = readonly [x: number, y: number];

/** The room that a view has. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  /** Size of text, 13 on a desk, larger on a wall. */
  readonly text: number;
}
