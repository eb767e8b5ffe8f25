import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { classLines, neverPredictedWarning } from '../src/report/quality.ts';
import { halfspace, temporaryFolder } from './run.ts';

const folder = temporaryFolder();

/** A table whose only feature says nothing about the label: 95 rows of `no`, 5 of `yes`. */
const rows = Array.from({ length: 100 }, (_, i) => `${i % 7},${i % 20 === 0 ? 'yes' : 'no'}`);
writeFileSync(join(folder, 'rare.csv'), `a,fraud\n${rows.join('\n')}\n`);
const options = ['--label', 'fraud', '--rule', 'sgd', '--loss', 'logistic'];

describe('a model that always predicts the most frequent class', () => {
  const trained = halfspace(folder, ['train', 'rare.csv', ...options, '--report', 'train.html']);

  test('looks useless where it is trained', () => {
    expect(trained.status).toBe(0);
    expect(trained.out).toContain('95.0 %  of the training rows, 5 errors\n');
    expect(trained.out).toContain('95.0 %  baseline: always predicting no; the model is no better\n');
    expect(trained.out).toMatch(/^Classes {4}on the training rows, where a model looks better than it is$/m);
    expect(trained.out).toMatch(/^ {11}yes +– +0 % +0 % +5$/m);
    expect(trained.err).toBe(
      'note: never predicted, though present in the 100 training rows: yes (5 rows). Training with --class-weight balanced gives rare classes more weight\n',
    );
    for (const line of trained.out.split('\n').filter((each) => /baseline|Classes|^ +(no|yes) /.test(each)))
      expect([...line].length).toBeLessThanOrEqual(80);
  });

  test('looks useless where it is evaluated, for people and for programs', () => {
    const told = halfspace(folder, ['evaluate', 'rare.model.json', 'rare.csv']);
    expect(told.out).toContain('           95.0 %  baseline: always predicting no; the model is no better\n');
    expect(told.err).toContain('note: never predicted, though present in the 100 rows: yes (5 rows).');
    const judged = JSON.parse(halfspace(folder, ['evaluate', 'rare.model.json', 'rare.csv', '--json']).out);
    expect(judged).toMatchObject({
      accuracy: 0.95,
      baseline: 0.95,
      neverPredicted: ['yes'],
      perClass: [
        { class: 'no', support: 95, precision: 0.95, recall: 1 },
        { class: 'yes', support: 5, precision: null, recall: 0 },
      ],
    });
    expect(judged.notes).toHaveLength(1);
  });

  test('is judged on held-out rows if there are any', () => {
    const { out } = halfspace(folder, ['train', 'rare.csv', ...options, '--holdout', '0.4', '--json']);
    const { train, holdout } = JSON.parse(out);
    for (const judged of [train, holdout]) {
      const supports = judged.perClass.map(({ support }: { support: number }) => support);
      expect(supports[0] + supports[1]).toBe(judged.examples);
      expect(judged.baseline).toBe(Math.max(...supports) / judged.examples);
      expect(judged.neverPredicted).toEqual(supports[1] === 0 ? [] : ['yes']);
    }
    const text = halfspace(folder, ['train', 'rare.csv', ...options, '--holdout', '0.4']).out;
    expect(text).toMatch(
      /rows held out, .*\n.* {2}baseline: always predicting no; .*\nClasses {4}on the rows held out\n/,
    );
  });

  test('has its baseline, its command and its columns on the page', () => {
    const page = readFileSync(join(folder, 'train.html'), 'utf8');
    expect(page).toContain('<dt>Baseline</dt><dd>95.0 %<small>always predicting no</small></dd>');
    expect(page).toContain(
      '<dd>halfspace train rare.csv --label fraud --rule sgd --loss logistic --report train.html</dd>',
    );
    expect(page).toMatch(/<th scope="row">a<\/th><td>number<\/td>/);
    expect(page).toContain('never predicted');
    const words = ['evaluate', 'rare.model.json', 'rare.csv', '--report', "it's one.html", '--json'];
    expect(halfspace(folder, words).status).toBe(0);
    expect(readFileSync(join(folder, "it's one.html"), 'utf8')).toContain(
      "halfspace evaluate rare.model.json rare.csv --report 'it'\\''s one.html'</dd>",
    );
  });
});

test('a model that is better than the baseline is not called useless', () => {
  writeFileSync(join(folder, 'easy.svm'), '1 1:1\n1 1:2\n-1 1:-1\n');
  const { out, err } = halfspace(folder, ['train', 'easy.svm']);
  expect(out).toMatch(/baseline: always predicting 1$/m);
  expect(err).not.toContain('never predicted');
});

describe('many classes', () => {
  const names = Array.from({ length: 30 }, (_, k) => `a rather long name that all classes share, number ${k}`);
  /** Class k has k rows; those of class 29 are predicted as class 0, the rest correctly. */
  const confusion = names.map((_, i) => names.map((_, j) => ((i === 29 ? j === 0 : i === j) ? i : 0)));

  test('are shown by the worst ones, with the ends of their names, within 80 columns', () => {
    const lines = classLines(confusion, names);
    expect(lines).toHaveLength(12);
    expect(lines[1]).toMatch(/^a rather lon….*number 29 +– +0 % +0 % +29$/);
    expect(lines[11]).toBe('… and 20 classes with F1 from 100 % to 100 %');
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(80 - 11);
  });

  test('are named in the warning only if they occur', () => {
    const examples = (29 * 30) / 2;
    expect(neverPredictedWarning({ confusion, examples }, names, 'rows')).toMatch(
      /in the 435 rows: [^,]*share, number 29 \(29 rows\)\./,
    );
    const none = names.map((_, i) => names.map((_, j) => (i === j ? i : 0)));
    expect(neverPredictedWarning({ confusion: none, examples }, names, 'rows')).toBeNull();
  });
});

test('train and compare name a column that gives the class away', () => {
  const leaking = Array.from({ length: 60 }, (_, i) => `${(i * 7) % 11},${i % 3 === 0 ? 'churned' : 'kept'},${i % 3}`);
  writeFileSync(
    join(folder, 'leak.csv'),
    `months,status,left\n${leaking.map((row) => row.replace(/2$/, '1')).join('\n')}\n`,
  );
  const note =
    'column status alone gives the class of all 60 rows: a likely leak, if it is known only with the class (--column status=drop leaves it out)';
  for (const command of ['train', 'compare']) {
    const given = [
      command,
      'leak.csv',
      '--label',
      'left',
      ...(command === 'train' ? ['--rule', 'perceptron'] : ['--rules', 'perceptron']),
    ];
    const { leaks, notes } = JSON.parse(halfspace(folder, [...given, '--json']).out);
    expect([leaks, notes]).toEqual([['status'], [note]]);
  }
  expect(halfspace(folder, ['train', 'leak.csv', '--label', 'left', '--column', 'status=drop']).err).not.toContain(
    'leak,',
  );
});
