import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { nearestName } from '../../halfspace/src/features/nearest.ts';
import { argumentFault } from '../src/failure.ts';
import { halfspace, temporaryFolder } from './run.ts';

const folder = temporaryFolder();

const mails = `links,words,spam\n${Array.from({ length: 20 }, (_, i) => `${(i * 7) % 11},${i},${i % 2 ? 'yes' : 'no'}\n`).join('')}`;

beforeAll(() => {
  writeFileSync(join(folder, 'mails.csv'), mails);
  writeFileSync(join(folder, 'cut.csv.gz'), gzipSync(mails).subarray(0, 60));
  writeFileSync(join(folder, 'mails.xlsx'), Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 0]));
  writeFileSync(join(folder, 'lfs.csv'), 'version https://git-lfs.github.com/spec/v1\noid sha256:e9c8\nsize 16\n');
  writeFileSync(join(folder, 'annex.csv'), '/annex/objects/SHA256E-s16--e9c8.csv\n');
  writeFileSync(join(folder, 'page.csv'), '<!DOCTYPE html>\n<html><body>Not found</body></html>\n');
});

const help = '(see halfspace train --help)';

// Each is one line that says what was expected, what came, and what to do.
test.each<[string, number, string]>([
  ['train mails.cvs', 3, 'mails.cvs: expected a readable file; got no such file; did you mean mails.csv?'],
  ['train .', 3, '.: expected a readable file; got a directory; *.csv names all files of a kind in it'],
  [
    'train https://example.com/mails.csv',
    3,
    'https://example.com/mails.csv: expected a readable file; got no such file; download it first, or read it from a pipe (-)',
  ],
  ['train mails.xlsx', 3, 'mails.xlsx: expected a table as text; got a ZIP archive; save a spreadsheet as CSV'],
  ['train page.csv', 3, 'page.csv: expected a table as text; got an HTML page'],
  ['train lfs.csv', 3, 'lfs.csv: expected a table as text; got a pointer of Git LFS: "git lfs pull" fetches the file'],
  [
    'train annex.csv',
    3,
    'annex.csv: expected a table as text; got a pointer of git-annex: "git annex get" fetches the file',
  ],
  ['train cut.csv.gz', 3, 'cut.csv.gz, byte 60: expected a whole gzip file; got one that is cut short'],
  [
    'train mails.csv --label Spam',
    2,
    'mails.csv: expected a column "Spam"; got links, words, spam; did you mean "spam"?',
  ],
  ['predict mails.csv', 3, 'mails.csv: expected a model file (JSON); got other text; DATA follows the model'],
  [
    'train mails.csv --holdout 20%',
    2,
    `expected --holdout to be a fraction between 0 and 1, such as 0.2; got 20% ${help}`,
  ],
  ['help train', 2, "unknown command 'help'; did you mean halfspace train --help?"],
  [
    'train mails.csv --model - --json',
    2,
    'expected --json or --model -, which both write to standard output; got both',
  ],
])('halfspace %s', (line, status, message) => {
  const before = readdirSync(folder);
  const run = halfspace(folder, line.split(' '));
  expect(run).toEqual({ status, out: '', err: `halfspace: ${message}\n` });
  expect(readdirSync(folder)).toEqual(before);
});

test.each([
  ["\n  SELECT links,\n wordz FROM 'mails.csv'", 'line 3, column 2'],
  ["  SELECT links words w FROM 'mails.csv'", 'line 1, column 22'],
  [`SELECT ${'links, '.repeat(40)}wordz FROM 'mails.csv'`, 'line 1, column 288'],
])('the place of an error is that in the query as it was typed: %s', (sql, place) => {
  const { status, err } = halfspace(folder, ['train', '--sql', sql]);
  expect([status, err]).toEqual([
    2,
    expect.stringMatching(`expected a query that can be run; got: .* \\(${place}\\)\n$`),
  ]);
});

// The messages of the parser of arguments, which the commands above show to be these.
test.each<[string, string, string]>([
  ['inspect', "missing required argument 'model'", 'expected MODEL; got nothing (see halfspace inspect --help)'],
  [
    'train x --metric F1',
    "option '--metric <name>' argument 'F1' is invalid. Allowed choices are accuracy, f1, roc-area.",
    `expected --metric to be accuracy, f1 or roc-area; got F1; did you mean f1? ${help}`,
  ],
  [
    'train x --metric roc-auc',
    "option '--metric <name>' argument 'roc-auc' is invalid. Allowed choices are accuracy, f1, roc-area.",
    `expected --metric to be accuracy, f1 or roc-area; got roc-auc; did you mean roc-area? ${help}`,
  ],
  ['train x --epochs 10', "unknown option '--epochs'", `unknown option '--epochs'; did you mean --passes? ${help}`],
  [
    'train x --rule Perceptron',
    "option '--rule <name>' argument 'Perceptron' is invalid. Allowed choices are averaged, perceptron, tree.",
    `expected --rule to be averaged, perceptron or tree; got Perceptron; did you mean perceptron? ${help}`,
  ],
  [
    'train x --rule svm',
    "option '--rule <name>' argument 'svm' is invalid. Allowed choices are averaged, sgd.",
    `expected --rule to be averaged or sgd; got svm; did you mean sgd --loss hinge? ${help}`,
  ],
  [
    'train x --rule forest',
    "option '--rule <name>' argument 'forest' is invalid. Allowed choices are averaged, sgd.",
    `expected --rule to be averaged or sgd; got forest ${help}`,
  ],
  [
    'compare x --rules averaged,parceptron',
    "option '--rules <names>' argument 'averaged,parceptron' is invalid. Allowed choices are averaged, perceptron.",
    'expected --rules to be averaged or perceptron; got averaged,parceptron; did you mean perceptron? (see halfspace compare --help)',
  ],
  [
    'train x --passes ',
    "option '--passes <n>' argument '' is invalid. Expected a whole number from 1.",
    `expected --passes to be a whole number from 1; got nothing ${help}`,
  ],
  ['train x --label', "option '--label <name>' argument missing", `expected <name> after --label; got nothing ${help}`],
  ['train x -l y', "unknown option '-l'", `unknown option '-l'; did you mean --label? ${help}`],
  ['train x --drop a', "unknown option '--drop'", `unknown option '--drop'; did you mean --column NAME=drop? ${help}`],
  [
    'train x --sql2',
    "unknown option '--sql2'; did you mean --sql?",
    `unknown option '--sql2'; did you mean --sql? ${help}`,
  ],
  ['-v', "unknown option '-v'", "unknown option '-v'; did you mean -V? (see halfspace --help)"],
  ['fit x', "unknown command 'fit'", "unknown command 'fit'; did you mean train? (see halfspace --help)"],
  ['help', "unknown command 'help'", "unknown command 'help'; did you mean halfspace --help?"],
  [
    'inspect a b',
    "too many arguments for 'inspect'. Expected 1 argument but got 2.",
    'expected 1 argument; got 2 (see halfspace inspect --help)',
  ],
])('%s: the answer to the message of the parser', (line, message, answer) => {
  expect(argumentFault(message, line.split(' '), nearestName)).toBe(answer);
});
