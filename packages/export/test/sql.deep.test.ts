import { DuckDBInstance } from '@duckdb/node-api';
import { type Model, Predictor, rows, train } from 'halfspace';
import { Random, type TableEncoding } from 'halfspace/internal';
import { toSql } from 'halfspace-export';
import { expect, test } from 'vitest';
import { anyRow, goodRows } from './models.ts';

const columns = {
  note: { kind: 'drop' },
  price: { kind: 'drop' },
  seen: { kind: 'drop' },
  epoch: { kind: 'drop' },
} as const;
const two = ['no', 'yes'];
const three = ["O'Neill", 'b; DROP TABLE data; --', 'c'];

async function model(classes: readonly string[], rule: object, further: object = {}): Promise<Model> {
  const features = {
    columns: {
      ...columns,
      height: { bins: 4 },
      day: { kind: 'date', parts: ['month', 'weekday', 'hour'] },
      colour: { rare: 3 },
      ...further,
    },
  };
  return (
    await train(rows(goodRows(300, 3, classes), { label: 'class', features } as never), { seed: 1, ...rule } as never)
  ).model;
}

test('DuckDB gives the classes of Predictor, and its scores within the bound of the comment', async () => {
  const connection = await (await DuckDBInstance.create()).connect();
  const sets = {
    'two classes': await model(two, { rule: 'averaged', passes: 2 }),
    divided: await model(two, { rule: 'perceptron', passes: 2, scaling: 'unit-ball' }),
    'three classes': await model(three, { rule: 'averaged', passes: 2 }),
    tree: await model(two, { rule: 'tree' }, { height: {}, day: { kind: 'drop' } }),
    'tree of three': await model(three, { rule: 'tree' }, { height: {}, day: { kind: 'drop' } }),
  };
  for (const [name, of] of Object.entries(sets)) {
    const { columns } = of.features as TableEncoding;
    const predictor = new Predictor(of);
    const random = new Random(2);
    const rowsOf: Record<string, unknown>[] = [];
    while (rowsOf.length < 400) {
      const row = {
        ...goodRows(1, random.below(1e9), two)[0],
        ...(random.below(3) === 0 ? { colour: anyRow(random).colour } : {}),
      };
      if (!['string', 'number', 'boolean'].includes(typeof row.colour) && row.colour != null) continue;
      try {
        predictor.scores(row);
        rowsOf.push(row);
      } catch {}
    }
    const types = { number: 'DOUBLE', boolean: 'BOOLEAN', date: 'TIMESTAMP', category: 'VARCHAR', text: 'VARCHAR' };
    await connection.run(
      `CREATE OR REPLACE TABLE data (place INTEGER, ${columns.map(({ name, kind }) => `"${name}" ${types[kind]}`).join(', ')})`,
    );
    const literal = (value: unknown) =>
      value == null ? 'NULL' : typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
    await connection.run(
      `INSERT INTO data VALUES ${rowsOf.map((row, i) => `(${[i, ...columns.map(({ name }) => literal(row[name]))].join(', ')})`).join(', ')}`,
    );
    const sql = toSql(of);
    const read = await connection.runAndReadAll(`${sql} ORDER BY place`);
    const answers = read.getRowObjects();
    const bound = of.kind === 'tree' ? 0 : Number(/at most (\S+) for rows/.exec(sql)![1]);
    expect(answers.length).toBe(rowsOf.length);
    rowsOf.forEach((row, i) => {
      expect(answers[i]!.halfspace_class, `${name}: ${JSON.stringify(row)}`).toBe(predictor.predict(row));
      const scores = [...predictor.scores(row)];
      scores.forEach((score, k) => {
        const got = answers[i]![scores.length === 1 ? 'halfspace_score' : `halfspace_score_${k + 1}`] as number;
        expect(Math.abs(got - score), name).toBeLessThanOrEqual(bound);
      });
    });
  }
});
