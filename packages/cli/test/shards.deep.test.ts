import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Dictionary,
  Float32,
  Float64,
  Int8,
  Int32,
  Int64,
  Table,
  TimestampMicrosecond,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { beforeAll, expect, test } from 'vitest';
import { query } from '../src/tables/duckdb.ts';
import { command, halfspace, temporaryFolder } from './run.ts';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

interface Column {
  /** Type of the column in Parquet, by DuckDB's name. */
  readonly sql: string;
  readonly arrow: DataType;
  readonly cell: (i: number) => string | number | boolean | null;
  readonly options?: object;
}

const some = <T>(i: number, from: number, values: readonly T[]): T => values[(i * i + 7 * i + from) % values.length]!;
const wave = (i: number, by: number) => Math.sin(i * by) * 10 + Math.cos(i * i);
const day = (i: number) => new Date((18_000 + ((i * 37) % 800)) * 86_400_000).toISOString().slice(0, 10);
const columns: Readonly<Record<string, Column>> = {
  double: { sql: 'DOUBLE', arrow: new Float64(), cell: (i) => (i % 7 === 0 ? null : wave(i, 0.7)) },
  float: { sql: 'FLOAT', arrow: new Float32(), cell: (i) => Math.fround(wave(i, 1.3)) },
  tiny: { sql: 'TINYINT', arrow: new Int8(), cell: (i) => some(i, 1, [1, 2, 3, null]) },
  bins: { sql: 'INTEGER', arrow: new Int32(), cell: (i) => (i * 29) % 83, options: { bins: 5 } },
  ripe: {
    sql: 'BOOLEAN',
    arrow: new Bool(),
    cell: (i) => some(i, 2, [true, false, null]),
    options: { kind: 'boolean' },
  },
  soil: { sql: 'VARCHAR', arrow: new Utf8(), cell: (i) => some(i, 3, ['sand', 'clay', ' clay', 'NA', null]) },
  level: {
    sql: 'VARCHAR',
    arrow: new Dictionary(new Utf8(), new Int32()),
    cell: (i) => some(i, 4, ['low', 'high']),
  },
  size: {
    sql: 'FLOAT',
    arrow: new Float32(),
    cell: (i) => Math.fround(some(i, 5, [1.1, 0.3, 2])),
    options: { kind: 'category' },
  },
  note: {
    sql: 'VARCHAR',
    arrow: new Utf8(),
    cell: (i) => [some(i, 0, ['dry', 'wet']), some(i + 3, 1, ['old', 'new', '!'])].join(' '),
    options: { kind: 'text' },
  },
  date: { sql: 'DATE', arrow: new DateDay(), cell: day, options: { kind: 'date' } },
  time: {
    sql: 'TIMESTAMP',
    arrow: new TimestampMicrosecond(),
    cell: (i) => (i % 9 === 0 ? null : `${day(i)} 0${i % 8}:15:00`),
    options: { kind: 'date' },
  },
  written: {
    sql: 'VARCHAR',
    arrow: new Utf8(),
    cell: (i) => day(i).split('-').reverse().join('.'),
    options: { kind: 'date', format: 'dmy' },
  },
  digits: { sql: 'VARCHAR', arrow: new Utf8(), cell: (i) => String((i * 31) % 17), options: { kind: 'number' } },
  price: { sql: 'DECIMAL(10, 2)', arrow: new Decimal(2, 10, 128), cell: (i) => Math.round(wave(i, 3) * 100) / 100 },
  unused: { sql: 'DOUBLE', arrow: new Float64(), cell: (i) => wave(i, 2), options: { kind: 'drop' } },
  // Labels of each kind.
  grown: { sql: 'VARCHAR', arrow: new Utf8(), cell: (i) => (wave(i, 0.7) > 1 ? 'yes' : 'no') },
  grade: { sql: 'BIGINT', arrow: new Int64(), cell: (i) => (i * 13) % 3 },
  share: { sql: 'FLOAT', arrow: new Float32(), cell: (i) => Math.fround(wave(i, 1.3) > 2 ? 0.3 : 1.1) },
};
const labels = ['grown', 'grade', 'share'];
const features = Object.fromEntries(
  Object.entries(columns).flatMap(([name, { arrow, options = {} }]) => {
    const kind = arrow instanceof Utf8 || arrow instanceof Dictionary ? 'category' : 'number';
    return labels.includes(name) ? [] : [[name, { kind, ...options }]];
  }),
);
const rows = 220;

