/*
 * The functions of which exported programs consist, besides their data. `scripts/build-export-runtime.mjs` makes text
 * of this file and of what it imports; `module.ts` takes what a model needs. So an exported program reads rows by the
 * same code as `Predictor`.
 */

import { hashedLevel } from '../../features/category/hashed-level.ts';
import { wordReader } from '../../features/cell-forms.ts';
import { crossSlot } from '../../features/cross/pair.ts';
import { type DatePart, partOf } from '../../features/date/parts.ts';
import { countUpTo, intervalOf } from '../../features/number/row.ts';
import { fieldAt, valueBeside } from '../../features/record.ts';
import { setEncoder } from '../../features/set/row.ts';
import {
  booleanCell,
  cellText,
  dateCell,
  daysOf,
  levelOf,
  numberCell,
  unlessMissing,
} from '../../features/table-cell.ts';
import type { SetColumn, TextColumn } from '../../features/table-encoding.ts';
import { TermFeatures } from '../../features/text/term-features.ts';
import { fourLanes } from '../../kernels/lanes.ts';
import { interpolate, sigmoid } from '../../model/calibration.ts';
import { byLead, shares, softmax } from '../../model/class-probabilities.ts';
import { applyKernel } from '../../model/dual/kernel-function.ts';
import { childOf } from '../../model/tree/decision-tree.ts';
import type { Expansion } from '../dual.ts';

export { byLead, fieldAt, interpolate, shares, sigmoid, softmax, unlessMissing, valueBeside, wordReader };

/** True if features of value 0 count in the order of the sum, as in dense rows. The program says which. */
declare const dense: boolean;

/** The features of the current row: positions and values. */
export const indices: number[] = [];
export const values: number[] = [];
export let count = 0;

export function begin(): void {
  count = 0;
}

export function put(index: number, value: number): void {
  if (value === 0 && !dense) return;
  indices[count] = index;
  values[count++] = value;
}

/** Refuses a row. @param field whose value cannot be read. */
export function fail(expected: string, value: unknown, field: string | number = 'row'): never {
  throw new TypeError(`${field}: expected ${expected}; got ${value}`);
}

/** Refuses a row that is no object of fields: a list, a map, a date, …. In few bytes. */
export function checkRecord(row: unknown): void {
  if (Object.prototype.toString.call(row) !== '[object Object]') fail('fields by name', row);
}

/** Returns a field whose name all objects inherit. */
export function own(row: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}

/* The readers of the value of a field return NaN for a missing value, and throw a TypeError with the field. */

export function asNumber(value: unknown, field: string, read = numberCell): number {
  if (typeof value === 'number' && value - value === 0) return value;
  const x =
    value == null
      ? NaN
      : typeof value === 'string'
        ? read(value)
        : typeof value === 'bigint'
          ? Number(value)
          : Infinity;
  if (Math.abs(x) === Infinity) fail('a finite number', value, field);
  return x;
}

export function asBoolean(value: unknown, field: string): number {
  if (value == null) return NaN;
  if (value === true || value === 1) return 1;
  if (value === false || value === 0) return 0;
  const x = typeof value === 'string' ? booleanCell(value) : Infinity;
  if (Math.abs(x) === Infinity) fail('true or false', value, field);
  return x;
}

/** @param read reads text and numbers in another form than ISO 8601. */
export function asDate(value: unknown, field: string, read?: (word: string) => number): number {
  if (value == null) return NaN;
  let x = Infinity;
  if (typeof value === 'string') x = (read ?? dateCell)(value);
  else if (read && (typeof value === 'number' || typeof value === 'bigint')) x = read(String(value));
  else if (value instanceof Date) {
    const time = value.getTime();
    const day = Math.floor(time / 86_400_000);
    x = Number.isFinite(time) ? daysOf(day, (time - day * 86_400_000) * 1000) : Infinity;
  }
  if (Math.abs(x) === Infinity) fail('a date', value, field);
  return x;
}

/** Returns the category in a field; null if it is missing. */
export function asText(value: unknown, field: string): string | null {
  if (value == null) return null;
  if (typeof value === 'string') return cellText(value);
  if (typeof value === 'number' && value - value === 0) return String(value + 0);
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  return fail('a value', value, field);
}

/** Returns the text of a set; of a list, JSON of its values. */
export function asSet(value: unknown, field: string): string | null {
  if (!Array.isArray(value)) return asText(value, field);
  return JSON.stringify(value.map((each) => asText(each, field)));
}

/** Puts the feature of a column of numbers. */
export function number(
  value: unknown,
  field: string,
  first: number,
  mean: number,
  deviation: number,
  filled: number,
  marks?: boolean,
): void {
  scaled(asNumber(value, field), field, first, mean, deviation, filled, marks);
}

