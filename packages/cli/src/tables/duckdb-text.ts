import { statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  delimiters,
  mayEnd,
  openTextTable,
  type Table,
  type TextLayout,
  type TextTable,
  type TextTableOptions,
  wideColumns,
} from 'halfspace/internal/tables';
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
 * @throws HalfspaceError `source-unreadable`, `source-empty`, `source-corrupt`, `row-malformed`.
 */
export async function openTextFile(file: TableFile, options: TextTableOptions): Promise<Table> {
  const head = await readFileHead(file);
  const text = await openTextTable(file.name, head, () => bytesOf(file), options);
  const table = { ...text, notes: [...head.encodingNotes, ...text.notes] };
  // If a file ends after a backslash in a quoted cell, DuckDB reports no error.
  const isUtf8 = (file.encoding ?? null) === null && head.encodingNotes.length === 0;
  const isPlain = isUtf8 && head.compression === 'none' && isUsual(table.layout);
  const isSmall = process.env.HALFSPACE_TABLES !== 'duckdb' && statSync(file.path).size < leastBytes;
  if (!isPlain || isSmall || table.columns.length > wideColumns || !(await hasDuckDb())) return table;
  if (await hasOtherLines(file.path, table)) return table;
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

/** Tests if DuckDB knows the form of a table. */
function isUsual({ dialect, units = 0, isTranslated = false }: TextLayout): boolean {
  const { delimiter, quote, escape: mark, skip = 0, comment = null, padded = false, wrapped = false } = dialect;
  if (!delimiters.includes(delimiter) || (quote !== null && quote !== '"') || (quote !== null && mark === '\\'))
    return false;
  return !isTranslated && units === 0 && skip === 0 && comment === null && !padded && !wrapped;
}

/**
 * Tests if a file may have lines that are no rows, which DuckDB would read: names again, or a sum or blanks at the end.
 */
async function hasOtherLines(path: string, { header, columns, layout }: TextTable): Promise<boolean> {
  if (!header || columns.length < 2) return false;
  const file = await open(path);
  try {
    const bytes = Buffer.alloc(1 << 20);
    let kept = 0;
    let names: Buffer | null = null;
    for (;;) {
      const { bytesRead } = await file.read(bytes, kept, bytes.length - kept);
      const text = bytes.subarray(0, kept + bytesRead);
      if (bytesRead === 0) return mayEndBelow(text.toString('latin1'), layout);
      if (names === null) {
        const end = text.indexOf(10);
        if (end === -1) return true;
        names = Buffer.from(`\n${text.toString('latin1', text[0] === 0xef ? 3 : 0, end)}`, 'latin1');
      }
      if (text.indexOf(names) !== -1) return true;
      kept = Math.min(names.length + 4096, text.length);
      bytes.copy(bytes, 0, text.length - kept, text.length);
    }
  } finally {
    await file.close();
  }
}

function mayEndBelow(text: string, { dialect, width }: TextLayout): boolean {
  const lines = text.split(/[\r\n]+/).filter((line) => line !== '');
  return width > 1 && mayEnd((lines.at(-1) ?? '').split(dialect.delimiter), width);
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
