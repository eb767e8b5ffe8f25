import type { EncodedWhole } from '../numbers.ts';
import type { DateFormat } from './date/format-names.ts';
import { type DatePart, partWidths } from './date/parts.ts';

/** The format of a table; `rows` are plain objects passed to the library. */
export type TableFormat = 'csv' | 'tsv' | 'json' | 'ndjson' | 'parquet' | 'sql' | 'rows';

/**
 * The rules that turn the columns of a table into features. Plain data inside the model, sufficient to read raw rows:
 * names, types, classes, scaling, and the treatment of missing values.
 *
 * Features are in the order of `columns`. A number, boolean or date has one feature, or one per interval with `edges`;
 * a number then one per word in its place, and a date one per value of its `parts`; a category or a set one per level,
 * then those of rare or other levels; a text one per term.
 * With `missing.indicator` a last feature is 1 if the value is missing, else 0. The features of `crosses` follow those
 * of all columns.
 *
 * Every kind of column adds a squared length of about 1 to a row: a standardised number has mean square 1, a category
 * or interval is a single 1, and a text by tf-idf has length 1. So no kind of column outweighs another, but a set has a
 * 1 for each of its values.
 */
export interface TableEncoding {
  readonly kind: 'table';
  /** The format of the training table. */
  readonly format: TableFormat;
  /** True: the first line has the names; false: columns are column0, column1, …; null: the format has no such line. */
  readonly header: boolean | null;
  /** `standard`: numbers and dates become (x − mean) / deviation; `none`: they stay as they are. */
  readonly scale: 'none' | 'standard';
  /**
   * Further words for a missing value, besides the usual ones: not empty, without surrounding blanks, rising by code
   * points. Absent: none.
   */
  readonly missing?: readonly string[];
  /**
   * Columns, the label included, where words such as `NA` are values and only empty cells are missing: true for all, or
   * their names, rising by code points. Absent: none.
   */
  readonly notMissing?: true | readonly string[];
  readonly label: TableLabel;
  /** The columns that became features, in the order of the table. */
  readonly columns: readonly TableColumn[];
  /** Pairs of columns with features for pairs of their levels. Absent: none. */
  readonly crosses?: readonly TableCross[];
  /** The other columns of the table, with the reason. */
  readonly leftOut: readonly LeftOutColumn[];
}

/** The column to predict, and its classes. */
export interface TableLabel {
  readonly column: string;
  /** `number`: all classes are numbers. */
  readonly type: 'number' | 'text';
  /** True: labels that differ only in letter case, in the notation of a number or in a dot at the end are one class. */
  readonly join?: boolean;
  /** Labels are numbers, and the positive class has those for which this holds. Absent: labels are classes. */
  readonly threshold?: LabelThreshold;
  /**
   * All classes seen in training as they are written, at least two: rising (numbers by value, others by code points),
   * or in the order in which they were given.
   */
  readonly classes: readonly string[];
  /** The class with label +1; null: there are at least three classes, with positions as labels. */
  readonly positive: string | null;
  /** The other one of two classes; null: all classes but the positive one, or there is no positive class. */
  readonly negative: string | null;
}

/** A comparison with a number. */
export interface LabelThreshold {
  readonly operator: '>=' | '>' | '<=' | '<';
  readonly value: number;
}

export type TableColumn = NumberColumn | BooleanColumn | DateColumn | CategoryColumn | SetColumn | TextColumn;
export type ColumnKind = TableColumn['kind'];
export const columnKinds = [
  'number',
  'category',
  'text',
  'date',
  'boolean',
  'set',
] as const satisfies readonly ColumnKind[];
/** Kinds whose cells become one double each. */
export type MeasuredKind = MeasuredColumn['kind'];
export type MeasuredColumn = NumberColumn | BooleanColumn | DateColumn;
/** Measured columns that are scaled, or cut into intervals. */
export type ScaledColumn = Exclude<MeasuredColumn, BooleanColumn>;

/** The marks and words with which numbers are written: `$1,234.50`, `1 234,50 €`, `1'234.50`, `(12 %)`, `~2.5K+`. */
export interface NumberNotation {
  readonly decimal: '.' | ',';
  /** The mark between groups of digits; " " is any blank. Absent: any mark that cannot be the decimal mark. */
  readonly group?: '.' | ',' | ' ' | "'";
  /** The unit before or behind the number, which a cell may lack: `$`, `%`, `sq ft`. The number is not converted. */
  readonly unit?: string;
  /** Further words beside the number, rising by code points: `K`, `~`, `+`, `(est.)`. Absent: none. */
  readonly words?: readonly NotedWord[];
  /**
   * Words in place of a number, rising by code points, such as `Varies with device`. Each has a feature behind those of
   * the number, 1 or 0; the number is filled as if it were missing. Absent: none.
   */
  readonly levels?: readonly string[];
  /** Words in place of a number, rising by code points, such as `unknown`: it is missing. Absent: none. */
  readonly missing?: readonly string[];
}

