import { resolve } from 'node:path';
import { allowColumns, allowMemory, query, sqlName, sqlPath } from './duckdb.ts';
import { queryFault, tableFault } from './faults.ts';
import { readHead, type TableFile } from './file-head.ts';
import { type SourceColumn, sourceType, type Table } from './table.ts';

/** Opens a Parquet file. @throws HalfspaceError `source-unreadable`, `source-empty`, `source-corrupt`. */
export async function openParquetTable(file: TableFile): Promise<Table> {
  const name = file.name;
  await readHead(file);
  const from = `read_parquet(${sqlPath(resolve(file.path))})`;
  try {
    return typedTable(name, from, await describe(from), (error) => tableFault(error, name));
  } catch (error) {
    throw tableFault(error, name);
  }
}

/** Megabytes for queries: they read text with DuckDB's own large buffers, sort and join. */
const queryMemory = 512;

/** Opens the answer to a query as a table. @throws HalfspaceError `option-invalid`, `source-unreadable`. */
export async function openQueryTable(sql: string): Promise<Table> {
  const name = 'sql';
  await allowMemory(queryMemory);
  // The line end keeps a comment at the query's end from hiding the parenthesis.
  const from = `(${sql.trim().replace(/;\s*$/, '')}\n)`;
  try {
    return typedTable(name, from, await describe(from), (error) => queryFault(error, name));
  } catch (error) {
    throw queryFault(error, name);
  }
}

/** The columns of what stands behind FROM. */
async function describe(from: string): Promise<SourceColumn[]> {
  const types = await columnTypes(from);
  return types.map(([name, type]) => ({ name, sql: sqlName(name), type: sourceType(type) }));
}

/** The names and DuckDB types of the columns of what stands behind FROM. */
export async function columnTypes(from: string): Promise<[name: string, type: string][]> {
  const rows = await query(`DESCRIBE SELECT * FROM ${from}`);
  await allowColumns(rows.length);
  return rows.map(([name, type]) => [String(name), String(type)]);
}

function typedTable(
  name: string,
  from: string,
  columns: readonly SourceColumn[],
  fault: (error: unknown) => ReturnType<typeof tableFault>,
): Table {
  return {
    name,
    columns,
    header: null,
    notes: [],
    damaged: null,
    from: () => from,
    dropped: async () => [],
    mend: async () => false,
    check: async () => {},
    fault: async (error) => fault(error),
    format: (cells) => formatObject(columns, cells),
  };
}

/** A row as an object of JSON. */
export function formatObject(columns: readonly SourceColumn[], cells: readonly (string | null)[]): string {
  return `{${columns.map(({ name }, c) => `${JSON.stringify(name)}:${JSON.stringify(cells[c] ?? null)}`).join(',')}}`;
}
