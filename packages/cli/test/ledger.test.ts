import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { halfspace, temporaryFolder } from './run.ts';

const folder = temporaryFolder();

const file = (name: string) => join(folder, name);
const run = (...args: string[]) => halfspace(folder, args);

const mails = [
  'kind,text',
  'spam,win free money now',
  'ham,lunch at noon',
  'spam,free prize inside',
  'ham,are you free tonight',
  'spam,claim your prize money',
  'ham,see you at lunch',
  'ham,noon is fine',
  'spam,free money free prize',
];
const trained = '--label kind --positive spam --column text=text --rule perceptron --order cyclic'.split(' ');

beforeAll(() => {
  writeFileSync(file('mails.csv'), `${mails.join('\n')}\n`);
});

describe('train --ledger', () => {
  test('keeps a ledger, says how long it is, and learns the same model', () => {
    const plain = run('train', 'mails.csv', ...trained, '--model', 'plain.json');
    expect(plain).toMatchObject({ status: 0 });
    const { status, out } = run('train', 'mails.csv', ...trained, '--ledger', 'mails.ledger');
    expect(status).toBe(0);
    expect(out).toMatch(
      /^Ledger {5}mails\.ledger \([\d.]+ k?B, [\d.]+ bytes per update\); to read it: halfspace ledger mails\.ledger$/m,
    );
    expect(readFileSync(file('mails.model.json'))).toEqual(readFileSync(file('plain.json')));
    const told = JSON.parse(run('train', 'mails.csv', ...trained, '--ledger', 'mails.ledger', '--json').out);
    expect(told.ledger.path).toBe('mails.ledger');
    expect(told.ledger.bytes).toBe(readFileSync(file('mails.ledger')).length);
  });

  test('never takes the place of another file, and leaves nothing half-written', () => {
    writeFileSync(file('precious.txt'), 'mine\n');
    expect(run('train', 'mails.csv', ...trained, '--ledger', 'precious.txt')).toMatchObject({
      status: 4,
      err: 'halfspace: precious.txt: expected a ledger, or no file, where the ledger goes; got a file of another kind\n',
    });
    expect(readFileSync(file('precious.txt'), 'utf8')).toBe('mine\n');
    expect(run('train', 'mails.csv', '--label', 'kind', '--rule', 'sgd', '--ledger', 'sgd.ledger')).toMatchObject({
      status: 2,
      err: expect.stringContaining('a ledger is for the rules averaged, perceptron, margin, passive-aggressive'),
    });
    expect(readdirSync(folder).filter((name) => name.includes('partial') || name.includes('sgd'))).toEqual([]);
  });
});

