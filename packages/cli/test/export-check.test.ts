import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TableEncoding } from 'halfspace';
import { Predictor } from 'halfspace';
import { beforeAll, expect, test } from 'vitest';
import type { CategoryColumn } from '../../halfspace/src/features/table-encoding.ts';
import { Comparing } from '../src/consumers/comparison.ts';
import { type AskedRow, inLists, madeRows } from '../src/consumers/rows.ts';
import { readModel } from '../src/data/model-file.ts';
import { halfspace, temporaryFolder } from './run.ts';

const folder = temporaryFolder();

/** Programs of other makers that the tests replace, in a folder at the front of PATH. */
const tools = join(folder, 'tools');

function tool(name: string, script: string): void {
  mkdirSync(tools, { recursive: true });
  writeFileSync(join(tools, name), `#!${process.execPath}\n${script}`);
  chmodSync(join(tools, name), 0o755);
}

const check = (model: string, to: string, data: string, env: object = {}) =>
  halfspace(folder, ['export', model, '--to', ...to.split(' '), '--output', 'out', '--check', data], { env });

/** Levels and blanks that a careless query would cut: `v`, `n`, `t`. */
const towns = ['Kyiv', 'v', ' nt ', 'Oslo', '', "O'Neill"];

beforeAll(() => {
  const lines = Array.from({ length: 60 }, (_, i) => {
    const day = `2024-0${1 + (i % 9)}-1${i % 7}T1${i % 10}:30:00Z`;
    return `${(i % 13) / 3},${towns[i % 6]},${day},${i % 4 ? 'yes' : 'no'},${['a', 'b', 'c'][(i % 13) % 3]}`;
  });
  writeFileSync(join(folder, 't.csv'), `x,town,day,ripe,class\n${lines.join('\n')}\n`);
  writeFileSync(
    join(folder, 'n.svm'),
    Array.from({ length: 40 }, (_, i) => `${i % 2 ? 1 : -1} ${1 + (i % 3)}:${i / 7} ${5 + (i % 2)}:1\n`).join(''),
  );
  halfspace(folder, ['train', 't.csv', '--rule', 'averaged', '--calibrate', 'platt', '--model', 't.json']);
  halfspace(folder, ['train', 'n.svm', '--rule', 'averaged', '--model', 'n.json']);
});

test.each([
  ['t.json', 'javascript --form commonjs', 't.csv', 't.csv and 10 made rows', 'Node.js'],
  ['n.json', 'javascript', 'n.svm', 'n.svm', 'Node.js'],
  ['t.json', 'sql --table shop.bags', 't.csv', 't.csv and 10 made rows', 'DuckDB'],
])('the program of %s as %s answers the rows of %s as the model does', (model, to, data, asked, consumer) => {
  const { status, out, err } = check(model, to, data);
  expect({ status, err }).toEqual({ status: 0, err: '' });
  expect(out).toMatch(new RegExp(`^Check +holds for \\d+ rows of ${asked}, asked in ${consumer}.*\n +classes equal\n`));
  if (to.startsWith('javascript')) expect(out).toContain('scores equal, bit for bit');
});

test('a program that answers otherwise than its model gives the exit status 1, and stays written', () => {
  tool('liblinear-predict', `require('fs').writeFileSync(process.argv[4], '1\\n'.repeat(40));\n`);
  const { status, out } = check('n.json', 'liblinear', 'n.svm', { PATH: tools });
  expect(status).toBe(1);
  expect(out).toBe(
    'Check      does not hold for 40 rows of n.svm, asked in liblinear-predict\n' +
      '           20 other classes; first in row 1: 1 instead of -1\n' +
      '           scores are not told\n',
  );
  expect(readFileSync(join(folder, 'out'), 'utf8')).toMatch(/^solver_type /);
  tool('liblinear-predict', 'process.exit(7)\n');
  expect(check('n.json', 'liblinear', 'n.svm', { PATH: tools })).toMatchObject({
    status: 1,
    out: 'Check      does not hold: liblinear-predict ended with status 7\n',
  });
});

test('what cannot be asked here is told, with the exit status 4', () => {
  const env = { PATH: join(folder, 'nothing'), PYTHON: 'no-python', CC: '' };
  for (const [model, to, data, reason] of [
    ['t.json', 'c', 't.csv', 'no C compiler is installed: gcc, clang, cc'],
    ['n.json', 'liblinear', 'n.svm', 'liblinear-predict is not installed'],
    ['t.json', 'onnx', 't.csv', 'no-python has no onnxruntime; the variable PYTHON names another Python'],
    [
      'n.json',
      'scikit-learn',
      'n.svm',
      'no-python has no scikit-learn and pandas; the variable PYTHON names another Python',
    ],
  ] as const)
    expect(check(model, to, data, env)).toEqual({
      status: 4,
      out: expect.stringMatching(new RegExp(`^(Model .*\nScores .*\n.*\n)?Check      not done: ${reason}\n$`)),
      err: '',
    });
  const { status, out } = check('t.json', 'sql --dialect bigquery', 't.csv');
  expect({ status, out }).toEqual({ status: 4, out: expect.stringContaining('the query is for bigquery') });
});

test('a level that a program has lost shows, and DATA need not have it', async () => {
  const model = readModel(join(folder, 't.json'));
  const { columns } = model.features as TableEncoding;
  const { levels } = columns.find((column) => column.name === 'town') as CategoryColumn;
  const predictor = new Predictor(model);
  const first = { x: '1', town: 'v', day: '2024-01-10', ripe: 'yes' };
  for (const lost of levels) {
    const consumer = {
      name: 'a program',
      exact: true,
      ask: async (rows: readonly AskedRow[]) =>
        rows.map((row) => {
          const { town } = row as Record<string, string | null>;
          const asked = { ...row, town: town === lost ? null : town } as AskedRow;
          return { class: predictor.predict(asked), scores: [...predictor.scores(asked)], probabilities: null };
        }),
      close() {},
    };
    const comparing = new Comparing(model, consumer);
    for (const rows of inLists(madeRows(model, first))) await comparing.compareMade(rows);
    const { holds, scores } = comparing.result();
    expect({ holds, row: scores!.row }).toEqual({
      holds: false,
      row: lost === 'v' ? expect.any(String) : `the made row with ${JSON.stringify(lost)} in column "town"`,
    });
  }
});

test('a program on standard output leaves its report to standard error', () => {
  const words = ['export', 't.json', '--to', 'javascript', '--form', 'function', '--check', 't.csv'];
  const { status, out, err } = halfspace(folder, words);
  expect(status).toBe(0);
  expect(out).toMatch(/^\/\/ A model/);
  expect(out).toMatch(/probabilities: [^}]*\};\n\}\)\(\);\n$/);
  expect(err).toMatch(/^Check +holds for 60 rows/);
});

test('data that the model cannot read are refused as elsewhere', () => {
  expect(check('t.json', 'javascript', 'n.svm').status).toBe(3);
});
