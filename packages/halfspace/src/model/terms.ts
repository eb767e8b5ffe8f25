import type { FeatureEncoding } from '../features/encoding.ts';
import { featureNamer } from '../features/names.ts';
import {
  columnsByName,
  columnWidth,
  crossWidth,
  hasTerms,
  type MeasuredColumn,
  numberLevels,
  type TableColumn,
  type TableEncoding,
} from '../features/table-encoding.ts';

/** Value of a term in a row. */
export type TermValue = number | string | boolean | null;

/** A feature of a row with its value. */
export type Present = readonly [j: number, value: number];

/** Features that stand side by side, and how they become terms. */
export interface TermGroup {
  /** The last feature is `end` − 1. */
  readonly end: number;
  /** The name of the only term of the group; null: each feature is a term. */
  readonly name: string | null;
  /** Returns the value of the only term, by the features of the group that are not 0 in a row. */
  readonly valueIn: (present: readonly Present[]) => TermValue;
}

/** Returns the groups of an encoding, in the order of the features. */
export function termGroups(features: FeatureEncoding): readonly TermGroup[] {
  if (features.kind !== 'table') return [{ end: Infinity, name: null, valueIn: () => null }];
  const { columns, crosses = [], scale } = features;
  const all = columnsByName(columns);
  const nameOf = featureNamer(features);
  const groups: TermGroup[] = [];
  let end = 0;
  const add = (width: number, name: string | null, valueIn: (first: number) => TermGroup['valueIn']) => {
    const first = end;
    end += width;
    groups.push({ end, name, valueIn: valueIn(first) });
  };
  for (const column of columns)
    add(columnWidth(column), hasTerms(column) ? null : column.name, (first) =>
      valueReader(column, { first, scale, nameOf }),
    );
  for (const cross of crosses)
    add(crossWidth(cross, all), cross.columns.join(' × '), () => (present) => firstName(present, nameOf));
  return groups;
}

interface Place {
  readonly first: number;
  readonly scale: TableEncoding['scale'];
  readonly nameOf: (j: number) => string;
}

/** Returns a function that reads the value of a column from its features. */
function valueReader(column: TableColumn, { first, scale, nameOf }: Place): TermGroup['valueIn'] {
  const { kind, missing } = column;
  const indicator = missing.indicator ? first + columnWidth(column) - 1 : -1;
  const isMissing = (present: readonly Present[]) => present.some(([j]) => j === indicator);
  if (hasTerms(column)) return () => null;
  if (kind === 'category')
    return (present) =>
      isMissing(present) || present.length === 0
        ? null
        : (column.levels[present[0]![0] - first] ?? nameOf(present[0]![0]));
  if ('edges' in column && column.edges !== undefined)
    return (present) => (isMissing(present) ? null : firstName(present, nameOf));
  return (present) => {
    if (isMissing(present)) return null;
    const word = numberLevels(column).find((_, k) => present.some(([j]) => j === first + 1 + k));
    if (word !== undefined) return word;
    const value = present.find(([j]) => j === first)?.[1] ?? 0;
    return kind === 'boolean' ? value === 1 : ofColumn(column, scale === 'standard' ? unscaled(value, column) : value);
  };
}

function firstName(present: readonly Present[], nameOf: (j: number) => string): string | null {
  return present.length === 0 ? null : nameOf(present[0]![0]);
}

/** Takes back (x − mean) / deviation, and the digits that its rounding can have changed. */
function unscaled(value: number, { mean, ...column }: MeasuredColumn): number {
  const deviation = 'deviation' in column ? column.deviation : 1;
  const x = value * deviation + mean;
  const largest = Math.max(Math.abs(x), Math.abs(mean), Math.abs(value * deviation));
  const decimals = 13 - Number(largest.toExponential().split('e')[1]);
  return largest > 0 && decimals >= 0 && decimals <= 100 ? Number(x.toFixed(decimals)) + 0 : x;
}

/** Returns a number; of dates the date, and the time if there is one. */
function ofColumn({ kind }: MeasuredColumn, value: number): TermValue {
  const time = Math.round(value * 86_400_000);
  if (kind !== 'date' || !(Math.abs(time) <= 8.64e15)) return value;
  return new Date(time).toISOString().replace(/(T00:00:00)?\.000Z$/, (_, midnight) => (midnight ? '' : 'Z'));
}
