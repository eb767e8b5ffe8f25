import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HalfspaceError } from 'halfspace';
import { query, sqlPath } from './duckdb.ts';
import type { Table } from './table.ts';

/**
 * Writes tables, one under the other, as one CSV file with a header, for readers that know no other format, and returns its path. Numbers are
 * written so that the same doubles are read again; nested columns are left out. The file is removed when the process ends.
 *
 * @throws HalfspaceError as reading does, and `column-unknown` for tables that differ in their columns.
 */
export async function writeCsv(tables: readonly Table[]): Promise<{ path: string; notes: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'halfspace-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'table.csv');
  const columns = tables[0]!.columns.filter(({ type }) => type !== 'nested' && type !== 'unsupported');
  const left = tables[0]!.columns.filter((column) => !columns.includes(column)).map(({ name }) => name);
  const selects = tables.map((table) => {
    const parts = columns.map(({ name }) => {
      const own = table.columns.find((column) => column.name === name);
      if (own === undefined)
        throw new HalfspaceError('column-unknown', `expected a column named ${JSON.stringify(name)}`, {
          source: table.name,
        });
      return `${own.sql} AS "${name.replaceAll('"', '""')}"`;
    });
    return `SELECT ${parts.join(', ')} FROM ${table.from(false)}`;
  });
  const failing = tables[0]!;
  try {
    await query(`COPY (${selects.join(' UNION ALL ')}) TO ${sqlPath(path)} (FORMAT csv, HEADER)`);
  } catch (error) {
    throw await failing.fault(error);
  }
  return { path, notes: left.length === 0 ? [] : [`left out, as no cell of CSV holds them: ${left.join(', ')}`] };
}
