import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { halfspace, halfspaceInPieces, root, sharedData, temporaryFolder } from './run.ts';

const { folder, clear } = temporaryFolder();
afterAll(clear);

/** Generated text with decimals, so that a different order of summation would show. */
function libsvmText(rows: number): string {
  let state = 12345;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  let text = '';
  for (let i = 0; i < rows; i++) {
    const features = new Map<number, number>();
    for (let k = 0; k < 12; k++) features.set(1 + Math.floor(random() * 300), random() * 3 - 1);
    let sum = 0;
    for (const [index, value] of features) sum += index % 3 === 0 ? value : -value / 2;
    text += `${sum > 0 !== random() < 0.05 ? 1 : -1} `;
    text += [...features]
      .sort(([a], [b]) => a - b)
      .map(([index, value]) => `${index}:${value}`)
      .join(' ');
    text += '\n';
  }
  return text;
}

const train = (data: string, model: string, options: readonly string[] = [], env: object = {}) => {
  const run = halfspace(folder, ['train', data, '--model', model, ...options], { env });
  expect(run.err).toBe('');
  expect(run.status).toBe(0);
  return readFileSync(join(folder, model), 'utf8');
};

describe('the same data, options and seed give the same model file, byte for byte', () => {
  const rows = 3000;
  const text = libsvmText(rows);
  writeFileSync(join(folder, 'data.svm'), text);
  writeFileSync(join(folder, 'data.svm.gz'), gzipSync(text));

  const variants: [string, string[]][] = [
    ['default', []],
    ['shuffled, held out', ['--order', 'shuffled', '--holdout', '0.2', '--seed', '7', '--passes', '3']],
    ['lecture-9', ['--as', 'lecture-9', '--passes', '5']],
    ['cs4780', ['--as', 'cs4780', '--passes', '5']],
    ['margin', ['--rule', 'margin', '--margin', '2.5', '--passes', '5']],
    ['pa-2', ['--rule', 'passive-aggressive', '--variant', 'pa-2', '--aggressiveness', '0.1', '--passes', '5']],
    ['foda', ['--as', 'foda', '--passes', '5']],
  ];
  test.each(variants)('%s: twice, gzipped, from a pipe in odd pieces', async (_, options) => {
    const expected = train('data.svm', 'a.json', options);
    expect(train('data.svm', 'b.json', options)).toBe(expected);
    expect(train('data.svm.gz', 'd.json', options)).toBe(expected);
    const args = ['train', '-', '--format', 'libsvm', '--model', 'e.json', ...options];
    const run = await halfspaceInPieces(folder, args, Buffer.from(text), [1, 7, 4093, 65537, 13]);
    expect(run).toMatchObject({ status: 0, err: '' });
    expect(readFileSync(join(folder, 'e.json'), 'utf8')).toBe(expected);
  });

  test.each(variants)('%s: with 1, 2, 3 and 8 threads', (_, options) => {
    const expected = train('data.svm', 'l.json', [...options, '--threads', '1']);
    for (const threads of ['2', '3', '8'])
      expect(train('data.svm', 'm.json', [...options, '--threads', threads])).toBe(expected);
  });

  test('a judgement on another file is the same with 1 and 3 threads', () => {
    const judged = (threads: string) => {
      const run = halfspace(folder, ['train', 'data.svm', '--validate', 'data.svm', '--json', '--threads', threads]);
      expect(run).toMatchObject({ status: 0, err: '' });
      return JSON.parse(run.out).holdout;
    };
    expect(judged('1')).toMatchObject({ examples: rows });
    expect(judged('3')).toEqual(judged('1'));
  });

  test('predictions and judgements are the same with 1, 2 and 8 threads', () => {
    train('data.svm', 'n.json', ['--passes', '2']);
    const told = (command: string, options: string[]) => {
      const run = halfspace(folder, [command, 'n.json', 'data.svm', ...options]);
      expect(run).toMatchObject({ status: 0, err: '' });
      return run.out.replace(/"total":[\d.]+/, '');
    };
    for (const threads of ['2', '8']) {
      expect(told('predict', ['--scores', '--threads', threads])).toBe(told('predict', ['--scores', '--threads', '1']));
      expect(told('evaluate', ['--json', '--threads', threads])).toBe(told('evaluate', ['--json', '--threads', '1']));
    }
  });

  test('another seed gives another model where chance is used', () => {
    const shuffled = (seed: string) =>
      train('data.svm', 'f.json', ['--order', 'shuffled', '--passes', '2', '--seed', seed]);
    expect(shuffled('1')).not.toBe(shuffled('2'));
  });

  test('a table: twice, and from a pipe', async () => {
    const penguins = join(root, 'node_modules/vega-datasets/data/penguins.json');
    const options = ['--label', 'Species', '--positive', 'Gentoo'];
    const expected = train(penguins, 'g.json', options);
    expect(train(penguins, 'h.json', options)).toBe(expected);
    const args = ['train', '-', '--format', 'json', '--model', 'j.json', ...options];
    const run = await halfspaceInPieces(folder, args, readFileSync(penguins), [1, 1021, 17]);
    expect(run).toMatchObject({ status: 0 });
    expect(readFileSync(join(folder, 'j.json'), 'utf8')).toBe(expected);
  });

  test.skipIf(!existsSync(sharedData))(
    'Vowpal Wabbit text by name and hashed (skipped without the shared data)',
    () => {
      const data = join(sharedData, 'rcv1_small.train.vw');
      for (const options of [[], ['--bits', '18']]) {
        const expected = train(data, 'k.json', options);
        for (const threads of ['1', '2', '8'])
          expect(train(data, 'l.json', [...options, '--threads', threads])).toBe(expected);
      }
    },
  );
});