/** A word before or behind a number. Spellings that differ in case, dots, blanks or a plural s are the same word. */
export interface NotedWord {
  readonly text: string;
  /** Multiplies the number. Null: the word is another unit, so the cell counts as missing. */
  readonly factor: number | null;
}

/** The form in which the cells of a column are written, if not the plain one: of numbers, or of dates. */
export type CellForm = NumberNotation | DateFormat;

/** Returns the form of a column's cells. */
export function cellForm(column: TableColumn): CellForm | undefined {
  if (column.kind === 'date') return column.format;
  return column.kind === 'number' ? column.notation : undefined;
}

/** Returns the words in place of numbers that have features. */
export function numberLevels(column: TableColumn): readonly string[] {
  return (column.kind === 'number' ? column.notation?.levels : undefined) ?? [];
}

/** A column of numbers: one feature, or with `edges` one per interval. */
export interface NumberColumn {
  readonly kind: 'number';
  readonly name: string;
  /** Absent: plain numbers such as -1234.5. */
  readonly notation?: NumberNotation;
  /** Mean of the present values. */
  readonly mean: number;
  /** Population standard deviation of the present values, > 0; 1 for a constant column. */
  readonly deviation: number;
  /**
   * Rising edges of intervals x < e₀, e₀ ≤ x < e₁, …, x ≥ eₖ, with one feature each, 1 or 0. A missing value is in no
   * interval. Absent: the number is the feature.
   */
  readonly edges?: readonly number[];
  /** The score, that of the positive class, never falls, or never rises, where the number rises. Absent: it may. */
  readonly trend?: Trend;
  readonly missing: FilledMissing;
}

export const trends = ['rising', 'falling'] as const;
export type Trend = (typeof trends)[number];

/** Dates and times, as days since 1970-01-01 UTC with fractions; otherwise like numbers. */
export interface DateColumn {
  readonly kind: 'date';
  readonly name: string;
  /** Absent: `iso`. */
  readonly format?: DateFormat;
  readonly mean: number;
  readonly deviation: number;
  readonly edges?: readonly number[];
  /**
   * Parts with one feature per value, after the date itself: month, weekday, hour, in this order. A missing date has
   * none. Absent: no parts; never with `edges`.
   */
  readonly parts?: readonly DatePart[];
  /**
   * Bent: the last interval of a day, or the last value of each part, is a neighbour of the first. Absent: it is not.
   */
  readonly wraps?: true;
  readonly missing: FilledMissing;
}

/** True and false: one feature, 1 and 0, never scaled. */
interface BooleanColumn {
  readonly kind: 'boolean';
  readonly name: string;
  /** Share of true among the present values. */
  readonly mean: number;
  readonly missing: FilledMissing;
}

/** A column whose values have levels: one feature each, then those of levels that are not listed. */
export interface LevelColumn {
  readonly name: string;
  /** Rising by code points, not empty, without surrounding blanks. */
  readonly levels: readonly string[];
  /** Absent: no level was rare. */
  readonly rare?: RareLevels;
  /** Absent: levels that are not listed have no features of their own. Never with `rare`. */
  readonly others?: OtherLevels;
  readonly missing: LeftMissing;
}

/**
 * A column of names: one feature per level, 1 for the value's level and 0 for others. A level that is not listed has
 * the feature of rare levels or one of those of `others`, if there are any, else no feature.
 */
export interface CategoryColumn extends LevelColumn {
  readonly kind: 'category';
}

/** A column of sets: several values in a cell, each a level as of a category; equal ones count once. */
export interface SetColumn extends LevelColumn, SetForm {
  readonly kind: 'set';
}

/** The form in which the values in a cell of a set are written. */
export interface SetForm {
  /** The mark between values. Absent: only lists in brackets have several. A list is read with any mark. */
  readonly separator?: string;
}

/** Levels that share one feature because they are rare; unknown levels share it too. */
interface RareLevels {
  /** Levels in fewer rows than this are rare; at least 2. */
  readonly least: number;
  /** Number of rare levels; at least 2. */
  readonly levels: number;
}

