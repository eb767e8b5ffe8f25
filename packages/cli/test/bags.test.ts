import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bags, encodeModel, ndjson, rows, train } from 'halfspace';
import { describe, expect, test } from 'vitest';
import { some } from '../../../test/support/quick.ts';
import { halfspace, halfspaceInPieces, temporaryFolder } from './run.ts';

/* JSON whose objects have few of many names each: bags of features. */

const folder = temporaryFolder();

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return name;
}

const list = Array.from({ length: 700 }, (_, i) => ({
  [`w${(i * 7) % 311}`]: 1 + (i % 3),
  [`w${(i * i) % 307}`]: 0.5,
  [`v${i % 400}`]: true,
  label: (i * i) % 5 > 1 ? 'spam' : 'ham',
}));
const lines = list.map((row) => `${JSON.stringify(row)}\n`);
const text = lines.join('');
const data = file('mails.ndjson', text);
const quickly = ['--rule', 'averaged', '--order', 'cyclic', '--passes', '3'];

function run(...args: string[]): string {
  const { status, out, err } = halfspace(folder, args);
  expect(status, err).toBe(0);
  return out;
}

function modelOf(...args: string[]): string {
  run('train', ...args, ...quickly, '--model', 'model.json');
  return readFileSync(join(folder, 'model.json'), 'utf8');
}

const model = modelOf(data);

