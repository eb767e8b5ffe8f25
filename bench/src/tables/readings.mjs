// Compares how halfspace, DuckDB, pandas and polars read the tables of test/nasty-tables with the answers of a person.
// Prints a table in Markdown: the columns that each reads as the person does.
//
//   node bench/src/tables/readings.mjs [--python PATH] [--list]
//
// A column counts as right if its type and all its cells are: numbers are numbers, dates are dates or times, yes and no
// are booleans or 0 and 1, words and texts are strings. All get the options that the person gives with a table: missing
// words, the encoding, the header. pandas also gets to_datetime for columns that the person calls dates, because its
// reader guesses none; polars tries dates. Columns that the person leaves out, and tables that the person refuses, count
// for halfspace alone.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { build } from 'esbuild';
import { benchFolder } from '../run/process.mjs';

const { values: options } = parseArgs({
  options: { python: { type: 'string', default: 'python3' }, list: { type: 'boolean', default: false } },
});
const folder = mkdtempSync(join(tmpdir(), 'halfspace-readings-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const { nastyTables, readInLibrary, columnDifferences, differences } = await corpus();
const tables = nastyTables.map((table, t) => {
  const path = join(folder, `${t}.${table.format}`);
  writeFileSync(path, table.text);
  const names = 'fault' in table.expected ? [] : columnsOf(table);
  return { ...table, path, names };
});
const readable = tables.filter(({ expected }) => !('fault' in expected));
const all = { halfspace: await readByHalfspace(), DuckDB: await readByDuckdb(), ...readByPython() };
report();

/** Loads the corpus, which is TypeScript. Packages are found from the folder of the bundle. */
async function corpus() {
  const data = join(benchFolder, '.data');
  mkdirSync(data, { recursive: true });
  const outfile = join(data, 'nasty-tables.mjs');
  const sources = join(benchFolder, '../test/nasty-tables');
  await build({
    stdin: {
      contents: `
        export { nastyTables } from './tables.ts';
        export { readInLibrary } from './library-readers.ts';
        export { columnDifferences, differences } from './difference.ts';`,
      resolveDir: sources,
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile,
    logLevel: 'error',
  });
  return import(pathToFileURL(outfile).href);
}

/** The names of a table's columns in their order, the label's among them. */
function columnsOf({ text, expected }) {
  const names = Object.keys(expected.columns);
  const decoded = typeof text === 'string' ? text : new TextDecoder('utf-8').decode(text);
  const isFirst = /^\uFEFF?"?label\b/.test(decoded);
  return isFirst ? [expected.label, ...names] : [...names, expected.label];
}

async function readByHalfspace() {
  return Promise.all(
    tables.map(async (table) => {
      const reading = await readInLibrary(table).catch((error) => error);
      const isRight = differences(table, reading).length === 0;
      const rows = reading instanceof Error ? -1 : reading.rows;
      return {
        isRight,
        right: (name, expected) => rows === table.expected.rows && halfspaceRight(reading, name, expected),
      };
    }),
  );
}

function halfspaceRight(reading, name, expected) {
  const column = reading.columns.get(name);
  return column !== undefined && columnDifferences(expected, column).length === 0;
}

async function readByDuckdb() {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(`SET TimeZone = 'UTC'`);
  const results = [];
  for (const { path, given } of tables) {
    const text = (word) => `'${word.replaceAll("'", "''")}'`;
    const more = [
      ...(given.missing === undefined ? [] : [`nullstr=[${['', ...given.missing].map(text).join(', ')}]`]),
      ...(given.header === undefined ? [] : [`header=${given.header}`]),
      ...(given.encoding === undefined ? [] : [`encoding='${given.encoding === 'latin1' ? 'latin-1' : 'utf-16'}'`]),
    ];
    const from = `read_csv(${[text(path), ...more].join(', ')})`;
    try {
      const columns = (await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${from}`)).getRowObjectsJson();
      const types = columns.map((column) => typeOfDuckdb(column.column_type));
      const cells = columns.map(({ column_name: name }, c) => {
        const quoted = `"${name.replaceAll('"', '""')}"`;
        if (types[c] === 'date') return `epoch(${quoted}) / 86400`;
        return types[c] === 'text' ? `trim(${quoted}::VARCHAR)` : `${quoted}::DOUBLE`;
      });
      const rows = (await connection.runAndReadAll(`SELECT ${cells.join(', ')} FROM ${from}`)).getRowsJson();
      results.push(columns.map((_, c) => ({ type: types[c], cells: rows.map((row) => row[c]) })));
    } catch {
      results.push(null);
    }
  }
  return results.map(peer);
}

function typeOfDuckdb(type) {
  if (type === 'BOOLEAN') return 'boolean';
  if (/^(DATE|TIME)/.test(type)) return 'date';
  return /INT|DOUBLE|FLOAT|DECIMAL/.test(type) ? 'number' : 'text';
}

function readByPython() {
  const input = tables.map(({ path, given, expected, names }) => ({
    path,
    missing: given.missing ?? null,
    encoding: given.encoding ?? null,
    header: given.header ?? null,
    dates: names.flatMap((name, c) => (expected.columns?.[name]?.kind === 'date' ? [c] : [])),
  }));
  const { stdout, status } = spawnSync(options.python, [join(benchFolder, 'src/tables/python_readings.py')], {
    input: JSON.stringify(input),
    maxBuffer: 1 << 28,
  });
  if (status !== 0) return {};
  return Object.fromEntries(
    Object.entries(JSON.parse(stdout)).map(([name, { tables: results, version }]) => {
      console.error(`${name} ${version}`);
      return [name, results.map(peer)];
    }),
  );
}

/** Judges what a peer read of table t. Its columns are found by their places, because each names them in its way. */
function peer(columns, t) {
  const { expected, names } = tables[t];
  return {
    right(name, wanted) {
      const column = columns?.[names.indexOf(name)];
      if (column === undefined || column.cells.length !== expected.rows) return false;
      const types = {
        number: ['number'],
        date: ['date'],
        truth: ['boolean', 'number'],
        set: [],
        words: [],
        category: ['text'],
        text: ['text'],
      };
      if (!types[wanted.kind].includes(column.type)) return false;
      return wanted.kind === 'text' || wanted.values.every((value, i) => areEqual(value, column.cells[i]));
    },
  };
}

function areEqual(wanted, got) {
  if (typeof wanted !== 'number' || typeof got !== 'number') return wanted === got;
  return Math.abs(wanted - got) <= 1e-9 * Math.max(1, Math.abs(wanted));
}

function report() {
  const programs = Object.entries(all);
  const kinds = {
    number: 'numbers',
    date: 'dates and times',
    truth: 'yes and no',
    set: 'several values in a cell',
    words: 'numbers with words among them',
    category: 'categories',
    text: 'texts',
  };
  const questions = tables.flatMap((table, t) =>
    // The columns that the corpus adds to most tables are no questions.
    Object.entries(table.expected.columns ?? {}).flatMap(([name, wanted]) =>
      name === 'other' || table.name === 'many columns' ? [] : [{ t, name, wanted }],
    ),
  );
  const row = (cells) => console.log(`| ${cells.join(' | ')} |`);
  row(['columns that a person calls', 'number of them', ...programs.map(([name]) => name)]);
  row(['---', ...Array(programs.length + 1).fill('--:')]);
  const judged = questions.filter(({ wanted }) => wanted.kind !== 'left out');
  const counted = (some) =>
    programs.map(([, results]) => some.filter(({ t, name, wanted }) => results[t].right(name, wanted)).length);
  for (const [kind, title] of Object.entries(kinds)) {
    const some = judged.filter(({ wanted }) => wanted.kind === kind);
    row([title, some.length, ...counted(some)]);
  }
  row(['together', judged.length, ...counted(judged)]);
  const none = Array(programs.length - 1).fill('–');
  const useless = questions.filter(({ wanted }) => wanted.kind === 'left out');
  const leftOut = useless.filter(({ t, name, wanted }) => all.halfspace[t].right(name, wanted)).length;
  row(['of no use: identifiers, constants', useless.length, leftOut, ...none]);
  const faulty = tables.flatMap(({ expected }, t) => ('fault' in expected ? [t] : []));
  row(['tables that a person refuses', faulty.length, faulty.filter((t) => all.halfspace[t].isRight).length, ...none]);
  row([
    'tables, with labels, rows and notes',
    tables.length,
    all.halfspace.filter(({ isRight }) => isRight).length,
    ...none,
  ]);
  console.error(`${tables.length} tables, ${readable.length} readable`);
  if (!options.list) return;
  for (const { t, name, wanted } of judged) {
    const wrong = programs.filter(([, results]) => !results[t].right(name, wanted)).map(([program]) => program);
    if (wrong.length > 0)
      console.error(`${tables[t].family}: ${tables[t].name}, ${name} (${wanted.kind}): not ${wrong.join(', ')}`);
  }
}
