import { resolve } from 'node:path';
import { HalfspaceError, missingWords, type Place } from 'halfspace';
import { openBytes } from 'halfspace/node';
import { decompressZstd } from '../data/zstd.ts';
import { allowColumns, query, sqlPath, sqlText } from './duckdb.ts';
import { cellCount, malformed, tableFault } from './faults.ts';
import { checkArchive, type FileHead, headText, readHead, type TableFile } from './file-head.ts';
import { findHeader } from './header.ts';
import { hasMixedLineEnds, withOneLineEnd } from './line-ends.ts';
import { commonLength, type Dialect, guessDialect, splitRecords } from './records.ts';
import type { DroppedRow, SourceColumn, Table } from './table.ts';

/**
 * Opens a text table: CSV of any delimiter, or TSV.
 *
 * @param header whether the first line holds the names; undefined: it shows.
 * @throws HalfspaceError `source-unreadable`, `source-empty`, `source-corrupt`.
 */
export async function openTextTable(
  file: TableFile,
  format: 'csv' | 'tsv',
  header: boolean | undefined,
): Promise<Table> {
  const name = file.name;
  const head = await readHead(file);
  const text = headText(head, name);
  const dialect = guessDialect(text, head.whole, format === 'tsv');
  const table = await textTable(file, head, text, dialect, header);
  if (dialect.delimiter !== '\t' || dialect.quote === null || head.whole) return table;
  // Quotes were in order as far as was looked. A stray one further on means that all of them are letters.
  try {
    await query(`SELECT count(*) FROM ${table.from(false)}`);
    return table;
  } catch {
    return textTable(file, head, text, { ...dialect, quote: null }, header);
  }
}

async function textTable(
  file: TableFile,
  head: FileHead,
  text: string,
  dialect: Dialect,
  given: boolean | undefined,
): Promise<Table> {
  const name = file.name;
  const { records } = splitRecords(text, dialect, head.whole);
  if (records.length === 0)
    throw new HalfspaceError('source-empty', 'expected a table; got blank lines', { source: name });
  const header = findHeader(records, commonLength(records).length, given);
  await allowColumns(header.names.length);

  const columns = header.names.map((column, c) => ({ name: column, sql: `c${c}`, type: 'cell' as const }));
  const { delimiter, quote } = dialect;
  let { path } = file;
  let compression: string = head.compression;
  const reader = (more: string, doubles: readonly SourceColumn[] = []) =>
    `read_csv(${sqlPath(resolve(path))}, auto_detect=false, header=${header.present}, delim=${sqlText(delimiter)}, ` +
    `quote=${sqlText(quote ?? '')}, escape=${sqlText(quote === null ? '' : dialect.escape)}, comment='', skip=0, ` +
    `compression='${compression}', buffer_size=2097152, ` +
    `columns={${columns.map((column) => `${column.sql}:'${doubles.includes(column) ? 'DOUBLE' : 'VARCHAR'}'`).join(', ')}}${more})`;
  const dropped = () => droppedRows({ path, name }, reader, header.present);
  const mend = async () => {
    if (path !== file.path || !(await hasMixedLineEnds(file))) return false;
    path = await withOneLineEnd(file);
    compression = 'none';
    return true;
  };
  return {
    name,
    columns,
    header: header.present,
    notes: header.notes,
    damaged: null,
    from: (tolerant) => reader(tolerant ? ', ignore_errors=true' : ''),
    fromDoubles: (doubles) => reader(`, nullstr=[${missingWords.map(sqlText).join(', ')}]`, doubles),
    dropped: async () => {
      try {
        return await dropped();
      } catch (error) {
        if (await mend()) return dropped();
        throw error;
      }
    },
    mend,
    check: async () => {
      if (head.compression !== 'none') await checkArchive(file);
    },
    async fault(error) {
      const fault = tableFault(error, name);
      if (fault.where.line === undefined) return fault;
      // DuckDB counts records, and a cell can have several lines.
      const [first] = await dropped().catch(() => []);
      return first?.error ?? fault;
    },
    format: (cells) => cells.map((cell) => formatCell(cell ?? '', dialect)).join(delimiter),
  };
}

function formatCell(cell: string, { delimiter, quote: mark }: Dialect): string {
  const special = cell.includes(delimiter) || cell.includes('"') || /[\r\n]/.test(cell);
  return special && mark !== null ? `"${cell.replaceAll('"', '""')}"` : cell;
}

const reasons: readonly (readonly [RegExp, 'row-malformed' | 'source-corrupt', string])[] = [
  [/QUOTE/, 'row-malformed', malformed.quote],
  [/ENCODING/, 'source-corrupt', malformed.encoding],
  [/LINE SIZE/, 'row-malformed', malformed.long],
];

/** Reads the whole table for the rows that do not follow its format. */
async function droppedRows(file: TableFile, reader: (more: string) => string, header: boolean): Promise<DroppedRow[]> {
  const source = file.name;
  let rows: unknown[][];
  try {
    // All columns are read, since only then is their encoding looked at; the stored faults go with the connection.
    rows = await query(
      `SELECT count(COLUMNS(*)) FROM ${reader(', ignore_errors=true, store_rejects=true')}`,
      'SELECT line::DOUBLE, line_byte_position::DOUBLE, error_type::VARCHAR, error_message, csv_line FROM reject_errors ORDER BY line, column_idx',
    );
  } catch (error) {
    throw tableFault(error, source);
  }
  // A row may have several faults; the first one tells.
  const seen = new Set<unknown>();
  const found = rows.filter(([line]) => !seen.has(line) && seen.add(line));
  if (found.length === 0) return [];

  const lines = await countLines(
    file,
    found.map(([, byte]) => Number(byte)),
  );
  return found.map(([record, , type, message, text], k) => {
    const { line, blank } = lines[k]!;
    const where: Place = { source, line };
    const [, code, reason] = reasons.find(([pattern]) => pattern.test(String(type))) ?? [];
    const count = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(String(message));
    const told =
      count === null ? (reason ?? 'expected a row of this table') : cellCount(Number(count[1]), Number(count[2]));
    // DuckDB numbers records, blank lines and the header among them, and drops those that are blank or at fault.
    const before = Number(record) - 1 - (header ? 1 : 0) - blank - k;
    return {
      before: Math.max(0, before),
      error: new HalfspaceError(code ?? 'row-malformed', told, where),
      text: String(text ?? '').replace(/^[\r\n]+|[\r\n]+$/g, ''),
    };
  });
}

/** For each byte position, in rising order: the number of its line, from 1, and how many blank lines come before. */
async function countLines(file: TableFile, positions: readonly number[]): Promise<{ line: number; blank: number }[]> {
  const source = await openBytes(file.path, { name: file.name, zstd: decompressZstd });
  const buffer = new Uint8Array(256 * 1024);
  const found: { line: number; blank: number }[] = [];
  let position = 0;
  let line = 1;
  let blank = 0;
  let length = 0; // of the line so far, its carriage return not counted
  let quoted = false;
  for (;;) {
    const count = await source.read(buffer);
    for (let i = 0; i < count; i++, position++) {
      const byte = buffer[i]!;
      while (found.length < positions.length && position >= positions[found.length]! && byte !== 10 && byte !== 13)
        found.push({ line, blank });
      if (byte === 34) quoted = !quoted;
      if (byte === 10) {
        if (length === 0 && !quoted) blank++;
        line++;
        length = 0;
      } else if (byte !== 13) length++;
    }
    if (count === 0) break;
  }
  while (found.length < positions.length) found.push({ line, blank });
  return found;
}
