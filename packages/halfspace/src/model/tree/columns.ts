import { HalfspaceError, quote } from '../../errors.ts';
import { refusedCell, refusedNumber } from '../../features/table-cell.ts';

/** A column of a tree: its name, and the meaning of its values. */
export type TreeColumn = NumericTreeColumn | CategoryTreeColumn;

/** Numbers; booleans are 0 and 1, dates are days since 1970-01-01 UTC. */
export interface NumericTreeColumn {
  readonly kind: 'number' | 'boolean' | 'date';
  readonly name: string;
}

export interface CategoryTreeColumn {
  readonly kind: 'category';
  readonly name: string;
  /** Different names; a value is a position in this list. */
  readonly levels: readonly string[];
}

/** Values of a column: n numbers (NaN: missing), or for a category n positions of levels (−1: missing). */
export type TreeValues = Float64Array | Int32Array;

/** Training examples by column. The arrays belong to the caller and are never written. */
export interface TreeTable {
  /** The number of rows n, at least 1. */
  readonly rows: number;
  /** May be empty; the tree is then one leaf. */
  readonly columns: readonly TreeColumn[];
  /** At least n values per column: `Int32Array` for a category, `Float64Array` for others. */
  readonly values: readonly TreeValues[];
  /** Names of the K classes, K ≥ 2. */
  readonly classes: readonly string[];
  /** The class of each row, as a position in `classes`. */
  readonly labels: Int32Array;
  /**
   * The importance of each row, in [0, ∞); null: all 1. A row of importance h counts h times in the criterion, in
   * `minLeaf` and in the counts of nodes. A row of importance 0 counts as absent.
   */
  readonly importance: Float64Array | null;
}

/**
 * @throws HalfspaceError `source-empty` if no row has importance above 0; `row-malformed`, `number-invalid` or
 *   `label-classes` with row and column.
 */
export function checkTreeTable({ rows, columns, values, classes, labels, importance }: TreeTable): void {
  if (!(rows > 0)) throw new HalfspaceError('source-empty', 'expected rows to learn from; got none');
  if (values.length !== columns.length)
    throw new HalfspaceError('row-malformed', `expected values of ${columns.length} columns; got ${values.length}`);
  if (classes.length < 2)
    throw new HalfspaceError('label-classes', `expected at least two classes; got ${classes.length}`);
  columns.forEach((column, c) => {
    checkValues(column, values[c]!, rows);
  });
  checkLength('labels', labels.length, rows);
  for (let i = 0; i < rows; i++)
    if (!(labels[i]! >= 0 && labels[i]! < classes.length))
      throw new HalfspaceError('label-classes', `expected a class in [0, ${classes.length}); got ${labels[i]}`, {
        row: i + 1,
      });
  if (importance !== null) checkImportance(importance, rows);
}

/** Returns the table without rows of importance 0, which must not influence bins and thresholds. */
export function importantRows(table: TreeTable): TreeTable {
  const importance = table.importance?.subarray(0, table.rows);
  if (importance === undefined || !importance.includes(0)) return table;
  const counts = (_: number, i: number) => importance[i]! > 0;
  const kept = importance.filter(counts);
  return {
    ...table,
    rows: kept.length,
    values: table.values.map((values) => values.subarray(0, table.rows).filter(counts)),
    labels: table.labels.subarray(0, table.rows).filter(counts),
    importance: kept,
  };
}

function checkValues(column: TreeColumn, values: TreeValues, rows: number): void {
  const { kind, name } = column;
  checkLength(`values of ${quote(name)}`, values.length, rows);
  if (values instanceof Int32Array !== (kind === 'category'))
    throw new TypeError(`column ${name} must come as ${kind === 'category' ? 'Int32Array' : 'Float64Array'}`);
  if (kind === 'category') {
    const count = column.levels.length;
    for (let i = 0; i < rows; i++)
      if (!(values[i]! >= -1 && values[i]! < count))
        throw new HalfspaceError('row-malformed', `expected a level in [-1, ${count}); got ${values[i]}`, {
          row: i + 1,
          field: name,
        });
    return;
  }
  for (let i = 0; i < rows; i++)
    if (Math.abs(values[i]!) === Infinity)
      throw refusedCell(kind, refusedNumber, values[i], { row: i + 1, field: name });
}

function checkImportance(importance: Float64Array, rows: number): void {
  checkLength('importance weights', importance.length, rows);
  let counts = false;
  for (let i = 0; i < rows; i++) {
    const value = importance[i]!;
    if (!(value >= 0 && value < Infinity))
      throw new HalfspaceError('number-invalid', `expected an importance weight in [0, ∞); got ${quote(value)}`, {
        row: i + 1,
      });
    counts ||= value > 0;
  }
  if (!counts) throw new HalfspaceError('source-empty', 'expected rows with an importance above 0; got none');
}

function checkLength(what: string, got: number, rows: number): void {
  if (got < rows) throw new HalfspaceError('row-malformed', `expected ${rows} ${what}; got ${got}`);
}
