import { DuckDBInstance } from '@duckdb/node-api';
import { PGlite } from '@electric-sql/pglite';
import { type Model, Predictor, rows, train } from 'halfspace';
import { toC, toJavaScript, toOnnx, toSql } from 'halfspace/export';
import { describe, expect, test } from 'vitest';
import { fc, forAllAsync } from '../../../../test/support/properties.ts';

/** Characters that lines, quotes, comments, trimming and encodings treat in their own way. */
const odd = [
  ...['\n', '\r', '\r\n', '\t', '\v', '\f', '\u0085', '\u2028', '\u2029', '\ufeff', '\u00a0', '\u200b'],
  ...["'", '"', '`', '\\', '\\n', '--', '/*', '*/', ';', '$$', '%', '{', '\u0001', '\u001b', '\u007f', '😀', '\u202e'],
];
const word = fc.array(fc.constantFrom(...odd, 'a', 'b'), { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));

interface Words {
  readonly column: string;
  readonly levels: readonly string[];
  readonly classes: readonly string[];
}

const words: fc.Arbitrary<Words> = fc.record({
  column: word.map((text) => `c${text}c`),
  levels: fc.array(word, { minLength: 3, maxLength: 3 }).map((all) => all.map((text, l) => `${l}${text}${l}`)),
  classes: fc.array(word, { minLength: 3, maxLength: 3 }).map((all) => all.map((text, k) => `${k}${text}${k}`)),
});

const rowsOf = ({ column, levels, classes }: Words) =>
  Array.from({ length: 12 }, (_, i) => ({ [column]: levels[i % 3]!, size: i % 5, klass: classes[i % 3]! }));

async function modelOf(given: Words, rule: 'perceptron' | 'tree'): Promise<Model> {
  const features = { columns: { [given.column]: { kind: 'category' } } } as const;
  return (await train(rows(rowsOf(given), { label: 'klass', features } as never), { rule, seed: 1 } as never)).model;
}

const rules = ['perceptron', 'tree'] as const;

describe('names, levels and classes of any characters', () => {
  test('are found by the query in DuckDB and PostgreSQL', async () => {
    const duckDb = await (await DuckDBInstance.create(':memory:')).connect();
    const postgres = new PGlite();
    const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
    await forAllAsync(40, words, fc.constantFrom(...rules), async (given, rule) => {
      const model = await modelOf(given, rule);
      const predictor = new Predictor(model);
      const asked = rowsOf(given).slice(0, 5);
      const expected = asked.map((row) => String(predictor.predict(row)));
      const table = asked.map(
        (row, i) => `(${i}, '${String(row[given.column]).replaceAll("'", "''")}', CAST(${row.size} AS INTEGER))`,
      );
      const create = `CREATE TABLE data AS SELECT * FROM (VALUES ${table.join(', ')}) AS t(place, ${quoted(given.column)}, size)`;
      const answer = (dialect: 'duckdb' | 'postgresql') =>
        `SELECT halfspace_class AS answer FROM (\n${toSql(model, { dialect })}\n) AS q ORDER BY place`;
      await duckDb.run(`DROP TABLE IF EXISTS data; ${create}`);
      const found = await duckDb.runAndReadAll(answer('duckdb'));
      expect(found.getRows().map(([text]) => text)).toEqual(expected);
      await postgres.exec(`DROP TABLE IF EXISTS data; ${create}`);
      const { rows: own } = await postgres.query<{ answer: string }>(answer('postgresql'));
      expect(own.map((row) => row.answer)).toEqual(expected);
    });
    duckDb.closeSync();
    await postgres.close();
  });

  test.each(['a\0b', 'a\ud800b', 'a\udc00'])('are refused where a program cannot hold them: %j', async (bad) => {
    const plain = { column: 'c', levels: ['x', 'y', 'z'], classes: ['p', 'q', 'r'] };
    const sentence = 'expected classes, names and levels without NUL and halves of characters; got ';
    for (const given of [
      { ...plain, column: bad },
      { ...plain, levels: [bad, 'y', 'z'] },
      { ...plain, classes: [bad, 'q', 'r'] },
    ]) {
      const model = await modelOf(given, 'perceptron');
      for (const dialect of ['duckdb', 'postgresql', 'bigquery'] as const)
        expect(() => toSql(model, { dialect })).toThrow(sentence);
      expect(() => toC(model)).toThrow(sentence);
      expect(() => toOnnx(model)).toThrow(sentence);
      expect(toJavaScript(model)).toMatch(/^[^\0\p{Surrogate}]*$/u);
    }
  });
});

test('programs in other languages say which words of the training table stand beside numbers', async () => {
  const cells = ['$1.5K', '~$20', '$300', '$7K', '$12'];
  const { model } = await train(
    rows(
      Array.from({ length: 20 }, (_, i) => ({ 'pri\nce': cells[i % 5]!, klass: i % 5 < 2 ? 'a' : 'b' })),
      { label: 'klass' },
    ),
    { rule: 'perceptron', seed: 1 },
  );
  const said = 'a number, without "$", "K", "~" of the training table; "K" multiplies by 1000';
  expect(toSql(model)).toContain(`-- "pri\\nce" is ${said}.\n`);
  expect(toC(model)).toContain(`pri?ce, ${said}`);
  expect(new TextDecoder().decode(toOnnx(model))).toContain(said);
});
