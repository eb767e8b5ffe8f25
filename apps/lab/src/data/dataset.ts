/**
 * What a person works on: points that they draw, or a table that they brought. Plain data, never changed: an edit makes
 * another one.
 */
export type Dataset = PointSet | Table;

/** Points of two classes in the plane, or on a line. Their order is the order of the data. */
export interface PointSet {
  readonly kind: 'points';
  readonly name: string;
  /** 1: points on a line; their `y` is 0 and no feature. */
  readonly dimension: 1 | 2;
  readonly points: readonly Point[];
}

/** Coordinates are finite, and what is exported is these doubles exactly. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly label: Label;
}

export type Label = -1 | 1;

/** A table as it was brought, and how it is to be read. */
export interface Table {
  readonly kind: 'table';
  /** The file's name, without a folder. */
  readonly name: string;
  /** CSV with a header, exactly as it came. Empty where there is a `file`. */
  readonly text: string;
  /**
   * The file itself, where its text is too large to be held here: it is read piece by piece by who computes. Default:
   * none.
   */
  readonly file?: Blob | undefined;
  /** The column to predict. */
  readonly label: string;
  /** The class set against the rest; null: the larger or later of two. */
  readonly positive: string | null;
  /** Columns that are features; null: all others. */
  readonly columns: readonly string[] | null;
  readonly scale: 'none' | 'standard';
}

/** Names that the columns of drawn points have, in exports, commands and axes. */
export const pointColumns = ['x1', 'x2'] as const;
/** Their label column, and what its values are. */
export const pointLabel = { column: 'class', negative: '-1', positive: '1' } as const;

/** Drawn points as CSV: what a run here learns from is what a reader of this text learns from, to the bit. */
export function pointsToCsv({ dimension, points }: PointSet): string {
  const header = dimension === 1 ? 'x1,class' : 'x1,x2,class';
  const lines = points.map(({ x, y, label }) => (dimension === 1 ? `${x},${label}` : `${x},${y},${label}`));
  return `${[header, ...lines].join('\n')}\n`;
}
