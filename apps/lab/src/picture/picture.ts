/**
 * The output of a view: marks in pixels of a frame, from back to front, with roles in place of colours. A picture is
 * data: the page paints it on a canvas, exports write it as SVG, PNG or film, and tests read it.
 */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly marks: readonly Mark[];
}

/** The meaning of a colour; `theme.ts` has the colours, for light and dark. */
export type Role =
  | 'ink'
  | 'muted'
  | 'grid'
  | 'paper'
  | 'positive'
  | 'negative'
  | 'positive-region'
  | 'negative-region'
  | 'third'
  | 'third-region'
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
  /** Width of the stroke beside text of 15 pixels, with which it grows; default 1.5. */
  readonly width?: number;
  /** In [0, 1]; default 1. */
  readonly opacity?: number;
  readonly dash?: readonly number[];
  /** Name of what the mark shows, for tests and tools: `boundary`, `point 12`. */
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

/**
 * The symbol of an example, or of an entry in a key. Positive examples are discs, negative ones squares, those of a
 * third class triangles, so that they differ without colour.
 */
export interface SymbolMark extends Pen {
  readonly kind: 'symbol';
  readonly shape: 'disc' | 'square' | 'triangle' | 'ring' | 'cross';
  readonly at: Spot;
  /** Diameter. */
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
  /** Rotation about `at` in degrees, clockwise. */
  readonly turn?: number;
}

/** A line with an arrowhead at its end. */
export interface ArrowMark extends Pen {
  readonly kind: 'arrow';
  readonly from: Spot;
  readonly to: Spot;
}

/**
 * A grid of cells, row by row from the top left. Scores below and above 0 have the colours of the regions, fainter
 * near 0.
 */
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

/** The size that a view has to fill. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  /** Size of text: 13 on a desk, larger on a wall. */
  readonly text: number;
}
