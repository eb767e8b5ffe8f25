import type { EncodedWhole } from '../numbers.ts';
import { type DatePart, partWidths } from './date/parts.ts';

/** The formats a table can come in; `rows` are plain objects given to the library. */
export type TableFormat = 'csv' | 'tsv' | 'json' | 'ndjson' | 'parquet' | 'sql' | 'rows';

/**
 * How the columns of a table become features. It is plain data, travels inside the model, and holds all that is needed to
 * read raw rows again: names, types, classes, scaling, and what happens to missing values.
 *
 * The features stand in the order of `columns`: one for a number, boolean or date, or one per interval where it has `edges`; those of a date's `parts`; one per level
 * for a category, and one for its rare levels; one per term for text; behind them, where `missing.indicator` says so, one that is 1
 * when the value is missing and 0 otherwise. The features of `crosses` follow those of all columns.
 *
 * A column of any kind adds a squared length of about 1 to a row: a standardised number has the mean square 1, a category or an
 * interval is one 1, and a text by tf-idf has length 1. So no column outweighs another only because of its kind.
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
  /** Pairs of columns whose levels are features together. Absent: none. */
  readonly crosses?: readonly TableCross[];
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

export type TableColumn = NumberColumn | BooleanColumn | DateColumn | CategoryColumn | TextColumn;
export type ColumnKind = TableColumn['kind'];
export const columnKinds = ['number', 'category', 'text', 'date', 'boolean'] as const satisfies readonly ColumnKind[];
/** The kinds whose cells become one double each. */
export type MeasuredKind = MeasuredColumn['kind'];
export type MeasuredColumn = NumberColumn | BooleanColumn | DateColumn;

/** A column of numbers: one feature, or with `edges` one per interval. */
export interface NumberColumn {
  readonly kind: 'number';
  readonly name: string;
  /** Mean of the values that are there. */
  readonly mean: number;
  /** Their population standard deviation, > 0; 1 for a column that does not vary. */
  readonly deviation: number;
  /**
   * Rising: the number is told by the interval it lies in, x < e₀, e₀ ≤ x < e₁, …, x ≥ eₖ, one feature each, 1 or 0. A missing value
   * lies in none. Absent: the number itself is the feature.
   */
  readonly edges?: readonly number[];
  readonly missing: FilledMissing;
}

