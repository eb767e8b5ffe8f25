import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { csv, decodeModel, weightIntervals } from 'halfspace';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { halfspace, temporaryFolder } from './run.ts';

const { folder, clear } = temporaryFolder();
afterAll(clear);
const run = (...words: string[]) => halfspace(folder, words);

beforeAll(() => {
  const lines = Array.from({ length: 120 }, (_, i) => {
    const [size, shade] = [(i * 37) % 100, (i * 53) % 17];
    return `${size},${['red', 'green'][i % 2]},${shade},${size + (i % 2) * 30 + (i % 5) > 70 ? 'yes' : 'no'}`;
  });
  writeFileSync(join(folder, 'plums.csv'), `size,colour,shade,ripe\n${lines.join('\n')}\n`);
  const numbers = Array.from({ length: 400 }, (_, i) => `${i % 3 ? 1 : -1} ${1 + (i % 5)}:${(i % 7) / 3} 9:${i % 3}`);
  writeFileSync(join(folder, 'numbers.svm'), `${numbers.join('\n')}\n`);
  run('train', 'plums.csv', '--rule', 'averaged');
  run('train', 'numbers.svm', '--rule', 'averaged');
});

describe('inspect --intervals', () => {
  test('has the intervals of the library, in text and JSON', async () => {
    const flags = 'inspect plums.model.json plums.csv --intervals --runs 12 --seed 4 --top 2'.split(' ');
    const text = run(...flags);
    expect([text.err, text.status]).toEqual(['', 0]);
    const model = decodeModel(readFileSync(join(folder, 'plums.model.json'), 'utf8'));
    const source = csv(join(folder, 'plums.csv'), { label: 'ripe' });
    const told = await weightIntervals(model, source, { runs: 12, seed: 4, most: 2 });
    expect(JSON.parse(run(...flags, '--json').out).intervals).toEqual(told);
    const lines = text.out.slice(text.out.indexOf('Intervals')).split('\n');
    expect(lines[0]).toBe('Intervals  weight, and the ends of 95.0 % of 12 runs on samples of 120 rows, seed 4');
    expect(lines[1]).toMatch(/^ {11}\(bias\) +\S+ {3} *\S+ to +\S+ {3}same sign in /);
    expect(lines[2]).toMatch(/^ {11}size +\S+ {3} *\S+ to +\S+ {3}same sign in all runs$/);
    expect(lines.length).toBe(5);
  });

  test('does not depend on the number of threads', () => {
    const told = (threads: string) => {
      const flags = ['inspect', 'numbers.model.json', 'numbers.svm', '--intervals', '--runs', '9', '--json'];
      return JSON.parse(run(...flags, '--threads', threads).out).intervals;
    };
    expect(told('3')).toEqual(told('1'));
  });

  test.each([
    [['plums.model.json', '--intervals'], '--intervals needs DATA'],
    [['plums.model.json', 'plums.csv'], 'DATA is for --intervals'],
    [['plums.model.json', '--runs', '5'], '--runs is for --intervals'],
    [['plums.model.json', 'plums.csv', '--intervals', '--runs', '1'], 'a whole number from 2'],
  ])('refuses %j', (words, message) => {
    const { status, err } = run('inspect', ...words);
    expect([status, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
