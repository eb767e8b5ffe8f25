import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TableEncoding } from 'halfspace';
import { decodeModel } from 'halfspace';
import { beforeAll, describe, expect, test } from 'vitest';
import { some } from '../../../../test/support/quick.ts';
import { query, sqlPath } from '../../src/tables/duckdb.ts';
import { halfspace, temporaryFolder } from '../run.ts';

const folder = temporaryFolder();

const names = ['Python', 'C++', 'C#', 'HTML/CSS', 'Bash/Shell', 'SQL', 'R'];
const people = Array.from({ length: 300 }, (_, i) => {
  const langs = names.filter((_, n) => ((i * 48271 + n * 16807 * (i + 3)) >>> 7) % 3 === 0);
  return { langs, y: langs.includes('C++') !== langs.includes('SQL') && langs.includes('C++') ? 'yes' : 'no' };
});
const csvOf = (mark: string) =>
  `langs,y\n${people.map(({ langs, y }) => `"${langs.length === 0 ? '[]' : langs.join(mark)}",${y}\n`).join('')}`;
const files = {
  'semicolons.csv': csvOf(';'),
  'bars.csv': csvOf('|'),
  'commas.csv': csvOf(', '),
  'slashes.csv': csvOf(' / '),
  'lists.csv': `langs,y\n${people.map(({ langs, y }) => `"${JSON.stringify(langs).replaceAll('"', '""')}",${y}\n`).join('')}`,
  'lists.ndjson': people.map((person) => `${JSON.stringify(person)}\n`).join(''),
  'lists.json': JSON.stringify(people, null, 1),
};
const train = (file: string, ...options: string[]) =>
  halfspace(folder, ['train', file, '--label', 'y', '--rule', 'perceptron', '--model', 'm.json', ...options]);
const columnsOf = () => (decodeModel(readFileSync(join(folder, 'm.json'), 'utf8')).features as TableEncoding).columns;

beforeAll(async () => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const json = sqlPath(join(folder, 'lists.ndjson'));
  await query(`COPY (SELECT * FROM read_json(${json})) TO ${sqlPath(join(folder, 'lists.parquet'))} (FORMAT parquet)`);
});

const predicted = (model: string, file: string) => halfspace(folder, ['predict', model, file]).out;

test.each(some([...Object.keys(files), 'lists.parquet'], 3))(
  '%s is read as sets of all values, and separates',
  (file) => {
    const { status, out, err } = train(file);
    expect(status, err).toBe(0);
    expect(out).toContain('every training row is classified correctly');
    expect(columnsOf()).toMatchObject([{ kind: 'set', levels: [...names].sort() }]);
    if (file.endsWith('csv')) expect(err).toMatch(/column langs is read as sets, .* such as .*--column langs=category/);
    const own = people.map(({ y }) => `${y}\n`).join('');
    for (const other of [file, ...some(['lists.parquet', 'lists.csv', 'lists.ndjson', 'lists.json'], 2)])
      expect(predicted('m.json', other), other).toBe(own);
  },
);

test('a mark may be given, and the reading refused', () => {
  expect(train('bars.csv', '--column', 'langs=set:|').err).not.toContain('sets');
  expect(columnsOf()).toMatchObject([{ kind: 'set', separator: '|' }]);
  train('bars.csv', '--column', 'langs=set');
  expect(columnsOf()).toMatchObject([{ kind: 'set', separator: '|' }]);
  expect(train('bars.csv', '--column', 'langs=category').out).toMatch(/langs {2}category/);
  expect(train('bars.csv', '--column', 'langs=set:ab').err).toContain(
    'expected "columns.langs.separator" to be a mark',
  );
  expect(train('lists.ndjson', '--column', 'langs=category').err).toContain('langs (nested)');
});

