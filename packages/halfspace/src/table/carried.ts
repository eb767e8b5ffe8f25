import { HalfspaceError, quote } from '../errors.ts';
import { listed } from './listed.ts';
import type { SourceColumn, Table } from './table.ts';

/** A request for columns that no model needs, such as those that `predict` copies to its output. */
export interface Carry {
  /** Names of the columns; null: all columns of the first table, which the other tables must have too. */
  readonly names: readonly string[] | null;
  /** Called before each batch is delivered, with the cells of the same rows. They are valid as long as the batch. */
  take(rows: CarriedRows): void;
}

/** The cells of a batch's rows in the carried columns. */
interface CarriedRows {
  /** Returns a cell as it is in the table; null: no value. `column`: position among the carried columns, from 0. */
  cell(column: number, row: number): string | null;
  /** Returns the text of a whole row of JSON. */
  text(row: number): string;
}

/** Returns the carried columns of each table. @throws HalfspaceError `column-unknown`. */
export function carriedColumns(tables: readonly Table[], { names }: Carry): SourceColumn[][] {
  const expected = names ?? tables[0]!.columns.map(({ name }) => name);
  return tables.map((table) => {
    const columns = new Map(table.columns.map((column) => [column.name, column]));
    const found = expected.map((name) => columns.get(name));
    const absent = found.indexOf(undefined);
    if (absent === -1 && (names !== null || columns.size === expected.length)) return found as SourceColumn[];
    const wanted = names === null ? `the columns ${listed(expected)}` : `a column ${quote(expected[absent])}`;
    throw new HalfspaceError('column-unknown', `expected ${wanted}; got ${listed([...columns.keys()])}`, {
      source: table.name,
    });
  });
}
