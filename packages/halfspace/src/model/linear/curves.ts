import type { DateFormat } from '../../features/date/format-names.ts';
import { partRanges } from '../../features/date/part-ranges.ts';
import type { FeatureEncoding } from '../../features/encoding.ts';
import {
  type CrossGroups,
  columnsByName,
  columnWidth,
  crossPairs,
  crossWidth,
  type DateColumn,
  type NumberColumn,
  type TableColumn,
} from '../../features/table-encoding.ts';
import { featureNamer } from '../../features/table-feature-names.ts';
import type { LinearFunction } from './model.ts';
import { type Weighted, weightReader } from './sparse-weights.ts';

/** Groups of the features of a column: first intervals, then words and missing values. */
export interface Steps {
  readonly column: string;
  /** Of dates, which are days since 1970-01-01. Absent: the column has no dates. */
  readonly format?: DateFormat;
  /** Edges between the intervals, rising. Null: there are no intervals. */
  readonly edges: readonly number[] | null;
  readonly names: readonly string[];
}

/** The values that a bent column adds to a score. */
interface Curve extends Steps {
  readonly edges: readonly number[];
  /** One value for each interval, then one for each name. */
  readonly values: Float64Array;
  /** The share of the rows that each value is for. Absent: not known. */
  readonly shares?: Float64Array;
  /** Mean distance of the values from their mean, over the rows; without shares each value counts alike. */
  readonly spread: number;
}

/** The values that two crossed columns add to a score, beside those that both add alone. */
interface Grid {
  readonly sides: readonly [Steps, Steps];
  /** Number of groups of each side. */
  readonly size: readonly [number, number];
  /** Row by row: for each group of the first side one value for each group of the second. */
  readonly values: Float64Array;
  /** As of a {@link Curve}. */
  readonly spread: number;
}

/** A linear function in parts. The curves and grids that move the score most come first. */
export interface SplitFunction {
  readonly curves: readonly Curve[];
  readonly grids: readonly Grid[];
  /** The function without the weights of curves and grids. */
  readonly others: Weighted;
}

/** Largest number of groups of a side of a grid; the features of larger pairs stay among the others. */
const mostGroups = 40;

/**
 * Takes curves and grids out of a linear function.
 *
 * @param means of all features over some rows: of an interval, its share of them. With means the values of a curve, and
 *   of a grid, have mean 0 over these rows.
 */
export function splitFunction(features: FeatureEncoding, linear: LinearFunction, means?: Float64Array): SplitFunction {
  if (features.kind !== 'table') return { curves: [], grids: [], others: linear };
  const { columns, crosses = [] } = features;
  if (crosses.length === 0 && !columns.some((column) => isBent(column) || ringsOf(column, 0).length > 0))
    return { curves: [], grids: [], others: linear };
  const weight = weightReader(linear);
  const others = linear.weights.slice();
  const take = (from: number, width: number) => {
    others.fill(0, from, from + width);
    const values = Float64Array.from({ length: width }, (_, j) => weight(from + j) / linear.divisor);
    if (means === undefined)
      return {
        values,
        spread: spreadOf(
          values,
          values.map(() => 1 / width),
        ),
      };
    const shares = means.slice(from, from + width);
    const mean = values.reduce((sum, value, j) => sum + value * shares[j]!, 0);
    return { values: values.map((value) => value - mean), shares, spread: spreadOf(values, shares) };
  };
  const [curves, grids]: [Curve[], Grid[]] = [[], []];
  let end = 0;
  for (const column of columns) {
    const width = columnWidth(column);
    if (isBent(column)) curves.push({ ...stepsOf(column), edges: column.edges!, ...take(end, width) });
    for (const { part, first, length } of ringsOf(column, end)) {
      // Values as their names count them: months from 1, hours from 0, weekdays from 1, which is Monday.
      const edges = Array.from({ length: length - 1 }, (_, k) => k + (part === 'hour' ? 1 : 2));
      curves.push({ column: `${column.name} ${part}`, edges, names: [], ...take(first, length) });
    }
    end += width;
  }
  const all = columnsByName(columns);
  for (const cross of crosses) {
    const width = crossWidth(cross, all);
    const sides = cross.columns.map((name, k) => stepsOf(all.get(name)!, cross.groups?.[k])) as [Steps, Steps];
    const size = sides.map(({ edges, names }) => (edges === null ? 0 : edges.length + 1) + names.length);
    if (Math.max(...size) <= mostGroups && width === crossPairs(cross, all)) {
      const { values, spread } = take(end, width);
      grids.push({ sides, size: size as [number, number], values, spread });
    }
    end += width;
  }
  const strongestFirst = (one: { spread: number }, other: { spread: number }) => other.spread - one.spread;
  return { curves: curves.sort(strongestFirst), grids: grids.sort(strongestFirst), others: { weights: others } };
}

/** Returns the mean distance of values from their mean. @param shares of the values; they add up to 1 or less. */
function spreadOf(values: Float64Array, shares: Float64Array): number {
  const total = shares.reduce((sum, share) => sum + share, 0) || 1;
  const mean = values.reduce((sum, value, j) => sum + value * shares[j]!, 0) / total;
  return values.reduce((sum, value, j) => sum + Math.abs(value - mean) * shares[j]!, 0);
}

function isBent(column: TableColumn): column is NumberColumn | DateColumn {
  return 'edges' in column && column.edges !== undefined;
}

/** Returns the parts of bent dates. */
function ringsOf(column: TableColumn, at: number): ReturnType<typeof partRanges> {
  return column.kind === 'date' && column.wraps === true ? partRanges(column, at) : [];
}

function stepsOf(column: TableColumn, groups: CrossGroups = null): Steps {
  const { name } = column;
  const width = columnWidth(column);
  const starts = [...(groups ?? Array.from({ length: width - 1 }, (_, j) => j + 1))];
  const edges = isBent(column) ? column.edges! : null;
  const intervals = edges === null ? 0 : edges.length + 1;
  const nameOf = featureNamer({ columns: [column] });
  const read = (j: number) => {
    const full = nameOf(j);
    return full.startsWith(`${name}=`) || full.startsWith(`${name} `) ? full.slice(name.length + 1) : full;
  };
  const named = (edges === null ? [0, ...starts] : starts).filter((start) => start >= intervals);
  return {
    column: name,
    ...(column.kind === 'date' ? { format: column.format ?? 'iso' } : {}),
    edges: edges && starts.flatMap((start) => (start < intervals ? [edges[start - 1]!] : [])),
    names: named.map((start, k) => {
      const last = (named[k + 1] ?? width) - 1;
      return last === start ? read(start) : `${read(start)} … ${read(last)}`;
    }),
  };
}
