import { execFileSync, spawnSync } from 'node:child_process';
import { DuckDBInstance } from '@duckdb/node-api';
import { PGlite } from '@electric-sql/pglite';
import { type Model, Predictor, rows, train } from 'halfspace';
import { type SqlDialect, toSql } from 'halfspace/export';
import { classProbabilitiesOf } from 'halfspace/metrics';
import { Random } from 'halfspace/runs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TableEncoding } from '../../src/features/table-encoding.ts';
import { anyRow, goodRows } from './models.ts';

const dropped = {
  note: { kind: 'drop' },
  tags: { kind: 'drop' },
  price: { kind: 'drop' },
  seen: { kind: 'drop' },
  epoch: { kind: 'drop' },
  clock: { kind: 'drop' },
} as const;
const two = ['no', 'yes'];
const three = ["O'Neill", 'b; DROP TABLE data; --', 'c'];

/** Rows with a category of more levels than a query lists as cases, some of which look like escapes. */
function rowsOf(count: number, seed: number, classes: readonly string[]): Record<string, unknown>[] {
  const r = new Random(seed);
  return goodRows(count, seed, classes).map((row) => ({
    ...row,
    code: r.below(20) === 0 ? null : `${['v', '\\n', "'", 'x'][r.below(4)]}${r.below(80)}v`,
  }));
}

const crosses = [
  ['height', 'colour'],
  ['shop', 'code'],
  ['code', 'colour'],
] as const;

async function model(
  classes: readonly string[],
  rule: object,
  { crosses, ...further }: Record<string, unknown> = {},
): Promise<Model> {
  const features = {
    columns: {
      ...dropped,
      height: { bins: 4 },
      day: { kind: 'date', parts: ['month', 'weekday', 'hour'] },
      colour: { rare: 3 },
      code: { kind: 'category' },
      shop: { kind: 'category' },
      ...further,
    },
    ...(crosses === undefined ? {} : { crosses }),
  };
  const source = rows(rowsOf(900, 3, classes), { label: 'class', features } as never);
  return (await train(source, { seed: 1, ...rule } as never)).model;
}

/** Returns a model whose crosses share 64 slots, as crosses of very many pairs share more. */
function withFewSlots(of: Model): Model {
  const features = of.features as TableEncoding;
  return {
    ...of,
    features: { ...features, crosses: features.crosses!.map((cross) => ({ ...cross, bits: 6 })) },
  } as Model;
}

/** A database with the one table `data`. Returns the rows of a query. */
type Ask = (table: readonly string[], query: string) => Promise<Record<string, unknown>[]>;

async function duckDb(): Promise<Ask> {
  const connection = await (await DuckDBInstance.create()).connect();
  return async (table, query) => {
    for (const statement of table) await connection.run(statement);
    return (await connection.runAndReadAll(query)).getRowObjects() as Record<string, unknown>[];
  };
}

async function postgresql(): Promise<Ask> {
  const database = await PGlite.create();
  return async (table, query) => {
    for (const statement of table) await database.exec(statement);
    return (await database.query<Record<string, unknown>>(query)).rows;
  };
}

/** A Python with sqlglot: that of the variable PYTHON, or python3. */
const python = process.env.PYTHON ?? 'python3';
const hasSqlglot = spawnSync(python, ['-c', 'import sqlglot']).status === 0;
if (!hasSqlglot) console.warn(`not run: ${python} has no sqlglot`);

/** BigQuery itself runs in its maker's cloud only. sqlglot parses the query and writes it for DuckDB. */
async function bigQuery(): Promise<Ask> {
  const ask = await duckDb();
  const script = `
import sqlglot, sys
print(sqlglot.transpile(sys.stdin.read(), read="bigquery", write="duckdb", unsupported_level=sqlglot.ErrorLevel.RAISE)[0])
`;
  return (table, query) => ask(table, execFileSync(python, ['-c', script], { input: query }).toString());
}

const types = {
  duckdb: {
    number: 'DOUBLE',
    boolean: 'BOOLEAN',
    date: 'TIMESTAMP',
    category: 'VARCHAR',
    text: 'VARCHAR',
    set: 'VARCHAR',
  },
  postgresql: {
    number: 'DOUBLE PRECISION',
    boolean: 'BOOLEAN',
    date: 'TIMESTAMP',
    category: 'TEXT',
    text: 'TEXT',
    set: 'TEXT',
  },
} as const;

