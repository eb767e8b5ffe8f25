import type { ColumnKind } from 'halfspace';

/**
 * The data of the lab: points that the user draws, or a table that the user opened. Plain data, immutable: an edit
 * makes a new dataset.
 */
export type Dataset = PointSet | Table;

/** Points of two classes in the plane, or on a line. Their order is the order of the data. */
export interface PointSet {
  readonly kind: 'points';
  readonly name: string;
  /** 1: points on a line; their `y` is 0 and no feature. */
  readonly dimension: 1 | 2;
  readonly points: readonly Point[];
  /** Values of a preset's sliders that were moved before the points were made; edits keep them. Absent: none. */
  readonly made?: Readonly<Record<string, number>>;
}

/** A drawn point. Its coordinates are finite doubles, and are exported exactly. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly label: Label;
}

export type Label = -1 | 1;

/** An opened table, and the options for reading it. */
export interface Table {
  readonly kind: 'table';
  /** The file's name, without a folder. */
  readonly name: string;
  /** CSV with a header, unchanged. Empty if there is a `file`. */
  readonly text: string;
  /**
   * The file itself, if its text is too large for memory; the worker reads it piece by piece. Default: none.
   */
  readonly file?: Blob | undefined;
  /** The column to predict. */
  readonly label: string;
  /** The class set against the rest; null: the larger or later of two. */
  readonly positive: string | null;
  /** Columns that are features; null: all others. */
  readonly columns: readonly string[] | null;
  readonly scale: 'none' | 'standard';
  /** The user's choices for reading it. Default: none. */
  readonly reading?: Reading | undefined;
}

/** Choices for reading a table, as the flags of the command say them. What is absent is found in the text. */
export interface Reading {
  /** False: the first line is a row. */
  readonly header?: boolean | undefined;
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
  /** `none`: quotes are ordinary characters. */
  readonly quote?: string | undefined;
  /** Beginning of lines to leave out; `none`: all lines are read. */
  readonly comment?: string | undefined;
  readonly skipLines?: number | undefined;
  /** The words of `--missing`: further missing values, `none`, `COLUMN=none`. */
  readonly missing?: readonly string[] | undefined;
  readonly kinds?: Readonly<Record<string, ColumnKind>> | undefined;
}

/** Column names of drawn points in exports, commands and axes. */
export const pointColumns = ['x1', 'x2'] as const;
/** Label column of drawn points, and its values. */
export const pointLabel = { column: 'class', negative: '-1', positive: '1' } as const;

/** Writes drawn points as CSV. Reading it gives exactly the numbers that a run in the lab learns from. */
export function pointsToCsv({ dimension, points }: PointSet): string {
  const header = dimension === 1 ? 'x1,class' : 'x1,x2,class';
  const lines = points.map(({ x, y, label }) => (dimension === 1 ? `${x},${label}` : `${x},${y},${label}`));
  return `${[header, ...lines].join('\n')}\n`;
}