/** Puts the features of columns of numbers that lie side by side; a missing value has the feature 0. */
export function numbers(
  row: Readonly<Record<string, unknown>>,
  names: readonly string[],
  first: number,
  means: readonly number[],
  deviations: readonly number[],
): void {
  for (let k = 0; k < means.length; k++) number(row[names[k]!], names[k]!, first + k, means[k]!, deviations[k]!, 0);
}

/** Puts the scaled value x of a field, or `filled` if it is missing. @param marks put the indicator of that. */
export function scaled(
  x: number,
  field: string,
  first: number,
  mean: number,
  deviation: number,
  filled: number,
  marks?: boolean,
): void {
  const feature = (x - mean) / deviation;
  if (Math.abs(feature) === Infinity) fail('a number that can be scaled', x, field);
  const isMissing = Number.isNaN(feature);
  put(first, isMissing ? filled : feature);
  if (marks) put(first + 1, isMissing ? 1 : 0);
}

/** Puts the same of a number in whose place words have features. @param levels number of these words. */
export function worded(
  x: number,
  field: string,
  first: number,
  mean: number,
  deviation: number,
  filled: number,
  levels: number,
  marks?: boolean,
): void {
  const level = levelOf(x, levels);
  scaled(level < 0 ? x : Number.NaN, field, first, mean, deviation, filled);
  for (let k = 0; k < levels; k++) put(first + 1 + k, k === level ? 1 : 0);
  if (marks) put(first + 1 + levels, Number.isNaN(x) ? 1 : 0);
}

/** Puts a feature of value 1; none below 0. Returns it. */
export function one(feature: number): number {
  if (feature >= 0) put(feature, 1);
  return feature;
}

/** Returns the feature of the interval in which x lies. @param levels number of words in place of x with features. */
export function interval(x: number, first: number, edges: readonly number[], absent: number, levels = 0): number {
  return Number.isNaN(x) ? absent : first + intervalOf(x, edges, levels);
}

export function positions(names: readonly string[]): Map<string, number> {
  return new Map(names.map((name, position) => [name, position]));
}

/** Returns the feature of a level. @param rest of a level that is not listed; below 0: none. */
export function level(
  text: string | null,
  first: number,
  levels: ReadonlyMap<string, number>,
  absent: number,
  rest: number,
  bits?: number,
): number {
  if (text === null) return absent;
  const position = levels.get(text);
  if (position !== undefined) return first + position;
  return bits === undefined ? rest : rest + hashedLevel(text, bits);
}

/** Puts the features of the parts of a date. @param first feature of each part. */
export function datePart(x: number, part: DatePart, first: number): void {
  const value = partOf(part, x);
  if (value >= 0) put(first + value, 1);
}

export function setOf(column: SetColumn, first: number): (text: string | null) => void {
  const encode = setEncoder(column, first);
  return (text) => encode(text, put);
}

export function textOf(column: TextColumn, first: number): (text: string | null) => void {
  const terms = new TermFeatures(column, first);
  return (text) => terms.encode(text, put);
}

/** Puts the pair of two one-hot features. @param groups the starts of groups of each column. */
export function pair(
  a: number,
  b: number,
  firstA: number,
  firstB: number,
  width: number,
  pairs: number,
  bits: number,
  first: number,
  groups: readonly (readonly number[] | null)[] = [],
): void {
  const group = (j: number, starts: readonly number[] | null | undefined) => (starts ? countUpTo(j, starts) : j);
  if (a < 0 || b < 0) return;
  const [one, other] = [group(a - firstA, groups[0]), group(b - firstB, groups[1])];
  put(first + crossSlot(one * width + other, pairs, bits), 1);
}

/** Puts the numbers of a list, or of `{ indices, values }`. @param length of a list. */
export function readNumbers(row: unknown, length: number, positionOf: (index: number) => number): void {
  const { indices: at, values: xs } = (row ?? {}) as { indices?: unknown; values?: unknown };
  const isList = (list: unknown): list is ArrayLike<number> =>
    typeof list === 'object' && list !== null && Number.isSafeInteger((list as { length?: unknown }).length);
  if (isList(at) && isList(xs)) {
    if (at.length !== xs.length) fail(`${at.length} values`, xs.length);
    const sums = new Map<number, number>();
    for (let k = 0; k < at.length; k++) {
      const j = at[k]!;
      if (!(Number.isSafeInteger(j) && j >= 0)) fail('a feature index', j);
      sums.set(j, finite(finite(xs[k], j) + (sums.get(j) ?? 0), j));
    }
    for (const [j, value] of sums) put(positionOf(j), value);
  } else if (isList(row)) {
    for (let j = 0; j < row.length; j++) put(positionOf(j), finite(row[j], j));
    if (row.length !== length) fail(`${length} numbers`, row.length);
  } else fail('numbers, or indices and values', row);
}

export function finite(value: unknown, field: string | number): number {
  if (typeof value === 'number' && value - value === 0) return value;
  fail('a finite number', value, field);
}