function tableOf(
  { columns }: TableEncoding,
  data: readonly Record<string, unknown>[],
  dialect: 'duckdb' | 'postgresql',
): string[] {
  const literal = (value: unknown) =>
    value == null
      ? 'NULL'
      : typeof value === 'string' || typeof value === 'number'
        ? `'${String(value).replaceAll("'", "''")}'`
        : String(value);
  return [
    'DROP TABLE IF EXISTS data',
    `CREATE TABLE data (place INTEGER, ${columns.map(({ name, kind }) => `"${name}" ${types[dialect][kind]}`).join(', ')})`,
    `INSERT INTO data VALUES ${data.map((row, i) => `(${[i, ...columns.map(({ name }) => literal(row[name]))].join(', ')})`).join(', ')}`,
  ];
}

/** Rows that the model takes, with categories of any kind. */
function asked(of: Model, count: number): Record<string, unknown>[] {
  const predictor = new Predictor(of);
  const random = new Random(2);
  const taken: Record<string, unknown>[] = [];
  while (taken.length < count) {
    const row = rowsOf(1, random.below(1e9), two)[0]!;
    if (random.below(3) === 0) row.colour = anyRow(random).colour;
    if (random.below(9) === 0) row.day = ['1969-12-31T23:59:59Z', '1900-02-28', null][random.below(3)];
    if (!['string', 'number', 'boolean'].includes(typeof row.colour) && row.colour != null) continue;
    try {
      predictor.scores(row);
      taken.push(row);
    } catch {}
  }
  return taken;
}

let models: Map<string, Model>;
beforeAll(async () => {
  const averaged = { rule: 'averaged', passes: 2 };
  const plain = { code: { kind: 'drop' }, shop: { kind: 'drop' } };
  models = new Map([
    ['two classes', await model(two, averaged)],
    ['divided', await model(two, { rule: 'perceptron', passes: 2, scaling: 'unit-ball' })],
    ['three classes', await model(three, averaged)],
    ['crosses', await model(two, averaged, { crosses })],
    ['crosses of three classes', await model(three, averaged, { crosses })],
    ['hashed crosses', withFewSlots(await model(two, averaged, { crosses }))],
    ['Platt', await model(two, { ...averaged, calibrate: 'platt' }, plain)],
    ['isotonic', await model(two, { ...averaged, calibrate: 'isotonic' }, plain)],
    ['softmax', await model(three, { ...averaged, calibrate: 'platt' }, plain)],
    ['leads', await model(three, { ...averaged, calibrate: 'isotonic' }, plain)],
    ['tree', await model(two, { rule: 'tree' }, { height: {} })],
    ['tree of parts and intervals', await model(three, { rule: 'tree' }, { weight: { bins: 5 }, shop: { rare: 20 } })],
    [
      'tree with crosses',
      await model(two, { rule: 'tree' }, { ...plain, weight: { bins: 5 }, crosses: [['weight', 'colour']] }),
    ],
  ]);
});

describe.each([
  ['duckdb', duckDb],
  ['postgresql', postgresql],
  ['bigquery', bigQuery],
] as const)('%s', (dialect: SqlDialect, start) => {
  test.skipIf(dialect === 'bigquery' && !hasSqlglot)(
    'gives the classes of Predictor, its scores within the bound of the comment, and probabilities of these',
    async () => {
      const ask = await start();
      for (const [name, of] of models) {
        const predictor = new Predictor(of);
        const data = asked(of, 400);
        const sql = toSql(of, { dialect });
        const table = tableOf(of.features as TableEncoding, data, dialect === 'postgresql' ? dialect : 'duckdb');
        const answers = await ask(table, `SELECT * FROM (\n${sql}\n) AS answers ORDER BY place`);
        const bound = of.kind === 'tree' ? 0 : Number(/at most (\S+) for rows/.exec(sql)![1]);
        expect(answers.length).toBe(data.length);
        data.forEach((row, i) => {
          const answer = answers[i]!;
          expect(answer.halfspace_class, `${name}: ${JSON.stringify(row)}`).toBe(predictor.predict(row));
          const numbers = (what: string, count: number) =>
            Array.from({ length: count }, (_, k) => Number(answer[count === 1 ? what : `${what}_${k + 1}`]));
          const expected = [...predictor.scores(row)];
          const scores = numbers('halfspace_score', expected.length);
          scores.forEach((score, k) => {
            expect(Math.abs(score - expected[k]!), name).toBeLessThanOrEqual(bound);
          });
          if (of.calibration === null) return;
          const own = classProbabilitiesOf(of.calibration, {
            outputs: scores.length,
            scores: Float64Array.from(scores),
          });
          numbers('halfspace_probability', scores.length).forEach((p, k) => {
            expect(Math.abs(p - own[scores.length === 1 ? 1 : k]!), name).toBeLessThan(1e-13);
          });
        });
      }
    },
  );
});
