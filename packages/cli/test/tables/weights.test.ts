import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { some } from '../../../../test/support/quick.ts';
import { halfspace, temporaryFolder } from '../run.ts';

const { folder, clear } = temporaryFolder();
afterAll(clear);

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
      'halfspace: bad.csv, row 30001, column "w": expected a weight, a finite number from 0; got -2\n',
    );
    writeFileSync(join(folder, 'a.svm'), '1 1:1\n-1 2:1\n');
    expect(halfspace(folder, ['train', 'a.svm', '--weight', 'w']).err).toContain(
      '--weight names a column of a table; got libsvm text',
    );
  });
});