/** Dates and times, as days since 1970-01-01 UTC with their fraction; otherwise like numbers. */
export interface DateColumn {
  readonly kind: 'date';
  readonly name: string;
  readonly mean: number;
  readonly deviation: number;
  readonly edges?: readonly number[];
  /**
   * Parts that are told besides, one feature for each value of each, behind the date itself: month, weekday, hour, in this order. A
   * missing date has none. Absent: none; never with `edges`.
   */
  readonly parts?: readonly DatePart[];
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

/**
 * A column of names: one feature per level, 1 for the value's own level and 0 for the others. A level that is not listed has the
 * feature of the rare ones, behind the levels, where there is one; else it is all 0.
 */
export interface CategoryColumn {
  readonly kind: 'category';
  readonly name: string;
  /** Rising by code points, none empty, blanks at the ends removed. */
  readonly levels: readonly string[];
  /** Absent: no level was rare. */
  readonly rare?: RareLevels;
  readonly missing: LeftMissing;
}

/** Levels that share one feature, since too little is known of each; so do levels that training did not see. */
export interface RareLevels {
  /** Levels in fewer rows than this are rare; at least 2. */
  readonly least: number;
  /** How many levels that were; at least 2. */
  readonly levels: number;
}

/** What is read of a text. */
export interface TextForm {
  /** Sizes of n-grams of tokens, from and to; null: none. */
  readonly words: readonly [least: number, most: number] | null;
  /** Sizes of n-grams of characters, from and to; null: none. */
  readonly characters: readonly [least: number, most: number] | null;
  /** Whether upper and lower case are the same. */
  readonly lowercase: boolean;
}

/**
 * A column of text: one feature per term.
 *
 * With `c` the number of times that a term occurs in the cell, `d` the number of training rows that have the term and `n` = `documents`,
 * `counts` gives c, `binary` 1, and `tf-idf` (1 + ln c)·(1 + ln((1 + n) / (1 + d))), divided by the length of the row's vector.
 * Terms that are not listed do not count; a text without any listed term is all 0.
 *
 * @see Salton & Buckley (1988), Term-weighting approaches in automatic text retrieval; scikit-learn's TfidfVectorizer with
 *   `sublinear_tf`, to which the values are equal but for rounding.
 */
export interface TextColumn extends TextForm {
  readonly kind: 'text';
  readonly name: string;
  readonly weighting: TextWeighting;
  /** Training rows that have a text. */
  readonly documents: number;
  readonly terms: NamedTerms | HashedTerms;
  readonly missing: LeftMissing;
}

export type TextWeighting = (typeof textWeightings)[number];
export const textWeightings = ['tf-idf', 'counts', 'binary'] as const;

/** Terms kept by name. */
export interface NamedTerms {
  readonly kind: 'named';
  /** Rising by code points. N-grams of tokens are joined by a blank; n-grams of characters have a tab before them. */
  readonly names: readonly string[];
  /** In how many training rows each occurs; null: the weighting does not ask. */
  readonly frequencies: NumberList | null;
}

/** Terms hashed to 2^bits features: the low bits of MurmurHash3_x86_32 of their UTF-8 bytes, with seed 0. */
export interface HashedTerms {
  readonly kind: 'hashed';
  /** In [1, 24]. */
  readonly bits: number;
  /** In how many training rows each feature occurs; null: the weighting does not ask. */
  readonly frequencies: NumberList | null;
  /** Terms that were seen in training, rising, so that features have names; null: they were not asked for. */
  readonly names: readonly string[] | null;
}

/** Whole numbers in [0, 2³²): up to 256 as they are, more as base64 of little-endian 32-bit numbers. */
export type NumberList = readonly number[] | EncodedWhole;

/**
 * Two columns crossed: one feature for each pair of a feature of the first and one of the second, 1 where both are. Both are categories, or
 * numbers or dates with `edges`; the features of rare levels and of missing values take part.
 */
export interface TableCross {
  readonly columns: readonly [first: string, second: string];
  /** Pair (i, j) is feature i·width + j of the cross, or that hashed to 2^bits where there are more pairs than that; see `crossWidth`. */
  readonly bits: number;
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
 * learned for other rows; `dropped`: as was asked.
 */
export type LeftOutReason = (typeof leftOutReasons)[number];
export const leftOutReasons = [
  'constant',
  'empty',
  'nested',
  'unsupported',
  'too-many-values',
  'all-different',
  'dropped',
] as const;

export interface LeftOutColumn {
  readonly name: string;
  readonly reason: LeftOutReason;
}

/** How many features a column has. */
export function columnWidth(column: TableColumn): number {
  return ownWidth(column) + (column.missing.indicator ? 1 : 0);
}

/** How many, that of missing values not counted. */
function ownWidth(column: TableColumn): number {
  switch (column.kind) {
    case 'category':
      return column.levels.length + (column.rare === undefined ? 0 : 1);
    case 'text':
      return column.terms.kind === 'named' ? column.terms.names.length : 2 ** column.terms.bits;
    case 'boolean':
      return 1;
    case 'date':
      if (column.parts !== undefined) return column.parts.reduce((sum, part) => sum + partWidths[part], 1);
  }
  return column.edges === undefined ? 1 : column.edges.length + 1;
}

/** How many features a cross has. */
export function crossWidth({ columns, bits }: TableCross, all: ReadonlyMap<string, TableColumn>): number {
  return Math.min(2 ** bits, crossPairs(columns, all));
}

/** Columns by name, so that many crosses are looked up in linear time. */
export function columnsByName(columns: readonly TableColumn[]): Map<string, TableColumn> {
  return new Map(columns.map((column) => [column.name, column]));
}

/** How many pairs of features two columns have. */
export function crossPairs(names: readonly [string, string], all: ReadonlyMap<string, TableColumn>): number {
  const width = (name: string) => columnWidth(all.get(name)!);
  return width(names[0]) * width(names[1]);
}

/** Whether a column's rows have one feature that is 1, or none, so that it can be crossed. */
export function isOneHot(column: TableColumn): boolean {
  return (
    column.kind === 'category' || ((column.kind === 'number' || column.kind === 'date') && column.edges !== undefined)
  );
}

/** How many features an encoding has. */
export function dimension({ columns, crosses = [] }: TableEncoding): number {
  const own = columns.reduce((sum, column) => sum + columnWidth(column), 0);
  const all = columnsByName(columns);
  return crosses.reduce((sum, cross) => sum + crossWidth(cross, all), own);
}

/** Whether rows are encoded densely: with a category, intervals, parts or text most features of a row are 0, without them hardly any. */
export function isDense(encoding: TableEncoding): boolean {
  return encoding.columns.every(
    (column) => column.kind !== 'text' && !isOneHot(column) && !(column.kind === 'date' && column.parts !== undefined),
  );
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
