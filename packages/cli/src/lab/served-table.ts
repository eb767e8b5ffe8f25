import { basename } from 'node:path';
import { HalfspaceError } from 'halfspace';
import type { Table } from 'halfspace/internal/tables';
import { openBytes } from 'halfspace/node';
import { dialectOf } from '../data/input.ts';
import { commonFormat, formatOfName, isTable } from '../files/formats.ts';
import { expandPaths } from '../files/paths.ts';
import { StandardInput } from '../files/stdin.ts';
import type { CommandOptions } from '../options.ts';
import { writeCsv } from '../tables/as-csv.ts';
import { openParquetTable } from '../tables/duckdb-native.ts';
import { openQueryTable } from '../tables/query-table.ts';
import { openJsonFile, openTextFile } from '../tables/text-file.ts';
import { usage } from '../usage.ts';
import type { ServedTable } from './site.ts';

/** The options that say how DATA are read. */
type TableOptions = Pick<
  CommandOptions<'lab'>,
  'format' | 'sql' | 'header' | 'delimiter' | 'quote' | 'comment' | 'skipLines'
>;

/** Opens DATA as CSV for the page. @throws HalfspaceError for data that are no table or cannot be read. */
export async function openServedTable(data: readonly string[], options: TableOptions): Promise<ServedTable> {
  if (options.sql !== undefined) {
    if (data.length > 0) throw usage('expected DATA or --sql; got both');
    const { path } = await writeCsv([await openQueryTable(options.sql)]);
    return { name: 'query.csv', pieces: () => bytesOf(path) };
  }
  let paths = await expandPaths(data);
  const format = options.format ?? commonFormat(paths, paths.map(formatOfName)) ?? 'csv';
  if (!isTable(format))
    throw new HalfspaceError(
      'option-invalid',
      `the lab reads tables (csv, tsv, json, ndjson, parquet); got ${format} text`,
    );
  const given = dialectOf(options);
  const name = paths[0] === '-' ? 'input' : basename(paths[0]!).replace(/(\.(gz|zst|zip))?$/i, '');
  if (paths[0] === '-') {
    const stdin = new StandardInput();
    process.once('exit', () => stdin.clear());
    paths = [await stdin.spool(format)];
  }
  const tables: Table[] = [];
  for (const path of paths) {
    const file = { path, name: path };
    if (format === 'parquet') tables.push(await openParquetTable(file));
    else if (format === 'json' || format === 'ndjson') tables.push(await openJsonFile(file, format, false));
    else tables.push(await openTextFile(file, { tabs: format === 'tsv', header: options.header, given }));
  }
  const csvName = `${name.replace(/\.[^.]*$/, '')}.csv`;
  // Text with a header is served unchanged, so that the page and the command read the same text.
  if (tables.length === 1 && tables[0]!.header === true && given === undefined)
    return { name: csvName, pieces: () => bytesOf(paths[0]!) };
  const { path } = await writeCsv(tables);
  return { name: csvName, pieces: () => bytesOf(path) };
}

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  const source = await openBytes(path);
  const piece = new Uint8Array(1 << 16);
  try {
    for (;;) {
      const length = await source.read(piece);
      if (length === 0) return;
      yield piece.slice(0, length);
    }
  } finally {
    source.close?.();
  }
}