describe('ledger', () => {
  test('tells which rows made updates', () => {
    const { out, err } = run('ledger', 'mails.ledger');
    expect(err).toBe('');
    expect(out).toMatch(
      /^Ledger {5}mails\.ledger: perceptron, order cyclic, seed 1\n {11}\d+ updates in \d+ passes, stopped: separated\n/,
    );
    const told = JSON.parse(run('ledger', 'mails.ledger', '--json').out);
    expect(told).toMatchObject({ rows: 8, classes: ['ham', 'spam'], stop: 'separated', fault: null });
    expect(told.mostOften.reduce((sum: number, { updates }: { updates: number }) => sum + updates, 0)).toBe(
      told.updates,
    );
  });

  test('makes the run again, to the end or to a step', () => {
    const { out } = run('ledger', 'mails.ledger', 'mails.csv', '--model', 'again.json');
    expect(out).toMatch(/^Repeated {3}\d+ updates, all equal to those in the ledger: again\.json$/m);
    expect(readFileSync(file('again.json'))).toEqual(readFileSync(file('mails.model.json')));
    run('ledger', 'mails.ledger', 'mails.csv', '--step', '1', '--model', 'first.json');
    const first = JSON.parse(readFileSync(file('first.json'), 'utf8'));
    expect(first).toMatchObject({ bias: 1, training: { updates: 1, passes: 1 } });
  });

  test('tells which mistakes made a weight, which add up to it', () => {
    const { out } = run('ledger', 'mails.ledger', 'mails.csv', '--weight', 'text:free');
    expect(out).toMatch(
      /^Weight {5}text:free: [\d.]+, for spam\nMade by {4}\d+ updates? of \d+ rows?\n +\+[\d.]+ {2}row 1 \(spam\)/,
    );
    const { weight } = JSON.parse(run('ledger', 'mails.ledger', 'mails.csv', '--weight', 'text:free', '--json').out);
    const sum = weight.updates.reduce(
      (all: number, { contribution }: { contribution: number }) => all + contribution,
      0,
    );
    expect(sum).toBe(weight.weight);
    for (const { row, raised } of weight.updates) {
      expect(mails[row]!.startsWith(`${raised},`)).toBe(true);
      expect(mails[row]).toContain('free');
    }
    const inspected = JSON.parse(run('inspect', 'mails.model.json', '--json').out);
    const free = inspected.strongest.find(({ feature }: { feature: string }) => feature === 'text:free');
    expect(free.weight).toBe(weight.weight);
  });

  test('tells which rows made a score', () => {
    const { out, status } = run('ledger', 'mails.ledger', 'mails.csv', '--row', '4');
    expect(status).toBe(0);
    expect(out).toMatch(/^Row {8}4 made (no update|\d+ updates?)\n/);
    expect(out).toMatch(/^Score {6}-[\d.]+ for spam\nMade by {4}\d+ rows?; rounding /m);
    const { score } = JSON.parse(run('ledger', 'mails.ledger', 'mails.csv', '--row', '4', '--json').out);
    const predicted = run('predict', 'mails.model.json', 'mails.csv', '--scores').out.split('\n')[3]!.split('\t');
    expect(score.score).toBe(Number(predicted[1]));
  });

  test('forgets a row as if it had never been there', () => {
    // Short rows of numbers, whose encoding does not depend on what rows there are.
    const lines = ['+1 1:2 2:1', '-1 1:-1 2:0.5', '+1 1:1 2:3', '-1 1:1 2:-2', '+1 1:-1 2:2', '-1 1:-2 2:-1'];
    const numbers = (list: readonly string[]) => `${list.join('\n')}\n`;
    writeFileSync(file('six.svm'), numbers(lines));
    run('train', 'six.svm', '--rule', 'averaged', '--ledger', 'six.ledger');
    const before = readdirSync(folder).length;
    lines.forEach((_, i) => {
      writeFileSync(file('five.svm'), numbers(lines.filter((_, k) => k !== i)));
      run('train', 'five.svm', '--rule', 'averaged', '--model', 'five.json');
      const { status, out } = run(
        'ledger',
        'six.ledger',
        'six.svm',
        '--forget',
        String(i + 1),
        '--model',
        'forgot.json',
      );
      expect(status).toBe(0);
      expect(out).toMatch(new RegExp(`^Forget {5}row ${i + 1} made (no update|\\d+ updates?, the first in pass \\d)`));
      expect(readFileSync(file('forgot.json'))).toEqual(readFileSync(file('five.json')));
    });
    expect(readdirSync(folder)).toHaveLength(before + 3);
    expect(JSON.parse(run('ledger', 'six.ledger', '--forget', '1', '--json').out).forget).toMatchObject({
      row: 1,
      steps: [],
      unchanged: false,
      why: 'order',
    });
  });

  test('refuses what it cannot use, with the place', () => {
    const bytes = readFileSync(file('mails.ledger'));
    writeFileSync(file('cut.ledger'), bytes.subarray(0, bytes.length - 3));
    expect(run('ledger', 'cut.ledger')).toMatchObject({
      status: 3,
      err: expect.stringMatching(
        /^halfspace: cut\.ledger, byte \d+: expected a whole ledger; got one that is cut short\n$/,
      ),
    });
    expect(run('ledger', 'cut.ledger', '--partial')).toMatchObject({
      status: 0,
      out: expect.stringContaining('read up to its last whole block: cut.ledger, byte '),
    });
    expect(run('ledger', 'mails.csv')).toMatchObject({
      status: 3,
      err: expect.stringContaining('expected a ledger; got another file'),
    });
    writeFileSync(file('other.csv'), `${mails.slice(0, 5).join('\n')}\n`);
    expect(run('ledger', 'mails.ledger', 'other.csv')).toMatchObject({
      status: 3,
      err: expect.stringMatching(/data are not those of the ledger|expected the 8 examples of the ledger; got 4/),
    });
    expect(run('ledger', 'mails.ledger', 'mails.csv', '--weight', 'text:fre')).toMatchObject({
      status: 2,
      err: 'halfspace: expected the name of a feature, or bias; got "text:fre"\n',
    });
  });

  test.each([
    [['--weight', 'a'], '--weight needs DATA, to repeat the updates; got none'],
    [['--model', 'a.json'], '--model needs DATA, to repeat the run; got none'],
    [['mails.csv', '--forget', '1'], '--forget needs --model, the file for the model without the row; got none'],
    [['mails.csv', '--row', '9'], '--row must be in [1, 8]; got 9'],
    [['--row', '0'], 'expected --row to be a whole number from 1; got 0'],
    [['mails.csv', '--row', '1', '--weight', 'a'], 'expected --weight or --row; got both'],
  ])('%j', (flags, message) => {
    expect(run('ledger', 'mails.ledger', ...flags)).toMatchObject({ status: 2, err: expect.stringContaining(message) });
  });
});