/** Puts the named numbers of an object. */
export function readNames(row: Readonly<Record<string, unknown>>, places: ReadonlyMap<string, number>): void {
  for (const name of Object.keys(row)) {
    const position = places.get(name);
    if (position !== undefined) put(position, finite(row[name], name));
  }
}

/** Returns a function that reads the weight of a feature. Features that the model does not have weigh 0. */
export function denseWeights(weights: readonly number[]): (index: number) => number {
  return (index) => weights[index] ?? 0;
}

/** Returns the same for weights that are mostly 0. */
export function sparseWeights(at: readonly number[], weights: readonly number[]): (index: number) => number {
  const byIndex = new Map(at.map((index, k) => [index, weights[k]!]));
  return (index) => byIndex.get(index) ?? 0;
}

/** Returns Σ w·(x / divisor) + offset in four lanes, which end as (s0 + s1) + (s2 + s3). */
export function linear(weightOf: (index: number) => number, divisor: number, offset: number): number {
  const lanes: [number, number, number, number] = [0, 0, 0, 0];
  for (let k = 0; k < count; k++) lanes[k & 3]! += weightOf(indices[k]!) * (values[k]! / divisor);
  const score = lanes[0] + lanes[1] + (lanes[2] + lanes[3]) + offset;
  return score - score === 0 ? score : fail('a finite score', score);
}

/** Returns the position of the highest number; the first of equal ones. */
export function highest(numbers: readonly number[]): number {
  let best = 0;
  for (let k = 1; k < numbers.length; k++) if (numbers[k]! > numbers[best]!) best = k;
  return best;
}

/** A column of a tree: whether it is a category, its first feature, its indicator of a missing value, its scaling. */
type TreeColumn = readonly [isCategory: 0 | 1, first: number, indicator: number, mean: number, deviation: number];

/** Returns the leaf of the current row. @param owners the column of each feature. */
export function leafOf(
  columns: readonly TreeColumn[],
  owners: readonly number[],
  splits: readonly (Parameters<typeof childOf>[0] | null)[],
): number {
  const cells = columns.map(([isCategory, , , mean]) => (isCategory ? -1 : mean));
  for (let k = 0; k < count; k++) {
    const index = indices[k]!;
    const value = values[k]!;
    const c = owners[index];
    if (c === undefined) continue;
    const [isCategory, first, indicator, mean, deviation] = columns[c]!;
    if (isCategory) {
      if (value !== 0) cells[c] = index === indicator ? -1 : index - first;
    } else if (index !== indicator) cells[c] = value * deviation + mean;
    else if (value !== 0) cells[c] = NaN;
  }
  let node = 0;
  for (let split = splits[0]!; split !== null; split = splits[node]!) node = childOf(split, cells[split.column]!);
  return node;
}

/** The features of a row that are not 0, rising, with their values divided as in training. */
type Point = readonly (readonly [feature: number, value: number])[];

export function pointOf(divisor: number): Point {
  const point: [number, number][] = [];
  for (let k = 0; k < count; k++) {
    const x = values[k]! / divisor;
    if (indices[k]! >= 0 && x !== 0) point.push([indices[k]!, x]);
  }
  return point.sort(([a], [b]) => a - b);
}

/** Returns a function that returns Σ αⱼ K(xⱼ, x) of a row. @param features of the places. */
export function expansion(
  { kernel, biasConstant, offsets, places, values, rows, coefficients, time, survivals }: Expansion,
  features: readonly number[],
): (point: Point) => number {
  const placeOf = new Map(features.map((feature, place) => [feature, place]));
  const vector = new Float64Array(features.length);
  const support = offsets.length - 1;
  const sums = (term: (k: number) => number) =>
    Float64Array.from({ length: support }, (_, j) =>
      fourLanes(offsets[j + 1]! - offsets[j]!, (k) => term(offsets[j]! + k)),
    );
  const norms = sums((k) => values[k]! * values[k]!);
  return (point) => {
    const write = (isClearing: boolean) => {
      for (const [feature, x] of point) {
        const place = placeOf.get(feature);
        if (place !== undefined) vector[place] = isClearing ? 0 : x;
      }
    };
    write(false);
    const products = sums((k) => vector[places[k]!]! * values[k]!);
    write(true);
    const norm = fourLanes(point.length, (k) => point[k]![1] * point[k]![1]);
    applyKernel(kernel, products, { count: support, biasConstant, norms: { rows: norms, point: norm } });
    let sum = 0;
    let votes = 0;
    for (let k = 0; k < rows.length; k++) {
      sum += coefficients[k]! * products[rows[k]!]!;
      if (survivals !== null) votes += Math.sign(sum) * survivals[k]!;
    }
    if (sum - sum !== 0) fail('a finite score', sum);
    const total = survivals === null ? sum : votes;
    const score = time === null ? total : time === 0 ? 0 : total / time;
    return score - score === 0 ? score : fail('a finite score', score);
  };
}