/**
 * Levels that are not listed have one of 2^bits features: the low bits of their hash, FNV-1a of 32 bits over UTF-16
 * units. Online learning lists the levels that came first.
 *
 * @see Fowler, Noll & Vo, FNV hash (RFC 9923).
 */
interface OtherLevels {
  /** Number of bits, in [1, 24]. */
  readonly bits: number;
}

/** The n-grams of a text that are terms. */
export interface TextForm {
  /** Smallest and largest n-grams of tokens; null: none. */
  readonly words: readonly [least: number, most: number] | null;
  /** Smallest and largest n-grams of characters; null: none. */
  readonly characters: readonly [least: number, most: number] | null;
  /** True if the case of letters is ignored. */
  readonly lowercase: boolean;
}

/**
 * A column of text: one feature per term.
 *
 * With c the count of a term in the cell, d the number of training rows with the term and n = `documents`: `counts`
 * gives c, `binary` 1, and `tf-idf` (1 + ln c)·(1 + ln((1 + n) / (1 + d))), divided by the length of the row's vector;
 * listed n-grams of words and of characters are two vectors, so that the many of characters do not outweigh the words.
 * Terms that are not listed are ignored; a text without listed terms is all 0.
 *
 * @see Salton & Buckley (1988), Term-weighting approaches in automatic text retrieval; scikit-learn's TfidfVectorizer
 *   with `sublinear_tf`, which gives the same values up to rounding.
 */
export interface TextColumn extends TextForm {
  readonly kind: 'text';
  readonly name: string;
  readonly weighting: TextWeighting;
  /** Number of training rows with a text. */
  readonly documents: number;
  readonly terms: NamedTerms | HashedTerms;
  readonly missing: LeftMissing;
}

export type TextWeighting = (typeof textWeightings)[number];
export const textWeightings = ['tf-idf', 'counts', 'binary'] as const;

/** Terms listed by name. */
export interface NamedTerms {
  readonly kind: 'named';
  /** Rising by code points. N-grams of tokens are joined by blanks; n-grams of characters start with a tab. */
  readonly names: readonly string[];
  /** Number of training rows with each term; null: the weighting does not need it. */
  readonly frequencies: NumberList | null;
  /** Features of terms that are not listed, after those of the listed ones. Absent: such terms are ignored. */
  readonly others?: OtherTerms;
}

/** Terms that are not listed, hashed to 2^bits features like {@link HashedTerms}. */
interface OtherTerms {
  /** Number of bits, in [1, 24]. */
  readonly bits: number;
  /** Number of training rows with each feature; null: the weighting does not need it. */
  readonly frequencies: NumberList | null;
}

/** Terms hashed to 2^bits features: the low bits of MurmurHash3_x86_32 of their UTF-8 bytes, with seed 0. */
export interface HashedTerms {
  readonly kind: 'hashed';
  /** Number of bits, in [1, 24]. */
  readonly bits: number;
  /** Number of training rows with each feature; null: the weighting does not need it. */
  readonly frequencies: NumberList | null;
  /** Terms seen in training, rising, as names of the features; null: not requested. */
  readonly names: readonly string[] | null;
}

/** Whole numbers in [0, 2³²): up to 256 as numbers, more as base64 of little-endian 32-bit numbers. */
export type NumberList = readonly number[] | EncodedWhole;

/**
 * Two columns crossed: one feature per pair of their features, 1 if both are 1. Both are categories, or numbers or
 * dates with `edges`. Features of rare levels and missing values take part.
 */
export interface TableCross {
  readonly columns: readonly [first: string, second: string];
  /** Pair (i, j) is feature i·width + j of the cross, hashed to 2^bits features if there are more pairs. */
  readonly bits: number;
  /**
   * For each column the rising positions among its features, from 1, at which a group begins: features of a group are
   * one for the cross. Null: each is its own group. Absent: null for both.
   */
  readonly groups?: readonly [CrossGroups, CrossGroups];
}

export type CrossGroups = readonly number[] | null;

/** A missing number, boolean or date is replaced. */
export interface FilledMissing {
  /** Number of missing values in training. */
  readonly count: number;
  /** The replacement before scaling: the mean. */
  readonly fill: number;
  /** True if a further feature marks missing values; so if training had any. */
  readonly indicator: boolean;
}

/** A missing category, set or text has no feature except its indicator. */
interface LeftMissing {
  readonly count: number;
  readonly indicator: boolean;
}

