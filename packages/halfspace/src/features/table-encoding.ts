/** The formats a table can come in; `rows` are plain objects given to the library. */
export type TableFormat = 'csv' | 'tsv' | 'json' | 'ndjson' | 'parquet' | 'sql' | 'rows';

/**
 * How the columns of a table become features. It is plain data, travels inside the model, and holds all that is needed to
 * read raw rows again: names, types, classes, scaling, and what happens to missing values.
 *
 * The features stand in the order of `columns`: one for a number, boolean or date, one per level for a category; behind them, where
 * `missing.indicator` says so, one that is 1 when the value is missing and 0 otherwise.
 */
export interface TableEncoding {
  readonly kind: 'table';
  /** The format the model was trained on. */
  readonly format: TableFormat;
  /** Whether the first line held the names; false: columns are column0, column1, … by position; null: the format has no such line. */
  readonly header: boolean | null;
  /** `standard`: numbers and dates become (x − mean) / deviation; `none`: they stay as they are. */
  readonly scale: 'none' | 'standard';
  readonly label: TableLabel;
  /** The columns that became features, in the order of the table. */
  readonly columns: readonly TableColumn[];
  /** Columns of the table that did not, and why. */
  readonly leftOut: readonly LeftOutColumn[];
}

/** The column to predict, and what its values mean. */
export interface TableLabel {
  readonly column: string;
  /** `number`: all classes are numbers, and 1 and 1.0 are the same class; `text`: classes are compared letter by letter. */
  readonly type: 'number' | 'text';
  /** All classes seen in training, rising (numbers by value, text by code points); at least two. */
  readonly classes: readonly string[];
  /** The one of `classes` that is told from the others; null: all classes are told from each other, and there are at least three. */
  readonly positive: string | null;
  /** The other one of two classes; null: every class but the positive one, or there is no positive one. */
  readonly negative: string | null;
}

export type TableColumn = NumberColumn | BooleanColumn | DateColumn | CategoryColumn;
export type ColumnKind = TableColumn['kind'];

/** A column of numbers: one feature. */
export interface NumberColumn {
  readonly kind: 'number';
  readonly name: string;
  /** Mean of the values that are there. */
  readonly mean: number;
  /** Their population standard deviation, > 0; 1 for a column that does not vary. */
  readonly deviation: number;
  readonly missing: FilledMissing;
}

/** Dates and times, as days since 1970-01-01 UTC with their fraction; otherwise like numbers. */
export interface DateColumn {
  readonly kind: 'date';
  readonly name: string;
  readonly mean: number;
  readonly deviation: number;
  readonly missing: FilledMissing;
}

/** True and false: one feature, 1 and 0, never scaled. */
export interface BooleanColumn {
  readonly kind: 'boolean';
  readonly name: string;
  /** Share of true among the values that are there. */
  readonly mean: number;
  readonly missing: FilledMissing;
}

/** A column of names: one feature per level, 1 for the value's own level and 0 for the others. A level not seen in training is all 0. */
export interface CategoryColumn {
  readonly kind: 'category';
  readonly name: string;
  /** Rising by code points, none empty, blanks at the ends removed. */
  readonly levels: readonly string[];
  readonly missing: LeftMissing;
}

/** A missing number, boolean or date is replaced. */
export interface FilledMissing {
  /** How many were missing in training. */
  readonly count: number;
  /** The value put in its place, before scaling: the mean. */
  readonly fill: number;
  /** Whether a feature of its own tells that the value was missing: where some were in training. */
  readonly indicator: boolean;
}

/** A missing category is no level: all 0. */
export interface LeftMissing {
  readonly count: number;
  readonly indicator: boolean;
}

/**
 * Why a column is no feature. `constant`: one value everywhere; `empty`: no value anywhere; `nested`: lists or structures;
 * `unsupported`: a type that is neither number, text, boolean nor date, such as binary data; `too-many-values`: more categories than
 * are kept; `all-different`: a category that never occurs twice, such as an identifier, from which nothing can be
 * learned for other rows.
 */
export type LeftOutReason = (typeof leftOutReasons)[number];
export const leftOutReasons = [
  'constant',
  'empty',
  'nested',
  'unsupported',
  'too-many-values',
  'all-different',
] as const;

export interface LeftOutColumn {
  readonly name: string;
  readonly reason: LeftOutReason;
}

/** How many features a column has. */
export function columnWidth(column: TableColumn): number {
  return (column.kind === 'category' ? column.levels.length : 1) + (column.missing.indicator ? 1 : 0);
}

/** How many features an encoding has. */
export function dimension(encoding: TableEncoding): number {
  return encoding.columns.reduce((sum, column) => sum + columnWidth(column), 0);
}

/** Whether rows are encoded densely: with a category most features of a row are 0, without one hardly any. */
export function isDense(encoding: TableEncoding): boolean {
  return encoding.columns.every((column) => column.kind !== 'category');
}

/** The names of all features in order: `bill_length`, `island=Biscoe`, `sex missing`. */
export function featureNames(encoding: TableEncoding): string[] {
  const names: string[] = [];
  for (const column of encoding.columns) {
    if (column.kind === 'category') for (const level of column.levels) names.push(`${column.name}=${level}`);
    else names.push(column.name);
    if (column.missing.indicator) names.push(`${column.name} missing`);
  }
  return names;
}

/** Compares by code points, as UTF-8 bytes would be: JavaScript's own order differs beyond U+D7FF. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // Surrogates stand for code points above all others.
    const high = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
    return high(x) - high(y);
  }
  return a.length - b.length;
}
