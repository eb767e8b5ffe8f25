import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { predict } from '../src/commands/predict.ts';
import { temporaryFolder } from './run.ts';

const { folder, clear } = temporaryFolder();
afterAll(clear);

const kept = join(import.meta.dirname, 'older-models');
const dataOf: Readonly<Record<string, string>> = {
  'v1-hashed': 'words.vw',
  'v1-indexed': 'two.svm',
  'v1-named': 'words.vw',
  'v1-scaled': 'two.svm',
  'v1-table': 'two.csv',
  'v2-indexed': 'three.svm',
  'v2-isotonic': 'two.csv',
  'v2-kernel': 'two.svm',
  'v2-kesler': 'three.csv',
  'v2-platt': 'two.csv',
  'v2-table': 'three.csv',
  'v2-text': 'text.csv',
  'v2-tree': 'three.csv',
  'v2-two': 'two.csv',
  'v2-voted': 'two.svm',
};

test('every model that is kept has data to be asked about', () => {
  const models = readdirSync(kept).filter((name) => name.endsWith('.model'));
  expect(models).toEqual(Object.keys(dataOf).map((name) => `${name}.model`));
});

test.each(Object.entries(dataOf))(
  '%s, of an older build, answers about %s what it answered then',
  async (name, data) => {
    const output = join(folder, name);
    await predict(join(kept, `${name}.model`), [join(kept, data)], {
      scores: true,
      output,
      onError: 'fail',
      threads: 1,
    });
    expect(readFileSync(output, 'utf8')).toBe(readFileSync(join(kept, `${name}.scores`), 'utf8'));
  },
);
