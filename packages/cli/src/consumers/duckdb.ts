import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TableEncoding } from 'halfspace';
import { cellReader } from 'halfspace/export';
import { allowMemory, query, sqlName, sqlPath } from '../tables/duckdb.ts';
import type { Answer, Consumer, Exported } from './consumer.ts';
import type { AskedRow } from './rows.ts';

const types = {
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'TIMESTAMP',
  category: 'VARCHAR',
  text: 'VARCHAR',
  set: 'VARCHAR',
};

/** Memory of DuckDB in megabytes: lists of levels are joined. */
const memory = 512;

/** Runs a query in DuckDB, over a table with the typed cells of DATA. */
export async function startDuckDb({ model, text, options, folder }: Exported): Promise<Consumer | string> {
  const { dialect = 'duckdb', table = 'data' } = options;
  if (dialect !== 'duckdb')
    return `this command can ask DuckDB only, and the query is for ${dialect}: run it there, over a table with known scores`;
  const features = model.features as TableEncoding;
  const { columns } = features;
  const outputs = model.classes.length === 2 ? 1 : model.classes.length;
  const shares = model.calibration === null ? 0 : outputs;
  const readers = columns.map((column) => cellReader(column, features));
  let place = 'place';
  while (columns.some(({ name }) => name.toLowerCase() === place)) place = `_${place}`;
  const path = join(folder, 'rows.ndjson');
  const read = `read_json(${sqlPath(path)}, format = 'newline_delimited', columns = { ${['place: INTEGER', ...columns.map(({ kind }, c) => `c${c}: ${kind === 'date' ? 'BIGINT' : types[kind]}`)].join(', ')} })`;
  const selected = columns.map(({ name, kind }, c) =>
    kind === 'date' ? `make_timestamp(c${c}) AS ${sqlName(name)}` : `c${c} AS ${sqlName(name)}`,
  );
  const name = table.split('.').map(sqlName);
  await allowMemory(memory);
  const [[version]] = (await query('SELECT version()')) as [[string]];
  if (name.length > 2) await query(`ATTACH IF NOT EXISTS ':memory:' AS ${name[0]}`);
  if (name.length > 1) await query(`CREATE SCHEMA IF NOT EXISTS ${name.slice(0, -1).join('.')}`);
  const cellOf = (row: AskedRow, c: number) => {
    const { kind, name } = columns[c]!;
    // A database has the cells of a category as they are.
    if (kind === 'category' || kind === 'set') return (row as Readonly<Record<string, string | null>>)[name];
    const x = readers[c]!(row) as number;
    if (Number.isNaN(x)) return null;
    return kind === 'boolean' ? x === 1 : kind === 'date' ? Math.round(x * 86_400_000_000) : x;
  };
  return {
    name: `DuckDB ${version.replace(/^v/, '')}`,
    exact: model.kind === 'tree' && model.calibration === null,
    async ask(rows) {
      const lines = rows.map((row, i) =>
        JSON.stringify(Object.fromEntries([['place', i], ...columns.map((_, c) => [`c${c}`, cellOf(row, c)])])),
      );
      writeFileSync(path, `${lines.join('\n')}\n`);
      const answers = await query(
        `CREATE OR REPLACE TABLE ${name.join('.')} AS SELECT ${[`place AS ${sqlName(place)}`, ...selected].join(', ')} FROM ${read}`,
        `SELECT * FROM (\n${text}\n) ORDER BY ${sqlName(place)}`,
      );
      return answers.map((row): Answer => {
        const own = row.slice(-(outputs + 1 + shares));
        const p = own.slice(outputs + 1).map(Number);
        return {
          class: String(own[outputs]),
          scores: own.slice(0, outputs).map(Number),
          probabilities: shares === 0 ? null : shares === 1 ? [1 - p[0]!, p[0]!] : p,
        };
      });
    },
    close() {},
  };
}
