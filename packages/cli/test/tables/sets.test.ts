import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeModel } from 'halfspace';
import type { TableEncoding } from 'halfspace/internal/tables';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { some } from '../../../../test/support/quick.ts';
import { query, sqlPath } from '../../src/tables/duckdb.ts';
import { halfspace, temporaryFolder } from '../run.ts';

const { folder, clear } = temporaryFolder();
afterAll(clear);

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