describe('bags of features in JSON', () => {
  test('give the model of the library, of one file and of several, in each layout and packing, and from a pipe', async () => {
    const options = { rule: 'averaged', order: 'cyclic', passes: 3 } as const;
    for (const source of [bags(list), rows(list), ndjson(text)])
      expect(encodeModel((await train(source, options)).model)).toBe(model);
    expect(modelOf(file('list.json', JSON.stringify(list, null, 1)))).toBe(model);
    expect(modelOf(file('mails.ndjson.gz', gzipSync(text)))).toBe(model);
    const parts = [lines.slice(0, 99), lines.slice(99)].map((part, i) => file(`part${i}.ndjson`, part.join('')));
    expect(modelOf(...parts)).toBe(model);
    const piped = ['train', '-', '--format', 'ndjson', ...quickly, '--model', 'piped.json'];
    expect(await halfspaceInPieces(folder, piped, Buffer.from(text), [1, 4096])).toMatchObject({
      status: 0,
      err: expect.stringContaining('note: - is read as bags of features: a row has'),
    });
    expect(readFileSync(join(folder, 'piped.json'), 'utf8')).toBe(model);
  });

  test('stay a table with an option of tables', () => {
    for (const flags of some(
      [['--missing', '-'], ['--column', 'w1=number'], ['--scale', 'standard'], ['--join-labels']],
      4,
    ))
      expect(modelOf(data, ...flags)).toContain('"features": {"kind":"table"');
  });

  test('are evaluated and predicted by a model of them, also from a pipe in pieces', async () => {
    modelOf(data);
    const predicted = run('predict', 'model.json', data);
    const right = predicted.split('\n').filter((name, i) => name === list[i]?.label).length;
    const evaluated = JSON.parse(run('evaluate', 'model.json', data, '--json'));
    expect(evaluated).toMatchObject({ examples: 700, errors: 700 - right, unknown: { unknown: 0 } });
    expect(right).toBeGreaterThan(600);
    for (const format of ['ndjson', 'json']) {
      const args = ['predict', 'model.json', '-', '--format', format];
      const piped = await halfspaceInPieces(folder, args, Buffer.from(text), [1, 1000, 70_000]);
      expect(piped).toEqual({ status: 0, out: predicted, err: '' });
    }
    const other = file('other.ndjson', '{"w1":1,"label":"ham"}\n{"new":1,"label":"news"}\n');
    expect(JSON.parse(run('evaluate', 'model.json', other, '--json'))).toMatchObject({
      unknown: { values: 2, unknown: 1 },
      unknownClasses: ['news'],
    });
  });

  test('are carried into tables of predictions', () => {
    const some = file('some.ndjson', '{"id":"a 1","n":7,"w1":1}\n{"id":"b","w7":2,"label":"ham"}\n');
    const out = run('predict', 'model.json', some, '--id', 'id').trimEnd().split('\n');
    expect(out.map((line) => JSON.parse(line).id)).toEqual(['a 1', 'b']);
    const whole = run('predict', 'model.json', some, '--with-input').trimEnd().split('\n');
    expect(whole.map((line) => ({ ...JSON.parse(line), prediction: '' }))).toEqual([
      { id: 'a 1', n: 7, w1: 1, prediction: '' },
      { id: 'b', w7: 2, label: 'ham', prediction: '' },
    ]);
  });

  test('have an empty line for each row that is skipped', () => {
    const bad = file('bad.ndjson', `${lines[0]}{"w1":NaN}\n${lines[1]}{"w1":[1]}\nno\n${lines[2]}`);
    const out = halfspace(folder, ['predict', 'model.json', bad, '--on-error', 'skip']);
    const [first, second, third] = run('predict', 'model.json', data).split('\n');
    expect(out).toMatchObject({ status: 0, out: `${first}\n\n${second}\n\n\n${third}\n` });
    expect(halfspace(folder, ['predict', 'model.json', bad])).toMatchObject({
      status: 3,
      err: 'halfspace: bad.ndjson:2, column "w1": expected a finite number; got NaN\n',
    });
  });

  test('go on from a state, and are validated, as the same rows of Vowpal Wabbit text', () => {
    const vw = lines.map((_, i) => {
      const { label, ...features } = list[i] as Record<string, number | boolean | string>;
      const words = Object.entries(features).map(([name, value]) => `${name}:${Number(value)}`);
      return `${label === 'spam' ? 1 : -1} | ${words.join(' ')}\n`;
    });
    const runs = [lines, vw].map((all, k) => {
      const ends = ['ndjson', 'vw'][k];
      const half = file(`half.${ends}`, all.slice(0, 400).join(''));
      const rest = file(`rest.${ends}`, all.slice(400).join(''));
      const outputs = ['--model', 'half.json', '--state', 'half.state'];
      const begun = run('train', half, '--validate', rest, ...quickly, ...outputs);
      run('train', rest, '--continue', 'half.state', '--passes', '2', '--model', 'more.json');
      const { weights, bias, features } = JSON.parse(readFileSync(join(folder, 'more.json'), 'utf8'));
      return { weights, bias, features, validated: /(\S+) % {2}of 300 rows/.exec(begun)![1] };
    });
    expect(runs[0]).toEqual(runs[1]);
  });

  test('are learned row by row as in one pass, however the rows come', async () => {
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    const begun = ['--column', 'bag', '--rule', 'averaged'];
    const answers = run('learn', 'whole', data, ...begun, '--progressive');
    expect(answers.split('\n')).toHaveLength(701);
    run('train', data, '--rule', 'averaged', '--order', 'cyclic', '--passes', '1', '--model', 'once.json');
    const { weights, bias, features } = JSON.parse(read('once.json'));
    expect(JSON.parse(read('whole.model.json'))).toMatchObject({ weights, bias, features });
    const piped = ['learn', 'piped', '-', '--format', 'ndjson', ...begun, '--progressive'];
    expect(await halfspaceInPieces(folder, piped, Buffer.from(text), [1, 3000])).toMatchObject({ out: answers });
    expect(read('piped')).toBe(read('whole'));
    const parts = [lines.slice(0, 300), lines.slice(300)].map((part, i) => file(`rows${i}.ndjson`, part.join('')));
    expect(
      run('learn', 'parts', parts[0]!, ...begun, '--progressive') + run('learn', 'parts', parts[1]!, '--progressive'),
    ).toBe(answers);
    expect(read('parts.model.json')).toBe(read('whole.model.json'));
    file('bad.ndjson', `{"w1":NaN,"label":"ham"}\n${text}{"w1":[1],"label":"ham"}\n`);
    run('learn', 'skipping', 'bad.ndjson', ...begun, '--on-error', 'skip');
    expect(read('skipping.model.json')).toBe(read('whole.model.json'));
  });

  test('are learned as a table without the option, which a note offers', () => {
    const learn = (...args: string[]) => halfspace(folder, ['learn', ...args]);
    const some = file('few.ndjson', lines.slice(0, 120).join(''));
    expect(learn('table', some, '--rule', 'perceptron').err).toMatch(
      /^note: few\.ndjson looks like bags of features: a row has .* \(--column bag of a new state reads it as 0\)$/m,
    );
    expect(learn('table', some).err).not.toContain('bags');
    expect(learn('table', some, '--column', 'bag')).toMatchObject({
      status: 2,
      err: 'halfspace: expected --column as in the state table, which has none; got "bag"\n',
    });
    expect(learn('other', file('some.csv', 'a,label\n1,x\n'), '--column', 'bag').err).toContain(
      '--column bag is for JSON; got csv',
    );
    expect(learn('other', some, '--column', 'bag', '--scale', 'none')).toMatchObject({ status: 2 });
    expect(learn('whole', 'some.csv')).toMatchObject({ status: 2 });
  });

  test('are certified as they are written, unless a name may be a sum', () => {
    const some = Array.from({ length: 1000 }, (_, i) => `{"v${i % 120}":0.1,"label":${i % 2}}\n`).join('');
    const [plain, summed] = [some, `${some}{"v":{"a":0.1},"v^a":0.2,"label":1}\n`].map((rows, i) =>
      file(`certain${i}.ndjson`, rows),
    );
    for (const [name, numbers] of [
      [plain!, 'decimals as written'],
      [summed!, 'doubles, as binary fractions: features of text or of namespaces may be sums'],
    ] as const) {
      expect(run('certify', name, '--certificate', 'certain.json')).toContain(numbers);
      expect(run('check', 'certain.json', name)).toContain('holds');
    }
  });

  test('are no rows for columns, weights or a model of hashed features', () => {
    expect(halfspace(folder, ['evaluate', 'model.json', data, '--weight', 'w1'])).toMatchObject({
      status: 2,
      err: expect.stringContaining('--weight and --join-labels are for tables; got bags of features'),
    });
    const text = file('some.vw', '1 | a b\n-1 | b c\n');
    run('train', text, ...quickly, '--bits', '8', '--model', 'hashed.json');
    expect(halfspace(folder, ['predict', 'hashed.json', data])).toMatchObject({
      status: 3,
      err: 'halfspace: mails.ndjson: expected Vowpal Wabbit text, as the model was trained on; got ndjson\n',
    });
  });
});