/**
 * The reason why a column has no features. `constant`: a single value; `empty`: no value; `nested`: structures, or
 * lists that are no sets; `unsupported`: another type, such as binary data; `too-many-values`: too many categories;
 * `all-different`: every category occurs once, so nothing can be learned for other rows; `running-number`: numbers that
 * start at 0 or 1 and rise by 1 from row to row; `identifier`: hardly a value repeats, and the name or the values are
 * those of identifiers; `dropped`: on request; `weight`: it has the weights of the rows.
 */
export type LeftOutReason = (typeof leftOutReasons)[number];
export const leftOutReasons = [
  'constant',
  'empty',
  'nested',
  'unsupported',
  'too-many-values',
  'all-different',
  'running-number',
  'identifier',
  'dropped',
  'weight',
] as const;

export interface LeftOutColumn {
  readonly name: string;
  readonly reason: LeftOutReason;
}

/** Returns the trend that a column must have. */
export function trendOf(column: TableColumn): Trend | undefined {
  return column.kind === 'number' ? column.trend : undefined;
}

/** Returns the number of features of a column. */
export function columnWidth(column: TableColumn): number {
  return ownWidth(column) + (column.missing.indicator ? 1 : 0);
}

/** Returns the same without the indicator of missing values. */
function ownWidth(column: TableColumn): number {
  switch (column.kind) {
    case 'category':
    case 'set':
      return column.levels.length + restWidth(column);
    case 'text':
      return termCount(column.terms);
    case 'boolean':
      return 1;
    case 'date':
      if (column.parts !== undefined) return column.parts.reduce((sum, part) => sum + partWidths[part], 1);
  }
  return (column.edges === undefined ? 1 : column.edges.length + 1) + numberLevels(column).length;
}

/** Returns the number of features of the levels that are not listed. */
export function restWidth({ rare, others }: LevelColumn): number {
  return others ? 2 ** others.bits : rare ? 1 : 0;
}

/** Returns the number of features of terms. */
export function termCount(terms: NamedTerms | HashedTerms): number {
  if (terms.kind === 'hashed') return 2 ** terms.bits;
  return terms.names.length + (terms.others ? 2 ** terms.others.bits : 0);
}

/** Returns the number of features of a cross. */
export function crossWidth(cross: TableCross, all: ReadonlyMap<string, TableColumn>): number {
  return Math.min(2 ** cross.bits, crossPairs(cross, all));
}

/** Returns columns by name, so that looking up many crosses takes linear time. */
export function columnsByName(columns: readonly TableColumn[]): Map<string, TableColumn> {
  return new Map(columns.map((column) => [column.name, column]));
}

/** Returns the number of pairs of features, or groups of features, of two columns. */
export function crossPairs(
  { columns, groups }: Pick<TableCross, 'columns' | 'groups'>,
  all: ReadonlyMap<string, TableColumn>,
): number {
  const [a, b] = columns.map((name, k) => groupCount(groups?.[k], columnWidth(all.get(name)!))) as [number, number];
  return a * b;
}

/** Returns the number of groups of the features of a column. */
export function groupCount(groups: CrossGroups | undefined, width: number): number {
  return groups == null ? width : groups.length + 1;
}

/** Tests if a row has at most one feature of the column, with value 1; such columns can be crossed. */
export function isOneHot(column: TableColumn): boolean {
  return (
    column.kind === 'category' || ((column.kind === 'number' || column.kind === 'date') && column.edges !== undefined)
  );
}

/** Returns the number of features of an encoding. */
export function dimension({ columns, crosses = [] }: TableEncoding): number {
  const own = columns.reduce((sum, column) => sum + columnWidth(column), 0);
  const all = columnsByName(columns);
  return crosses.reduce((sum, cross) => sum + crossWidth(cross, all), own);
}

/** Returns true for dense rows; with categories, sets, intervals, parts or text most features of a row are 0. */
export function isDense(encoding: TableEncoding): boolean {
  return encoding.columns.every(
    (column) => !hasTerms(column) && !isOneHot(column) && !(column.kind === 'date' && column.parts !== undefined),
  );
}

/** Tests if the cells of a kind come as words; those of the others are doubles. */
export function comesAsWords(kind: ColumnKind): kind is Exclude<ColumnKind, MeasuredKind> {
  return kind === 'category' || kind === 'set' || kind === 'text';
}

/** Tests if a cell has any number of features: a column of sets or of text. */
export function hasTerms<C extends { readonly kind: ColumnKind }>(
  column: C,
): column is Extract<C, { readonly kind: 'set' | 'text' }> {
  return column.kind === 'text' || column.kind === 'set';
}

/** Compares by code points, like UTF-8 bytes; JavaScript's own order differs above U+D7FF. */
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
