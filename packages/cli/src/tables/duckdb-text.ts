import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TableEncoding } from 'halfspace/internal';
import { openTextTable, type Table, type TextTable, wideColumns } from 'halfspace/internal';
import { allowColumns, hasDuckDb, sqlPath, sqlText } from './duckdb.ts';
import type { QueryColumn } from './duckdb-cells.ts';
import { tableFault } from './faults.ts';
import { readFileHead } from './file-head.ts';
import { type QueryTable, scanQuery } from './query-scan.ts';
import { bytesOf, type TableFile } from './text-pieces.ts';

/** Files of fewer bytes are read by the library in less time than DuckDB takes to load. */
const leastBytes = 1024 * 1024;

/**
 * Opens a file of delimited text.
 *
 * DuckDB reads large plain files of ordinary width, because it is fastest. Its reader takes memory for 2,048 rows of
 * every column, drops good rows after bad ones if it skips errors, and counts records instead of lines. So the library
 * reads wide tables, archives, text that is not UTF-8, and files with bad rows, and continues where DuckDB fails. Both
 * give the same cells and faults, so the library reads all where DuckDB is not installed. With
 * `HALFSPACE_TABLES=duckdb`, DuckDB reads small files too.
 *
 * @param header true if the first line holds the names. Default: guessed from the first lines.
 * @param encoding encoding of the model that the table is read for.
 * @throws HalfspaceError `source-unreadable`, `source-empty`, `source-corrupt`, `row-malformed`.
 */
export async function openTextFile(
  file: TableFile,
  format: 'csv' | 'tsv',
  header: boolean | undefined,
  encoding?: TableEncoding,
): Promise<Table> {
  const head = await readFileHead(file);
  const open = () => bytesOf(file);
  const text = await openTextTable(file.name, head, open, { tabs: format === 'tsv', header, encoding });
  const table = { ...text, notes: [...head.encodingNotes, ...text.notes] };
  const { dialect } = table.layout;
  // If a file ends after a backslash in a quoted cell, DuckDB reports no error.
  const isUtf8 = (file.encoding ?? null) === null && head.encodingNotes.length === 0;
  const isPlain = isUtf8 && head.compression === 'none' && (dialect.quote === null || dialect.escape !== '\\');
  const isSmall = process.env.HALFSPACE_TABLES !== 'duckdb' && statSync(file.path).size < leastBytes;
  if (!isPlain || isSmall || table.columns.length > wideColumns || !(await hasDuckDb())) return table;
  await allowColumns(table.columns.length);
  const columns = table.columns.map((column): QueryColumn => ({ ...column, sql: `c${column.position}` }));
  const quick = queryTable(file, columns, table);
  return {
    ...table,
    columns,
    scan(wanted, label, options) {
      const otherwise = (from: number) => table.scan(wanted, label, { ...options, from });
      return options.tolerant ? otherwise(0) : scanQuery({ ...quick, otherwise }, wanted, label, options);
    },
  };
}

/** Returns the options with which DuckDB reads the table. */
function queryTable({ path, name }: TableFile, columns: readonly QueryColumn[], { layout }: TextTable): QueryTable {
  const { delimiter, quote, escape: mark } = layout.dialect;
  const reader = (more: string, doubles: readonly QueryColumn[] = []) =>
    `read_csv(${sqlPath(resolve(path))}, auto_detect=false, header=${layout.header}, delim=${sqlText(delimiter)}, ` +
    `quote=${sqlText(quote ?? '')}, escape=${sqlText(quote === null ? '' : mark)}, comment='', skip=0, ` +
    `compression='none', hive_partitioning=false, filename=false, union_by_name=false, buffer_size=2097152, ` +
    `columns={${columns.map((column) => `${column.sql}:'${doubles.includes(column) ? 'DOUBLE' : 'VARCHAR'}'`).join(', ')}}${more})`;
  return {
    columns,
    from: reader(''),
    fromDoubles: (doubles, missing) => reader(`, nullstr=[${missing.map(sqlText).join(', ')}]`, doubles),
    fault: (error) => tableFault(error, name),
  };
}
