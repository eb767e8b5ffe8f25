import { HalfspaceError, quote } from '../errors.ts';
import {
  columnWidth,
  crossWidth,
  groupCount,
  type MeasuredColumn,
  type NumberColumn,
  type TableColumn,
  type TableCross,
  type TableEncoding,
} from '../features/table-encoding.ts';
import { missingHint } from '../table/kinds.ts';

/** A column and its features. */
export interface PlacedColumn {
  readonly column: TableColumn;
  /** Position among the columns. */
  readonly at: number;
  /** The features are [first, first + width). */
  readonly first: number;
  readonly width: number;
  /** True if a cross uses the column. */
  readonly isCrossed: boolean;
}

/** A cross and its features [first, first + width). */
export interface PlacedCross {
  readonly cross: TableCross;
  readonly columns: readonly [PlacedColumn, PlacedColumn];
  /** Number of groups of each column. */
  readonly counts: readonly [number, number];
  readonly first: number;
  readonly width: number;
}

/** Returns the columns and crosses of a table with the positions of their features. */
export function placed({ columns, crosses = [] }: TableEncoding): {
  readonly columns: readonly PlacedColumn[];
  readonly crosses: readonly PlacedCross[];
} {
  let first = 0;
  const crossed = new Set(crosses.flatMap((cross) => cross.columns));
  const all = columns.map((column, at) => {
    const own = { column, at, first, width: columnWidth(column), isCrossed: crossed.has(column.name) };
    first += own.width;
    return own;
  });
  const byName = new Map(all.map((each) => [each.column.name, each]));
  const plain = new Map(columns.map((column) => [column.name, column]));
  return {
    columns: all,
    crosses: crosses.map((cross) => {
      const pair = cross.columns.map((name) => byName.get(name)!) as [PlacedColumn, PlacedColumn];
      const counts = pair.map(({ width }, k) => groupCount(cross.groups?.[k], width)) as [number, number];
      const own = { cross, columns: pair, counts, first, width: crossWidth(cross, plain) };
      first += own.width;
      return own;
    }),
  };
}

/**
 * Says what a program takes for a column of numbers: the words beside them are for the caller.
 *
 * @throws HalfspaceError `option-invalid` for words in place of numbers that have features.
 */
export function numberInput({ name, notation }: NumberColumn): string {
  if (notation === undefined) return 'a number';
  const { unit, words = [], levels, missing = [] } = notation;
  if (levels !== undefined)
    throw new HalfspaceError(
      'option-invalid',
      `expected numbers; got the word ${quote(levels[0])} among those of ${quote(name)}: use JavaScript, or train again with ${missingHint(levels[0]!)}`,
    );
  const factors = words.filter(({ factor }) => factor !== null && factor !== 1);
  const bare = [...(unit === undefined ? [] : [unit]), ...words.map(({ text }) => text)].map((text) => quote(text));
  const times = factors.map(({ text, factor }) => `${quote(text)} multiplies by ${factor}`);
  return [
    `a number${bare.length === 0 ? ', however it is written in the training table' : `, without ${bare.join(', ')} of the training table`}`,
    ...times,
    ...(missing.length === 0 ? [] : [`${missing.map((text) => quote(text)).join(', ')}: no number`]),
  ].join('; ');
}

/** Returns mean and deviation of a measured column, by which its values are scaled, and the scaled replacement. */
export function scalingOf(
  column: MeasuredColumn,
  encoding: TableEncoding,
): { readonly mean: number; readonly deviation: number; readonly filled: number } {
  const [mean, deviation] =
    encoding.scale === 'standard' && column.kind !== 'boolean' ? [column.mean, column.deviation] : [0, 1];
  return { mean, deviation, filled: (column.missing.fill - mean) / deviation };
}
