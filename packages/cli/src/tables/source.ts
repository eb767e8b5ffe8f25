import type { TableFile } from 'halfspace/node';
import type { Table } from 'halfspace/tables';
import type { Format } from '../files/formats.ts';

/**
 * Returns the tables for `openTable` of `halfspace/node`. DuckDB opens Parquet files and queries, and is loaded for
 * them only.
 *
 * @param sql a query instead of files.
 * @throws HalfspaceError `option-invalid`, `source-unreadable` for a query that cannot be run.
 */
export async function tablesOf(
  files: readonly TableFile[],
  format: Format | 'sql',
  sql?: string,
): Promise<readonly (TableFile | Table)[]> {
  if (sql !== undefined) return [await (await import('./query-table.ts')).openQueryTable(sql)];
  if (format !== 'parquet') return files;
  const { openParquetTable: open } = await import('./duckdb-native.ts');
  return files.map((file) => ({ ...file, open }));
}
