import { basename } from 'node:path';
import { HalfspaceError } from 'halfspace';
import { openTableFile, piecesOf, writeCsv } from 'halfspace/node';
import type { Table } from 'halfspace/tables';
import { dialectOf } from '../data/input.ts';
import { commonFormat, formatOfName, isTable } from '../files/formats.ts';
import { expandPaths } from '../files/paths.ts';
import { StandardInput } from '../files/stdin.ts';
import type { CommandOptions } from '../options.ts';
import { tablesOf } from '../tables/source.ts';
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
    const { path } = await writeCsv((await tablesOf([], 'sql', options.sql)) as Table[]);
    return { name: 'query.csv', pieces: () => piecesOf(path) };
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
  const files = paths.map((path) => ({ path, name: path }));
  for (const file of await tablesOf(files, format))
    tables.push('scan' in file ? file : await openTableFile(file, { format, header: options.header, given }));
  const csvName = `${name.replace(/\.[^.]*$/, '')}.csv`;
  // Text with a header is served unchanged, so that the page and the command read the same text.
  if (tables.length === 1 && tables[0]!.header === true && given === undefined)
    return { name: csvName, pieces: () => piecesOf(paths[0]!) };
  const { path } = await writeCsv(tables);
  return { name: csvName, pieces: () => piecesOf(path) };
}
