import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeModel, decodeTrainState } from 'halfspace';
import { beforeAll, describe, expect, test } from 'vitest';
import { halfspace, temporaryFolder } from './run.ts';

const folder = temporaryFolder();
const isDeep = process.env.TEST_DEEP === '1';
const at = (name: string) => join(folder, name);
const text = (name: string) => readFileSync(at(name), 'utf8');
const run = (...args: string[]) => halfspace(folder, args);
const done = (...args: string[]) => {
  const result = run(...args);
  expect(result).toMatchObject({ status: 0 });
  return result;
};

const rows = Array.from({ length: 200 }, (_, i) => {
  const [x, z] = [((i * 37) % 101) - 50, ((i * 53) % 89) - 44];
  return { x, z, word: ['sun', 'rain', 'snow'][i % 3]!, label: x + z + ((i * 29) % 61) - 30 > 0 ? 'yes' : 'no' };
});
const csv = (some: typeof rows) =>
  `x,z,word,label\n${some.map(({ x, z, word, label }) => `${x},${z},${word},${label}\n`).join('')}`;
const svm = (some: typeof rows) =>
  some.map(({ x, z, label }, i) => `${label === 'yes' ? 1 : 0} 1:${x} 2:${z} ${10 + (i % 5)}:1\n`).join('');

beforeAll(() => {
  writeFileSync(at('all.csv'), csv(rows));
  writeFileSync(at('new.csv'), csv(rows.slice(150)));
  writeFileSync(at('all.svm'), svm(rows));
  writeFileSync(at('wide.svm'), '1 1:1 20:1\n0 2:1 21:1\n');
});

describe('train --continue', () => {
  test.each([
    ['all.csv', ['--rule', 'averaged']],
    ['all.csv', ['--rule', 'arow', '--r', '2', '--order', 'shuffled']],
    ['all.svm', ['--rule', 'sgd', '--scale', 'max-norm']],
    ['all.svm', ['--rule', 'pocket', '--order', 'shuffled-once']],
  ])('of %s %j: 2 passes and 3 more give the state of 5, and its weights', (data, options) => {
    const [order = 'cyclic'] = options.includes('--order') ? [options.at(-1)!] : [];
    const given = [...options.filter((word) => word !== '--order' && word !== order), '--order', order];
    done('train', data, ...given, '--passes', '5', '--state', 'whole.state', '--model', 'whole.model');
    done('train', data, ...given, '--passes', '2', '--state', 'part.state', '--model', 'part.model');
    const more = ['--continue', 'part.state', '--order', order, '--passes', '3'];
    done('train', data, ...more, '--state', 'part.state', '--model', 'part.model');
    expect(text('part.state')).toBe(text('whole.state'));
    const [part, whole] = ['part.model', 'whole.model'].map((name) => {
      const { training, ...rest } = decodeModel(text(name));
      return { ...rest, training: { ...training, progressiveAccuracy: null } };
    });
    expect(part).toEqual(whole);
  });

  test('reports the earlier passes, and that the state can be continued', () => {
    done('train', 'all.csv', '--rule', 'averaged', '--passes', '2', '--state', 'a.state', '--model', 'a.model');
    const { out } = done('train', 'new.csv', '--continue', 'a.state', '--model', 'a.model', '--state', 'b.state');
    expect(out).toMatch(/^Continued {2}a\.state: 2 passes before; the numbers here are of this run$/m);
    expect(out).toMatch(/^State {6}b\.state \([\d.]+ kB\); to go on: halfspace train DATA --continue b\.state$/m);
    const json = JSON.parse(done('train', 'new.csv', '--continue', 'a.state', '--json', '--model', 'a.model').out);
    expect(json).toMatchObject({
      examples: 50,
      continued: { state: 'a.state', passes: 2 },
      bracket: { updates: null },
    });
    expect(json).not.toHaveProperty('state');
  });

  test('writes the state of a rule that it chose', () => {
    const { out } = done('train', 'all.csv', '--state', 'chosen.state', '--model', 'chosen.model', '--json');
    expect(decodeTrainState(text('chosen.state')).rule).toBe(JSON.parse(out).rule);
  });

  test('adds features of text that the state lacks, and notes it', () => {
    done('train', 'all.svm', '--rule', 'averaged', '--state', 'a.state', '--model', 'a.model');
    const { err } = done('train', 'wide.svm', '--continue', 'a.state', '--state', 'b.state', '--model', 'b.model');
    expect(err).toBe('note: added 7 features to those of the state\n');
    expect(decodeTrainState(text('b.state')).features).toMatchObject({ dimension: 22 });
  });

  test('reads from a pipe', () => {
    done('train', 'all.svm', '--rule', 'averaged', '--passes', '1', '--state', 'a.state', '--model', 'a.model');
    const piped = ['train', '-', '--format', 'libsvm', '--continue', 'a.state', '--order', 'cyclic', '--passes', '2'];
    const first = halfspace(folder, [...piped, '--state', 'b.state', '--model', 'b.model'], { input: svm(rows) });
    expect(first.status).toBe(0);
    done('train', 'all.svm', ...piped.slice(4), '--state', 'c.state', '--model', 'c.model');
    expect(text('b.state')).toBe(text('c.state'));
  });

  test('refuses what a state decides, and what it cannot go on from, and changes no file', () => {
    done('train', 'all.csv', '--rule', 'averaged', '--state', 'a.state', '--model', 'a.model');
    done('train', 'all.svm', '--rule', 'averaged', '--state', 'text.state', '--model', 'text.model');
    copyFileSync(at('a.state'), at('cut.state'));
    writeFileSync(at('cut.state'), text('a.state').slice(0, 500));
    writeFileSync(at('third.csv'), csv([{ ...rows[0]!, label: 'maybe' }]));
    const before = text('a.state');
    const fresh = [
      '--scale none',
      '--positive yes',
      '--column x=category',
      '--bits 4',
      '--as foda',
      '--ledger l',
      '--margin-gap 0.1',
    ];
    const own = ['--calibrate platt', '--report r.html', '--multiclass kesler', '--features f.json'];
    for (const [status, message, ...args] of [
      ...[...fresh, ...own].slice(0, isDeep ? undefined : 3).map((given): [number, string, ...string[]] => {
        const words = given.split(' ');
        return [2, `${words[0]} is for a run from the beginning; got --continue a.state`, 'all.csv', ...words];
      }),
      [2, 'a run that continues has the state\'s rule, "averaged"; got "arow"', 'all.csv', '--rule', 'arow'],
      [2, '--r is for --rule arow; got the rule averaged', 'all.csv', '--r', '2'],
      [3, 'third.csv, row 1, column "label": expected "no" or "yes"; got "maybe"', 'third.csv'],
      [3, 'all.svm: expected a table, as the state was trained on; got libsvm', 'all.svm'],
    ] as const)
      expect(run('train', ...args, '--continue', 'a.state', '--state', 'a.state'), message).toEqual({
        status,
        out: '',
        err: `halfspace: ${message}\n`,
      });
    for (const [name, message] of [
      ['cut.state', 'expected a whole state file; got one that is cut short'],
      ['a.model', 'expected a state file ("format": "halfspace-state"); got "format": "halfspace-model"'],
      ['no.state', 'expected a state file; got no such file'],
    ] as const)
      expect(run('train', 'all.csv', '--continue', name)).toEqual({
        status: 3,
        out: '',
        err: `halfspace: ${name}: ${message}\n`,
      });
    expect(run('train', 'all.csv', '--rule', 'tree', '--state', 'tree.state')).toMatchObject({ status: 2 });
    expect(text('a.state')).toBe(before);
  });
});
