import { HalfspaceError, quote } from '../errors.ts';
import { CategoryFit, mostLevels } from './category/fit.ts';
import type { ColumnFit } from './column-fit.ts';
import type { ColumnOptions } from './feature-options.ts';
import { NumericFit } from './number/fit.ts';
import type { TableChunk } from './table-chunk.ts';
import {
  type ColumnKind,
  columnsByName,
  crossPairs,
  isOneHot,
  type LeftOutColumn,
  type TableColumn,
  type TableCross,
  type TableEncoding,
} from './table-encoding.ts';
import { TextFit } from './text/fit.ts';

/** A column as the fitter is told of it. */
export interface FitColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** What is wanted of it; options that are not of its kind have no say. */
  readonly options?: ColumnOptions | undefined;
}

export interface TableFitterOptions {
  /** The most levels of a category. Default 100,000. */
  readonly mostLevels?: number;
  /** Columns to cross, by their names. Default: none. */
  readonly crosses?: readonly (readonly [first: string, second: string])[];
}

/** Pairs of a cross are hashed to 2^18 features where there are more. */
const crossBits = 18;

/**
 * Learns an encoding from the rows of a table in one pass over them, in order.
 *
 * Means and deviations are Welford's: one update per value, in the order of the rows, so that the same rows give the same
 * bits however they are cut into chunks, and no cancellation when the mean is large against the deviation.
 *
 * @see Welford (1962), Note on a method for calculating corrected sums of squares and products.
 */
export class TableFitter {
  readonly #columns: readonly ColumnFit[];
  readonly #crosses: TableFitterOptions['crosses'];

  constructor(columns: readonly FitColumn[], options: TableFitterOptions = {}) {
    this.#columns = columns.map((column) => fitOf(column, options.mostLevels ?? mostLevels));
    this.#crosses = options.crosses;
  }

  /**
   * Takes note of some rows.
   * @throws HalfspaceError `number-invalid` for a cell that is refused.
   */
  observe(chunk: TableChunk): void {
    this.#columns.forEach((column, c) => {
      column.observe(chunk.columns[c] ?? null, chunk);
    });
  }

  /** Leaves a category column out, whatever it holds: the reader cannot keep its words. */
  leaveOut(column: number): void {
    const fit = this.#columns[column];
    if (fit instanceof CategoryFit) fit.full = true;
  }

  /**
   * The encoding of what was seen. Columns that cannot tell rows apart are left out.
   *
   * @param rest what the data alone do not say, and columns that were left out before.
   * @throws HalfspaceError `number-invalid` for a column whose mean or deviation leaves the range of doubles; `option-invalid` for a cross
   *   of columns that cannot be crossed.
   */
  encoding(rest: Omit<TableEncoding, 'kind' | 'columns' | 'crosses'>): TableEncoding {
    const columns: TableColumn[] = [];
    const leftOut: LeftOutColumn[] = [...rest.leftOut];
    for (const fit of this.#columns) {
      const fitted = fit.fitted();
      if (typeof fitted === 'string') leftOut.push({ name: fit.name, reason: fitted });
      else columns.push(fitted);
    }
    const crosses = (this.#crosses ?? []).map((names) => crossOf(names, columns, leftOut));
    const { format, header, scale, label } = rest;
    return {
      kind: 'table',
      format,
      header,
      scale,
      label,
      columns,
      ...(crosses.length > 0 ? { crosses } : {}),
      leftOut,
    };
  }
}

function fitOf({ name, kind, options = {} }: FitColumn, most: number): ColumnFit {
  switch (kind) {
    case 'category':
      return new CategoryFit(name, most, options.rare);
    case 'text':
      return new TextFit(name, options);
    default:
      return new NumericFit(name, kind, options);
  }
}

function crossOf(
  names: readonly [string, string],
  columns: readonly TableColumn[],
  leftOut: readonly LeftOutColumn[],
): TableCross {
  for (const name of names) {
    const column = columns.find((each) => each.name === name);
    const absent = leftOut.find((each) => each.name === name);
    if (column !== undefined && isOneHot(column)) continue;
    const got = column === undefined ? `left out: ${absent?.reason ?? 'unknown'}` : `a ${column.kind}`;
    throw new HalfspaceError(
      'option-invalid',
      `expected columns to cross to be categories, or numbers with "bins"; got ${quote(name)}, ${got}`,
    );
  }
  const bits = Math.min(crossBits, Math.ceil(Math.log2(crossPairs(names, columnsByName(columns)))));
  return { columns: [names[0], names[1]], bits };
}