beforeAll(async () => {
  const numbers = Array.from({ length: rows }, (_, i) => i);
  const literal = (cell: ReturnType<Column['cell']>) => (cell === null ? 'NULL' : `'${cell}'`);
  const select = Object.entries(columns).map(([name, { sql }], c) => `CAST(c${c} AS ${sql}) AS ${name}`);
  const values = numbers.map((i) => `(${Object.values(columns).map(({ cell }) => literal(cell(i)))})`);
  const names = Object.keys(columns).map((_, c) => `c${c}`);
  await query(
    `COPY (SELECT ${select} FROM (VALUES ${values}) t(${names})) TO '${at('rows.parquet')}' (FORMAT parquet)`,
  );
  const arrowCell = (arrow: DataType, cell: ReturnType<Column['cell']>) => {
    if (cell === null) return null;
    if (arrow instanceof Int64) return BigInt(cell);
    if (arrow instanceof Decimal)
      return Uint32Array.from(
        new Int32Array(4).fill(Math.sign(Number(cell)) >> 31).fill(Math.round(Number(cell) * 100), 0, 1),
      );
    return arrow instanceof DateDay || arrow instanceof TimestampMicrosecond
      ? new Date(`${cell}`.length > 10 ? `${cell}Z` : `${cell}`)
      : cell;
  };
  const table = new Table(
    Object.fromEntries(
      Object.entries(columns).map(([name, { arrow, cell }]) => [
        name,
        vectorFromArray(numbers.map((i) => arrowCell(arrow, cell(i))) as never, arrow),
      ]),
    ),
  );
  writeFileSync(at('rows.arrows'), tableToIPC(table, 'stream'));
  writeFileSync(at('features.json'), JSON.stringify({ columns: features }));
});

const done = (args: readonly string[]) => {
  const run = halfspace(folder, args);
  expect(run).toMatchObject({ status: 0 });
  return run.out;
};

test.each([
  ['grown', { name: 'averaged' }],
  ['grade', { name: 'perceptron' }],
  ['share', { name: 'passive-aggressive', aggressiveness: 0.5 }],
])('one shard gives the model of train FILE.parquet with the label %s, byte for byte', (label, rule) => {
  const { name, ...options } = rule as { name: string; aggressiveness?: number };
  const others = labels.filter((each) => each !== label).map((each) => [each, { kind: 'drop' }] as const);
  const chosen = { ...features, ...Object.fromEntries(others) };
  // Columns are left out in the order of the file.
  const ordered = Object.fromEntries(
    Object.keys(columns).flatMap((each) => (each in chosen ? [[each, chosen[each]]] : [])),
  );
  writeFileSync(at('features.json'), JSON.stringify({ columns: ordered }));
  const flags = Object.entries(options).flatMap(([option, value]) => [`--${option}`, `${value}`]);
  const learn = ['--rule', name, ...flags, '--order', 'cyclic', '--passes', '5', '--features', 'features.json'];
  done(['train', 'rows.parquet', '--label', label, ...learn, '--model', 'one.json']);

  const job = { format: 'halfspace-job', version: 1, label, columns: ordered, rule, shards: 1, passes: 5 };
  writeFileSync(at('job.json'), JSON.stringify(job));
  const given: string[] = [];
  for (let step = 0, next: unknown = ''; next !== null; step++) {
    const worker = ['worker', '--job', 'job.json', '--shard', '0', ...given];
    const { stdout } = spawnSync(process.execPath, [command, ...worker], {
      cwd: folder,
      input: readFileSync(at('rows.arrows')),
      maxBuffer: 1 << 28,
    });
    writeFileSync(at('result.arrow'), stdout);
    const line = done(['mix', '--job', 'job.json', ...given, '--output', `${step}.state`, 'result.arrow']);
    next = JSON.parse(line).next;
    given.splice(0, 2, '--state', `${step}.state`);
  }
  done(['mix', '--job', 'job.json', ...given, '--model', 'shards.json']);
  expect(readFileSync(at('shards.json'), 'utf8')).toBe(readFileSync(at('one.json'), 'utf8'));
});

test.each(['nan', 'inf', '-inf'])('the number %s in Parquet is refused by its name', async (word) => {
  const values = `(1, 'a'), (2, 'b'), ('${word}'::DOUBLE, 'b'), (NULL, 'a')`;
  await query(`COPY (SELECT * FROM (VALUES ${values}) t(x, y)) TO '${at('bad.parquet')}' (FORMAT parquet)`);
  const value = { nan: 'NaN', inf: 'Infinity', '-inf': '-Infinity' }[word];
  expect(halfspace(folder, ['train', 'bad.parquet', '--label', 'y', '--column', 'x=number'])).toMatchObject({
    status: 3,
    err: `halfspace: bad.parquet, row 3, column "x": expected a finite number; got ${value}\n`,
  });
});
