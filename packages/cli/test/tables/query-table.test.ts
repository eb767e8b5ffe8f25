import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openQueryTable } from '../../src/tables/query-table.ts';
import { halfspace, temporaryFolder } from '../run.ts';

const folder = mkdtempSync(join(tmpdir(), 'queries-'));
const at = (name: string) => join(folder, name);
const contents = () => readdirSync(folder, { recursive: true }).sort();
const text = 'x,label\n1,a\n2,b\n';

beforeAll(() => {
  mkdirSync(at('more'));
  for (const name of ['t.csv', 'other.csv', 'more/a.csv', 'more/b.csv']) writeFileSync(at(name), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a query', () => {
  it.each([
    ["select * from 'DIR/t.csv'", 2],
    ["select * from 'DIR/t.csv';  ", 2],
    ["select * from 'DIR/t.csv' -- with a comment", 2],
    ["from read_csv(['DIR/more/a.csv', 'DIR/t.csv']) order by x", 2],
    ["with t as (select * from 'DIR/more/*.csv') select x, label from t", 2],
    ["select * from query('select x, label from \"DIR/t.csv\"'), (select 1 from 'DIR/t.csv' limit 1) o(z)", 3],
    ['select * from $$DIR/t.csv$$', 2],
    ["values (1, 'a'), (2, 'b')", 2],
  ])('reads the files that it names in quotes: %s', async (sql, width) => {
    expect((await openQueryTable(sql.replaceAll('DIR', folder))).columns).toHaveLength(width);
  });

  /** Ways to write, to change settings, to run other text, and to leave the machine. */
  it.each([
    "select * from 'DIR/t.csv'); copy (select 1) to 'DIR/pwn.csv'; select * from (select 1",
    "select 1; copy (select 1) to 'DIR/pwn.csv'",
    "copy (select 1) to 'DIR/pwn.csv'; select 1",
    "copy (select 1) to 'DIR/t.csv'",
    "copy (select 1) to 'DIR/pwn.csv'",
    "export database 'DIR/pwn'",
    "import database 'DIR/more'",
    "attach 'DIR/pwn.db'",
    'create table t as select 1',
    'install httpfs',
    'load httpfs',
    "set temp_directory = 'DIR/pwn'",
    'pragma version',
    'call enable_logging()',
    'explain analyze select 1',
    'prepare p as select 1',
    'checkpoint',
    "select * from enable_profiling(save_location = 'DIR/pwn.txt'), 'DIR/t.csv'",
    `select * from "ENABLE_LOGGING"('QueryLog', storage = 'file', storage_config = {'path': 'DIR/pwn'})`,
    "select * from system.main.enable_logging(storage = 'file', storage_config = {'path': 'DIR/more/*.csv'})",
    "select * from query('select * from enable_' || 'logging(storage = ''file'', storage_config = {''path'': ''DIR/pwn''})')",
    "select *, (select count(*) from enable_logging()) from 'DIR/t.csv'",
    "select * from 'DIR/t.csv', lateral (select * from enable_logging())",
    "with c as materialized (select * from force_checkpoint()) select *, (select count(*) from c) from 'DIR/t.csv'",
    "select * from json_execute_serialized_sql(json_serialize_sql('select 1'))",
    "select * from read_csv('DIR/oth' || 'er.csv')",
    "select * from 'DIR/t.csv' where x < (select length(content) from read_text('DIR/oth' || 'er.csv'))",
    "select * from glob('DIR/' || '*')",
    "select * from 'https://127.0.0.1:9/x.csv'",
    "select * from 's3://bucket/x.parquet'",
    '',
    '-- nothing',
  ])('is refused before it runs: %s', async (sql) => {
    const before = contents();
    await expect(openQueryTable(sql.replaceAll('DIR', folder))).rejects.toMatchObject({ code: 'option-invalid' });
    expect(contents()).toEqual(before);
    expect(readFileSync(at('t.csv'), 'utf8')).toBe(text);
  });
});

describe('labels of a query keep their types', () => {
  const folder = temporaryFolder();

  it.each([
    ['x > 2', 'boolean', 'true'],
    ['x * 2', 'number', '8'],
    ['CAST(x / 4 AS DOUBLE)', 'number', '1'],
    ['453201511283036611 + x', 'bigint', '453201511283036615'],
    ["'0' || x", undefined, '"04"'],
  ])('%s', (label, type, last) => {
    const values = '(VALUES (1), (2), (3), (4)) AS t(x)';
    const run = halfspace(folder, [
      'train',
      '--sql',
      `SELECT x, ${label} AS y FROM ${values}`,
      '--label',
      'y',
      '--rule',
      'tree',
      '--model',
      'm.json',
    ]);
    expect(run.status).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, 'm.json'), 'utf8')).labelType).toBe(type);
    const predicted = halfspace(folder, [
      'predict',
      'm.json',
      '--sql',
      `SELECT x FROM ${values}`,
      '--output',
      'p.ndjson',
    ]);
    expect([predicted.status, predicted.err]).toEqual([0, '']);
    const lines = readFileSync(join(folder, 'p.ndjson'), 'utf8').trimEnd().split('\n');
    expect(lines.at(-1)).toContain(`"prediction":${last}`);
  });
});