test.each(some(['semicolons.csv', 'lists.ndjson', 'commas.csv'], 2))('%s is learned row by row', (file) => {
  const state = `${file.replace('.', '-')}.state`;
  const { status, err } = halfspace(folder, ['learn', state, file, '--label', 'y', '--rule', 'arow']);
  expect(status, err).toBe(0);
  expect(err).toContain('column langs is read as sets');
  const answers = halfspace(folder, ['predict', state.replace('state', 'model.json'), 'lists.ndjson']).out;
  expect(answers).toBe(people.map(({ y }) => `${y}\n`).join(''));
});

/** Rows with weights 0, 1, 2 and 0.5; enough for DuckDB, which reads text from 1 MiB on. */
const rows = Array.from({ length: 40_000 }, (_, i) => {
  const x = ((i * 7919) % 1000) / 100;
  return {
    x,
    c: 'abcd'[(i * 31) % 4]!,
    note: `row ${'padded '.repeat(3)}${i % 50}`,
    w: [0, 1, 2, 0.5][(i * 13) % 7] ?? 1,
    y: x + (i % 3) > 5 ? 'yes' : 'no',
  };
});
const csv = (given: readonly object[]) =>
  `x,c,note,w,y\n${given.map((row) => `${Object.values(row).join(',')}\n`).join('')}`;
const json = (given: readonly object[]) => given.map((row) => `${JSON.stringify(row)}\n`).join('');
const modelOf = (data: string, text: string, ...options: string[]) => {
  writeFileSync(join(folder, data), text);
  const run = halfspace(folder, [
    'train',
    data,
    '--weight',
    'w',
    '--rule',
    'arow',
    '--passes',
    '2',
    '--model',
    'm.json',
    ...options,
  ]);
  expect(run).toMatchObject({ status: 0, err: 'note: left out: w (weight)\n' });
  return readFileSync(join(folder, 'm.json'), 'utf8');
};

describe('--weight', () => {
  const present = rows.filter(({ w }) => w !== 0);

  test.each(
    some(
      [
        ['csv', csv],
        ['ndjson', json],
      ] as const,
      2,
    ),
  )('makes rows of weight 0 absent in %s, with held-out rows too', (format, write) => {
    for (const options of [[], ['--holdout', '0.3']])
      expect(modelOf(`all.${format}`, write(rows), ...options)).toBe(
        modelOf(`present.${format}`, write(present), ...options),
      );
  });

  test('counts where rows are skipped, and in evaluate, and predict does not need it', () => {
    const model = modelOf('all.csv', csv(rows));
    expect(modelOf('tolerant.csv', csv(rows), '--on-error', 'skip')).toBe(model);
    const counted = (...args: string[]) =>
      JSON.parse(halfspace(folder, ['evaluate', 'm.json', ...args, '--json']).out).examples;
    expect([counted('all.csv'), counted('present.csv')]).toEqual([present.length, present.length]);
    const without = rows.map(({ w: _, ...rest }) => rest);
    writeFileSync(join(folder, 'without.csv'), csv(without).replace(',w,', ','));
    expect(counted('without.csv')).toBe(rows.length);
    expect(halfspace(folder, ['evaluate', 'm.json', 'without.csv', '--weight', 'w'])).toMatchObject({ status: 2 });
    const predicted = halfspace(folder, ['predict', 'm.json', 'without.csv', '--scores']);
    expect(predicted).toMatchObject({ status: 0, err: '' });
    expect(halfspace(folder, ['predict', 'm.json', 'all.csv', '--scores'])).toEqual(predicted);
  });

  test('names the row of a bad weight, and is for tables', () => {
    writeFileSync(join(folder, 'bad.csv'), csv(rows.map((row, i) => (i === 30_000 ? { ...row, w: -2 } : row))));
    expect(halfspace(folder, ['train', 'bad.csv', '--weight', 'w']).err).toBe(
      'halfspace: bad.csv, row 30001, column "w": expected a weight, a finite number from 0; got "-2"\n',
    );
    writeFileSync(join(folder, 'a.svm'), '1 1:1\n-1 2:1\n');
    expect(halfspace(folder, ['train', 'a.svm', '--weight', 'w']).err).toContain(
      '--weight names a column of a table; got libsvm text',
    );
  });
});
