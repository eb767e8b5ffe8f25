import { HalfspaceError, quote } from '../errors.ts';
import { CategoryFit, mostLevels } from './category/fit.ts';
import type { ColumnFit } from './column-fit.ts';
import type { ColumnOptions } from './feature-options.ts';
import { NumericFit } from './number/fit.ts';
import { SetFit } from './set/fit.ts';
import type { TableChunk } from './table-chunk.ts';
import {
  type CellForm,
  type ColumnKind,
  columnsByName,
  crossPairs,
  isOneHot,
  type LeftOutColumn,
  type LeftOutReason,
  type SetForm,
  type TableColumn,
  type TableCross,
  type TableEncoding,
  trendOf,
} from './table-encoding.ts';
import { TextFit } from './text/fit.ts';

/** A column to fit. */
export interface FitColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** The form in which the cells are written. Absent: the plain one. */
  readonly form?: CellForm | SetForm | undefined;
  /** Options of the column; those of other kinds are ignored. */
  readonly options?: ColumnOptions | undefined;
}

export interface TableFitterOptions {
  /** Maximum number of levels of a category. Default 100,000. */
  readonly mostLevels?: number;
  /** Names of the columns to cross. Default: none. */
  readonly crosses?: readonly (readonly [first: string, second: string])[];
  /** True gives short texts n-grams of characters, on trial. Default false. */
  readonly triesLetters?: boolean | undefined;
}

/** A cross with more than 2^18 pairs hashes them to 2^18 features. */
const crossBits = 18;

/**
 * Fits an encoding in one pass over the rows of a table, in order.
 *
 * Means and deviations follow Welford: one update per value, in row order. So the same rows give the same bits for any
 * chunks, and nothing cancels if the mean is large compared to the deviation.
 *
 * @see Welford (1962), Note on a method for calculating corrected sums of squares and products.
 */
export class TableFitter {
  /** One for each column. */
  readonly columns: readonly ColumnFit[];
  readonly #crosses: TableFitterOptions['crosses'];
  readonly #leftOut = new Map<ColumnFit, LeftOutReason>();
  /** Columns that are left out only if others remain. */
  readonly #spare = new Set<ColumnFit>();

  constructor(columns: readonly FitColumn[], options: TableFitterOptions = {}) {
    this.columns = columns.map((column) => fitOf(column, options));
    this.#crosses = options.crosses;
  }

  /** Names of the columns whose n-grams of characters are on trial. */
  get onTrial(): string[] {
    return this.columns.flatMap((fit) => (fit instanceof TextFit && fit.onTrial ? [fit.name] : []));
  }

  /** Adds some rows. @throws HalfspaceError `number-invalid` for a refused cell. */
  observe(chunk: TableChunk): void {
    this.columns.forEach((column, c) => {
      column.observe(chunk.columns[c] ?? null, chunk);
    });
  }

  /**
   * Leaves out a column.
   *
   * @param reason default: a category whose words the reader cannot keep.
   * @param isSpare true: the column stays if no other column has features.
   */
  leaveOut(column: number, reason: LeftOutReason = 'too-many-values', isSpare = false): void {
    const fit = this.columns[column]!;
    this.#leftOut.set(fit, reason);
    if (isSpare) {
      this.#spare.add(fit);
      return;
    }
    if (fit instanceof CategoryFit) fit.full = true;
  }

  /**
   * Returns the fitted encoding, without columns that cannot tell rows apart.
   *
   * @param rest the members that rows alone do not determine, and columns that were left out before.
   * @throws HalfspaceError `number-invalid` if a mean or deviation overflows; `option-invalid` for columns that cannot
   *   be crossed.
   */
  encoding(rest: Omit<TableEncoding, 'kind' | 'columns' | 'crosses'>): TableEncoding {
    const fitted: (TableColumn | LeftOutReason)[] = this.columns.map((fit) => this.#leftOut.get(fit) ?? fit.fitted());
    if (!fitted.some((each) => typeof each !== 'string'))
      this.columns.forEach((fit, c) => {
        if (this.#spare.has(fit)) fitted[c] = fit.fitted();
      });
    const columns: TableColumn[] = [];
    const leftOut: LeftOutColumn[] = [...rest.leftOut];
    fitted.forEach((each, c) => {
      if (typeof each === 'string') leftOut.push({ name: this.columns[c]!.name, reason: each });
      else columns.push(each);
    });
    const crosses = (this.#crosses ?? []).map((names) => crossOf(names, columns, leftOut));
    const { format, header, scale, missing, notMissing, label } = rest;
    return {
      kind: 'table',
      format,
      header,
      scale,
      ...(missing === undefined ? {} : { missing }),
      ...(notMissing === undefined ? {} : { notMissing }),
      label,
      columns,
      ...(crosses.length > 0 ? { crosses } : {}),
      leftOut,
    };
  }
}

function fitOf(
  { name, kind, form, options = {} }: FitColumn,
  { mostLevels: most = mostLevels, triesLetters }: TableFitterOptions,
): ColumnFit {
  switch (kind) {
    case 'category':
      return new CategoryFit(name, most, options);
    case 'set':
      return new SetFit(name, most, options, (form ?? options) as SetForm);
    case 'text':
      return new TextFit(name, options, triesLetters);
    default:
      return new NumericFit(name, kind, options, form as CellForm | undefined);
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
    const trend = column && trendOf(column);
    if (column !== undefined && isOneHot(column) && trend === undefined) continue;
    const got =
      column === undefined
        ? `left out: ${absent?.reason ?? 'unknown'}`
        : `a ${trend === undefined ? '' : `${trend} `}${column.kind}`;
    throw new HalfspaceError(
      'option-invalid',
      `expected columns to cross to be categories, or numbers with "bins"; got ${quote(name)}, ${got}`,
    );
  }
  const bits = Math.min(crossBits, Math.ceil(Math.log2(crossPairs({ columns: names }, columnsByName(columns)))));
  return { columns: [names[0], names[1]], bits };
}
