import { resolve } from 'node:path';
import { HalfspaceError, missingWords, type TableEncoding } from 'halfspace';
import type { QueryColumn } from './cells.ts';
import { allowColumns, sqlPath, sqlText } from './duckdb.ts';
import { malformed, tableFault } from './faults.ts';
import { type FileHead, headText, mostHeadBytes, readHead } from './file-head.ts';
import { findHeader } from './header.ts';
import { type QueryTable, scanQuery } from './query-scan.ts';
import type { Dialect } from './record-parser.ts';
import { commonLength, delimiterOf, guessDialect, splitRecords } from './records.ts';
import { scanRows } from './row-scan.ts';
import type { Table } from './table.ts';
import type { TableFile } from './text-pieces.ts';
import { bytesOf } from './text-pieces.ts';
import { type TextLayout, textRows, wideColumns } from './text-rows.ts';

/**
 * Opens a text table: CSV of any delimiter, or TSV.
 *
 * DuckDB reads plain files of ordinary width, for it is quickest. Its reader takes memory for 2,048 rows of every column, drops good rows behind bad
 * ones when it is told to go on, and counts records instead of lines. So wide tables, archives, and files with faults are read by
 * {@link textRows}, which also takes over where DuckDB meets a fault.
 *
 * @param header whether the first line holds the names; undefined: it shows.
 * @param encoding the encoding of the model that the table is read for.
 * @throws HalfspaceError `source-unreadable`, `source-empty`, `source-corrupt`.
 */
export async function openTextTable(
  file: TableFile,
  format: 'csv' | 'tsv',
  header: boolean | undefined,
  encoding?: TableEncoding,
): Promise<Table> {
  const head = await readHead(file);
  if (!head.whole && !head.bytes.includes(10) && !head.bytes.includes(13))
    throw new HalfspaceError('row-malformed', malformed.long(mostHeadBytes), { source: file.name, line: 1 });
  const text = headText(head, file.name);
  const dialect = guessDialect(text, head.whole, format === 'tsv', encoding);
  const isNamed = encoding !== undefined && delimiterOf(text, encoding) !== null;
  const given = header ?? (isNamed ? true : undefined);
  const table = await textTable(file, head, text, dialect, given);
  if (dialect.delimiter !== '\t' || dialect.quote === null || head.whole) return table.table;
  // Quotes were in order as far as was looked. A stray one further on means that all of them are letters.
  for await (const rows of textRows(bytesOf(file), file.name, table.layout, false))
    if (rows.some(({ rejected }) => rejected !== null))
      return (await textTable(file, head, text, { ...dialect, quote: null }, given)).table;
  return table.table;
}

async function textTable(
  file: TableFile,
  head: FileHead,
  text: string,
  dialect: Dialect,
  given: boolean | undefined,
): Promise<{ table: Table; layout: TextLayout }> {
  const { name } = file;
  const { records } = splitRecords(text, dialect, head.whole);
  if (records.length === 0 && !head.whole)
    throw new HalfspaceError('row-malformed', malformed.long(mostHeadBytes), { source: name, line: 1 });
  if (records.length === 0)
    throw new HalfspaceError('source-empty', 'expected a table; got blank lines', { source: name });
  const header = findHeader(records, commonLength(records).length, given);
  const columns: QueryColumn[] = header.names.map((column, position) => ({
    name: column,
    sql: `c${position}`,
    type: 'cell',
    position,
  }));
  const layout: TextLayout = { dialect, width: columns.length, header: header.present };
  // DuckDB takes a quoted cell that is cut behind a backslash for a whole one.
  const isPlain = head.compression === 'none' && (dialect.quote === null || dialect.escape !== '\\');
  const quick = isPlain && columns.length <= wideColumns ? queryTable(file, columns, layout) : null;
  if (quick !== null) await allowColumns(columns.length);
  const table: Table = {
    name,
    columns,
    header: header.present,
    notes: header.notes,
    scan(wanted, label, options) {
      const rows = (from: number) =>
        scanRows(() => textRows(bytesOf(file), name, layout, options.tolerant), wanted, label, options, from);
      if (quick === null || options.tolerant) return rows(0);
      return scanQuery({ ...quick, otherwise: rows }, wanted, label, options);
    },
  };
  return { table, layout };
}

/** The table as DuckDB reads it. */
function queryTable(
  { path, name }: TableFile,
  columns: readonly QueryColumn[],
  { dialect, header }: TextLayout,
): QueryTable {
  const { delimiter, quote } = dialect;
  const reader = (more: string, doubles: readonly QueryColumn[] = []) =>
    `read_csv(${sqlPath(resolve(path))}, auto_detect=false, header=${header}, delim=${sqlText(delimiter)}, ` +
    `quote=${sqlText(quote ?? '')}, escape=${sqlText(quote === null ? '' : dialect.escape)}, comment='', skip=0, ` +
    `compression='none', hive_partitioning=false, filename=false, union_by_name=false, buffer_size=2097152, ` +
    `columns={${columns.map((column) => `${column.sql}:'${doubles.includes(column) ? 'DOUBLE' : 'VARCHAR'}'`).join(', ')}}${more})`;
  return {
    columns,
    from: reader(''),
    fromDoubles: (doubles) => reader(`, nullstr=[${missingWords.map(sqlText).join(', ')}]`, doubles),
    fault: (error) => tableFault(error, name),
  };
}
