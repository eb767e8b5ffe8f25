import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { csv, decodeModel, type Explanation, Predictor, type RawRow, weightIntervals } from 'halfspace';
import { beforeAll, describe, expect, test } from 'vitest';
import { halfspace, temporaryFolder } from './run.ts';

const folder = temporaryFolder();
beforeAll(() => {
  const lines = Array.from({ length: 80 }, (_, i) => {
    const note = ['free prize', 'see you', 'free lunch now', 'you see me'][i % 4]!;
    return `${i % 9 === 0 ? '' : (i * 7) % 13},${['a', 'b', '"c, d"'][i % 3]},${note},2024-0${1 + (i % 9)}-11,${i % 4 === 0 ? 'spam' : i % 5 === 0 ? 'bulk' : 'ham'}`;
  });
  writeFileSync(join(folder, 'mails.csv'), `n,from,note,on,class\n${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'few.svm'), '1 1:2 3:1\n-1 2:1\n1 1:3\n-1 2:4 3:1\n');
});

const run = (...words: string[]) => halfspace(folder, words);
const predictor = (file: string) => new Predictor(decodeModel(readFileSync(join(folder, file), 'utf8')));
const told = (...words: string[]): Explanation[] => {
  const { out, err, status } = run('predict', ...words, '--output', 'told.ndjson');
  expect([out, err, status]).toEqual(['', '', 0]);
  const lines = readFileSync(join(folder, 'told.ndjson'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line).explanation);
};

/** The explanation of a row; the command reads no unknown fields, so it does not list them. */
const explained = (asked: Predictor, row: RawRow, most: number) => {
  const { unknown: _, ...rest } = asked.explain(row, { most });
  return rest;
};

describe('predict --explain', () => {
  test('gives the explanations of Predictor, to the bit, from any format', () => {
    run('train', 'mails.csv', '--rule', 'averaged', '--means', '--passes', '3');
    const asked = predictor('mails.model.json');
    const rows = readFileSync(join(folder, 'mails.csv'), 'utf8').trimEnd().split('\n').slice(1);
    const expected = rows.map((line) => {
      const [, n, from, note, on] = /^([^,]*),("[^"]*"|[^,]*),([^,]*),([^,]*)/.exec(line)!;
      return explained(asked, { n, from: from!.replaceAll('"', ''), note, on }, 4);
    });
    expect(told('mails.model.json', 'mails.csv', '--explain', '4')).toEqual(expected);
    expect(new Set(expected.map(({ class: name }) => name)).size).toBeGreaterThan(1);
    const ham = told('mails.model.json', 'mails.csv', '--explain', '1', '--explain-class', 'ham');
    expect(ham.every(({ class: name, isMean }) => name === 'ham' && isMean)).toBe(true);

    run('train', 'few.svm', '--rule', 'perceptron');
    expect(told('few.model.json', 'few.svm', '--explain', '2')[3]).toEqual(
      explained(predictor('few.model.json'), { indices: [2, 3], values: [4, 1] }, 2),
    );
  });

  test('writes them as columns, and as lines for people', () => {
    const flags = ['predict', 'mails.model.json', 'mails.csv', '--explain', '2'];
    const table = [...flags, '--id', 'from', '--prefix', 'p_', '--output', 'told.csv'];
    for (const _ of ['new', 'replaced']) expect(run(...table).err).toBe('');
    const csv = readFileSync(join(folder, 'told.csv'), 'utf8').split('\n');
    expect(csv[0]).toBe(
      'from,p_prediction,p_explained_class,p_explained_score,p_mean_score,p_term_1,p_value_1,p_contribution_1,p_term_2,p_value_2,p_contribution_2,p_others,p_rounding',
    );
    const [last] = told('mails.model.json', 'mails.csv', '--explain', '2').slice(-1);
    const { class: name, score, meanScore, terms, others, rounding } = last!;
    const cells = terms.flatMap(({ term, value, contribution }) => [term, value ?? '', contribution]);
    expect(csv[80]!.replace(/^[^,]*,/, '')).toBe([name, name, score, meanScore, ...cells, others, rounding].join(','));
    const lines = [...flags, '--output', 'told.txt'];
    for (const _ of ['new', 'replaced']) expect(run(...lines).err).toBe('');
    const text = readFileSync(join(folder, 'told.txt'), 'utf8').split('\n').slice(-7);
    expect(text[0]).toBe(`row 80: ${name}`);
    expect(text[1]).toMatch(new RegExp(`^ {2} *[+-]?[\\d.]+ {2}score for ${name}$`));
    expect(text[2]).toMatch(/ {2}the mean row$/);
    expect(text[3]).toContain(`  ${terms[0]!.term} `);
    expect(text[5]).toMatch(/^ {2} *[+-][\d.e-]+ {2}\d+ other terms?$/);
  });

  test.each([
    [['--explain', '0'], 'a whole number from 1'],
    [['--explain-class', 'ham'], '--explain-class is for --explain'],
    [['--explain', '1', '--explain-class', 'x'], 'expected --explain-class with one of bulk, ham, spam; got x'],
  ])('refuses %j', (flags, message) => {
    const { status, err } = run('predict', 'mails.model.json', 'mails.csv', ...flags);
    expect([status, err]).toEqual([2, expect.stringContaining(message)]);
  });

  test('refuses models whose score is no sum', () => {
    run('train', 'mails.csv', '--rule', 'tree', '--column', 'note=drop', '--model', 'tree.model.json');
    const { status, err } = run('predict', 'tree.model.json', 'mails.csv', '--explain', '1');
    expect([status, err]).toEqual([
      2,
      expect.stringContaining('--explain is for linear models, whose score is a sum of terms'),
    ]);
  });
});

describe('inspect --intervals', () => {
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
