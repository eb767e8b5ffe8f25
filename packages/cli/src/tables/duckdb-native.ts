import { resolve } from 'node:path';
import type { HalfspaceError } from 'halfspace';
import { type SourceColumn, type Table, uniqueNames } from 'halfspace/tables';
import { allowColumns, type Database, ownDatabase, query, queryIn, sqlName, sqlPath } from './duckdb.ts';
import type { QueryColumn } from './duckdb-cells.ts';
import { tableFault } from './faults.ts';
import { scanQuery } from './query-scan.ts';

/** Opens a Parquet file. @throws HalfspaceError `source-corrupt`. */
export async function openParquetTable({
  name,
  path: given,
}: Readonly<Record<'name' | 'path', string>>): Promise<Table> {
  const path = sqlPath(resolve(given));
  // Without the columns that DuckDB would derive from the path.
  const from = `read_parquet(${path}, hive_partitioning=false, filename=false, file_row_number=false, union_by_name=false)`;
  try {
    const columns = await describe(from);
    const { names, renamed } = uniqueNames(await parquetNames(path));
    const note = `columns of the same name were told apart: ${renamed.join(', ')}`;
    return typedTable(
      name,
      from,
      columns.map((column, c) => ({ ...column, name: names[c]! })),
      renamed.length > 0 ? [note] : [],
      (error) => tableFault(error, name),
    );
  } catch (error) {
    throw tableFault(error, name);
  }
}

/**
 * Returns the names of the columns from a Parquet file itself, because DuckDB renames columns whose names differ in
 * case only.
 */
async function parquetNames(path: string): Promise<string[]> {
  const elements = await query(`SELECT name, num_children FROM parquet_schema(${path})`);
  const names: string[] = [];
  // Every element precedes its children; the root is first.
  const skip = (at: number): number => {
    let next = at + 1;
    for (let child = 0; child < Number(elements[at]![1] ?? 0); child++) next = skip(next);
    return next;
  };
  for (let at = 1; at < elements.length; at = skip(at)) names.push(String(elements[at]![0]));
  return names;
}

/** Returns the columns of the SQL after FROM. */
export async function describe(from: string, database?: Database): Promise<QueryColumn[]> {
  const rows = await queryIn(database ?? ownDatabase, `${describing}${from}`);
  await allowColumns(rows.length, database);
  return rows.map(([name, type], position) => ({
    name: String(name),
    sql: sqlName(String(name)),
    type: sourceType(String(type)),
    position,
  }));
}

/** The words before the SQL after FROM; a fault is told by its place behind them. */
export const describing = 'DESCRIBE SELECT * FROM ';

/** Returns our type for a type of DuckDB. */
function sourceType(duckType: string): SourceColumn['type'] {
  const items = /^([^[\]]+)\[\d*\]$/.exec(duckType)?.[1];
  if (items !== undefined) {
    const type = sourceType(items);
    if (type === 'number') return 'numbers';
    if (type === 'text' || type === 'boolean' || type === 'date') return 'texts';
  }
  if (/\[\d*\]$|^(STRUCT|MAP|UNION|LIST)\b|^(JSON|VARIANT)$/.test(duckType)) return 'nested';
  if (/^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL|BIGNUM)\b/.test(duckType)) return 'number';
  if (/^(VARCHAR|UUID|ENUM|"NULL")/.test(duckType)) return 'text';
  if (duckType === 'BOOLEAN') return 'boolean';
  if (duckType === 'DATE') return 'date';
  return /^TIMESTAMP/.test(duckType) ? 'time' : 'unsupported';
}

/** Returns a table whose columns have types. */
export function typedTable(
  name: string,
  from: string,
  columns: readonly QueryColumn[],
  notes: readonly string[],
  fault: (error: unknown) => HalfspaceError,
  database?: Database,
): Table {
  return {
    name,
    columns,
    header: null,
    notes,
    valueTypes: ({ type }) => [type === 'number' || type === 'boolean' ? type : 'string'],
    scan: (wanted, label, options) => scanQuery({ columns, database, from, fault }, wanted, label, options),
  };
}
