import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { isDeep } from '../../../test/support/quick.ts';
import { rawSigns } from '../../halfspace/test/support/nasty-words.ts';
import { halfspace, temporaryFolder } from './run.ts';

const folder = temporaryFolder();

/**
 * Characters that a terminal obeys, that change the direction of text, or that are invisible, without line ends and
 * blanks.
 */
const ofOneWord =
  '\u001b[31m\u0007\u0008\u007f\u009b2J\u009d0;x\u009c\u00ad\u061c\u200b\u200d\u200e\u202e\u2066\u2060\ufeff\u{e0041}';
const signs = `${ofOneWord}\n\t\r\u0085\u2028\u2029`;
/** Vowpal Wabbit and libsvm text take control characters of ASCII for binary data. */
const word = (name: string) =>
  `${name}${[...ofOneWord].filter((sign) => sign > ' ' && sign !== '\u007f' && sign !== ':').join('')}`;
const nasty = (name: string) => `${name}${signs}${name}\\`;

/** DuckDB takes brackets and backslashes in a path for a pattern. */
const data = `data${signs.replaceAll('[', '')}data.json`;
const stem = (of: string) => `${nasty(of)}.model.json`;
const number = nasty('number');
const category = nasty('category');
const text = nasty('text');
const label = nasty('label');
const [yes, no, third] = [nasty('yes'), nasty('no'), nasty('third')];

/** Rows of a table with special characters in every word. The classes are not separable. */
function rows(classes: readonly string[]): object[] {
  return Array.from({ length: 60 }, (_, i) => {
    const k = i % classes.length;
    return {
      [number]: k + ((i * 7) % 10) / 8,
      [category]: nasty(`level${(i * 3) % 4}`),
      [text]: `${nasty(`word${i % 3}`)} and some more words ${i} ${nasty('end')}`,
      [label]: classes[i === 59 ? 0 : k],
    };
  });
}

beforeAll(() => {
  writeFileSync(join(folder, data), JSON.stringify(rows([no, yes])));
  writeFileSync(join(folder, 'three.json'), JSON.stringify(rows([no, yes, third])));
  writeFileSync(
    join(folder, 'same.json'),
    JSON.stringify([...rows([no, yes]).slice(0, 2), { ...rows([yes])[0], [label]: yes }]),
  );
  const separable = [1, 2, 3, 8, 9, 10].map((x) => ({ [number]: x, [label]: x < 5 ? no : yes }));
  writeFileSync(join(folder, 'separable.json'), JSON.stringify(separable));
  const vw = Array.from(
    { length: 20 },
    (_, i) => `${i % 2 === 0 ? 1 : -1} |${word('space')} ${word(`feature${i % 2}`)}:2 ${word('x')}`,
  );
  writeFileSync(join(folder, 'words.vw'), `${vw.join('\n')}\n`);
  writeFileSync(join(folder, 'broken.csv'), `${word('column')},y\n1,a\n2,b\n${ofOneWord},a\n3,b\n4,a\n`);
  writeFileSync(join(folder, 'broken.vw'), `1 | a\n-1 | b:${word('number')}\n`);
  writeFileSync(join(folder, 'broken.svm'), `1 1:2\n${word('label')} 1:3\n`);
  writeFileSync(join(folder, 'unknown.json'), JSON.stringify([{ ...rows([nasty('unknown')])[0] }]));
  writeFileSync(join(folder, nasty('features')), JSON.stringify({ [nasty('member')]: 1 }));
  writeFileSync(
    join(folder, 'cross.json'),
    JSON.stringify({ crosses: [[category, number]], columns: { [nasty('no')]: {} } }),
  );
  writeFileSync(join(folder, `${nasty('not a model')}.json`), `{"format":"${'x'.repeat(9)}"}`);
  writeFileSync(join(folder, `${nasty('not a ledger')}`), `halfspace-ledger ${ofOneWord}`);
  writeFileSync(
    join(folder, `${nasty('not a certificate')}.json`),
    JSON.stringify({ format: 'halfspace-certificate', [nasty('m')]: 1 }),
  );
});

const table = [data, '--label', label];
const model = stem('averaged');
const tree = stem('tree');
/** Commands that show words of data on a terminal or in a page. Later ones read files of earlier ones. */
const commands: readonly (readonly [name: string, args: readonly string[], status: number])[] = [
  ['train', ['train', ...table, '--model', model, '--rule', 'averaged', '--ledger', nasty('ledger')], 0],
  [
    'train, with the file names that come from the data',
    ['train', ...table, '--rule', 'averaged', '--on-error', 'skip'],
    0,
  ],
  ['train, chosen', ['train', ...table, '--model', stem('chosen')], 0],
  ['train, as JSON', ['train', ...table, '--model', stem('json'), '--rule', 'perceptron', '--json'], 0],
  [
    'train, with a page',
    [
      'train',
      ...table,
      '--model',
      stem('page'),
      '--calibrate',
      'platt',
      '--report',
      `${nasty('page')}.html`,
      '--validate',
      data,
    ],
    0,
  ],
  [
    'train, several classes',
    [
      'train',
      'three.json',
      '--label',
      label,
      '--model',
      stem('three'),
      '--report',
      'three.html',
      '--calibrate',
      'platt',
    ],
    0,
  ],
  [
    'train, a tree',
    [
      'train',
      ...table,
      '--column',
      `${text}=drop`,
      '--model',
      tree,
      '--rule',
      'tree',
      '--drawing',
      `${nasty('tree')}.svg`,
      '--report',
      'tree.html',
    ],
    0,
  ],
  ['train, in dual form', ['train', ...table, '--model', stem('kernel'), '--rule', 'kernel'], 0],
  ['train, with crosses', ['train', ...table, '--model', stem('crossed'), '--features', 'cross.json'], 2],
  ['train, class weights', ['train', ...table, '--model', stem('weights'), '--class-weight', `${nasty('none')}=2`], 2],
  [
    'train, words of Vowpal Wabbit',
    ['train', 'words.vw', '--model', stem('vw'), '--ledger', 'words.ledger', '--rule', 'perceptron'],
    0,
  ],
  ['predict', ['predict', model, data], 0],
  ['predict, with scores', ['predict', stem('three'), 'three.json', '--scores'], 0],
  ['predict, with probabilities', ['predict', stem('page'), data, '--probabilities'], 0],
  ['predict, without any', ['predict', model, data, '--probabilities'], 2],
  ['predict, without votes', ['predict', model, data, '--abstain', '0.5'], 2],
  ['evaluate', ['evaluate', model, data], 0],
  ['evaluate, with a page', ['evaluate', stem('page'), data, '--report', `${nasty('judged')}.html`], 0],
  ['evaluate, several classes', ['evaluate', stem('three'), 'three.json', '--report', 'judged-three.html'], 0],
  ['evaluate, as JSON', ['evaluate', model, data, '--json'], 0],
  ['evaluate, a class that is unknown', ['evaluate', model, 'unknown.json'], 3],
  ['compare', ['compare', ...table, '--rules', 'perceptron', '--folds', '2', '--repeats', '1'], 0],
  ['compare, as JSON', ['compare', ...table, '--rules', 'perceptron', '--folds', '2', '--repeats', '1', '--json'], 0],
  ['inspect', ['inspect', model], 0],
  ['inspect, as JSON', ['inspect', model, '--json'], 0],
  ['inspect, several classes', ['inspect', stem('three')], 0],
  ['inspect, a tree', ['inspect', tree, '--drawing', 'again.svg'], 0],
  ['inspect, a tree as JSON', ['inspect', tree, '--json'], 0],
  ['inspect, in dual form', ['inspect', stem('kernel')], 0],
  ['inspect, words of Vowpal Wabbit', ['inspect', stem('vw')], 0],
  ['inspect, no model', ['inspect', `${nasty('not a model')}.json`], 3],
  ['inspect, no file', ['inspect', nasty('none')], 3],
  [
    'certify, not separable',
    ['certify', 'same.json', '--label', label, '--certificate', `${nasty('proof')}.json`, '--seconds', '5'],
    0,
  ],
  [
    'certify, separable',
    ['certify', 'separable.json', '--label', label, '--certificate', 'separable.proof', '--seconds', '5'],
    0,
  ],
  [
    'certify, as JSON',
    ['certify', 'separable.json', '--label', label, '--certificate', 'separable.proof', '--seconds', '5', '--json'],
    0,
  ],
  ['check', ['check', `${nasty('proof')}.json`, 'same.json'], 0],
  ['check, other data', ['check', 'separable.proof', data], 1],
  ['check, no certificate', ['check', `${nasty('not a certificate')}.json`, data], 3],
  ['ledger', ['ledger', nasty('ledger')], 0],
  ['ledger, a row', ['ledger', nasty('ledger'), data, '--row', '1'], 0],
  ['ledger, a weight', ['ledger', nasty('ledger'), data, '--weight', number], 0],
  ['ledger, a weight as JSON', ['ledger', nasty('ledger'), data, '--weight', number, '--json'], 0],
  ['ledger, a weight that there is not', ['ledger', nasty('ledger'), data, '--weight', nasty('none')], 2],
  ['ledger, a class that there is not', ['ledger', nasty('ledger'), data, '--row', '1', '--class', nasty('none')], 2],
  ['ledger, made again', ['ledger', nasty('ledger'), data, '--model', stem('again')], 0],
  ['ledger, forgotten', ['ledger', nasty('ledger'), data, '--forget', '1', '--model', stem('forgot')], 0],
  ['ledger, none', ['ledger', nasty('not a ledger')], 3],
  [
    'a bad row, and the file of bad rows',
    [
      'train',
      'broken.csv',
      '--label',
      'y',
      '--column',
      `${word('column')}=number`,
      '--on-error',
      'skip',
      '--rejects',
      nasty('rejects'),
    ],
    0,
  ],
  [
    'train, to a state',
    ['train', ...table, '--model', stem('state'), '--rule', 'averaged', '--state', nasty('state')],
    0,
  ],
  ['train, from a state', ['train', data, '--model', stem('state'), '--continue', nasty('state')], 0],
  ['learn', ['learn', nasty('stream'), ...table, '--model', stem('stream'), '--drift', 'adwin'], 0],
  ['learn, another label', ['learn', nasty('stream'), data, '--label', nasty('other')], 2],
  ['learn, as JSON', ['learn', nasty('stream'), data, '--model', stem('stream'), '--json'], 0],
  [
    'learn, a bad row',
    ['learn', nasty('bad'), 'broken.csv', '--label', 'y', '--column', `${word('column')}=number`],
    3,
  ],
  ['a bad row', ['train', 'broken.csv', '--label', 'y', '--column', `${word('column')}=number`], 3],
  ['a bad row of Vowpal Wabbit text', ['train', 'broken.vw'], 3],
  ['a bad row of libsvm text', ['train', 'broken.svm'], 3],
  ['an unknown command', [nasty('command')], 2],
  ['an unknown option', ['train', data, `--${nasty('option')}`], 2],
  ['a bad value', ['train', data, '--passes', nasty('many')], 2],
  ['a bad choice', ['train', data, '--rule', nasty('rule')], 2],
  ['no such file', ['train', nasty('none')], 3],
  ['no such column', ['train', data, '--label', nasty('none')], 2],
  ['no such class', ['train', ...table, '--positive', nasty('none')], 2],
  ['no such kind of column', ['train', ...table, '--column', `${number}=${nasty('kind')}`], 2],
  ['no such column of features', ['train', ...table, '--column', `${nasty('none')}=number`], 2],
  ['features of no kind', ['train', ...table, '--features', nasty('features')], 2],
  ['a query that fails', ['train', '--sql', `select * from "${nasty('none')}"`], 2],
  ['a query over no file', ['train', '--sql', `select * from '${nasty('none')}.csv'`], 3],
  ['the lab, no table', ['lab', '--no-open', `${nasty('none')}.csv`], 3],
  ['the lab, a bad port', ['lab', '--no-open', '--port', nasty('port')], 2],
];

/** Refusals and JSON write no file that later commands read. */
const tried = commands.filter(
  ([, args, status], k) => isDeep || (status === 0 && !args.includes('--json')) || k % 6 === 0,
);

describe('words of data', () => {
  it.each(tried)('bring nothing that a terminal obeys onto it: %s', (_, args, status) => {
    const run = halfspace(folder, args);
    expect([run.status, run.err]).toEqual([status, run.err]);
    // Cells of predictions have tabs between them.
    expect(rawSigns(run.out.replaceAll('\n', '').replaceAll('\t', args[0] === 'predict' ? '' : '\t'))).toEqual([]);
    expect(rawSigns(run.err.replaceAll('\n', ''))).toEqual([]);
    for (const line of run.err.split('\n').slice(0, -1)) expect(line).toMatch(/^(halfspace|note): /);
    if (args.includes('--json') && status === 0) expect(Object.keys(JSON.parse(run.out)).length).toBeGreaterThan(0);
  });

  it('are in the pages and drawings only as they can be shown', () => {
    const pages = readdirSync(folder).filter((name) => /\.(html|svg)$/.test(name));
    expect(pages).toHaveLength(7);
    for (const page of pages)
      expect(rawSigns(readFileSync(join(folder, page), 'utf8').replaceAll('\n', ''))).toEqual([]);
  });

  it('are in names of files that the command makes up only as they can be shown', () => {
    const given = new Set(commands.flatMap(([, args]) => args));
    const made = readdirSync(folder).filter(
      (name) => name.endsWith('.model.json') && !given.has(name) && name.includes('data'),
    );
    expect(made).toHaveLength(1);
    expect(rawSigns(made[0]!)).toEqual([]);
  });

  it('are a line of predictions for every row, and the words themselves once they are read as JSON strings', () => {
    const words = rows([no, yes]).map((row) => (row as Record<string, string>)[label]);
    const { out } = halfspace(folder, ['predict', model, data]);
    const lines = out.split('\n');
    expect(lines.pop()).toBe('');
    expect(lines).toHaveLength(words.length);
    const read = lines.map((line) => JSON.parse(`"${line.replaceAll('"', '\\"')}"`));
    expect(new Set(read)).toEqual(new Set([no, yes]));
    const scored = halfspace(folder, ['predict', stem('three'), 'three.json', '--scores'])
      .out.split('\n')
      .slice(0, -1);
    expect(scored.map((line) => line.split('\t').length)).toEqual(words.map(() => 4));
  });

  it('are unchanged where they are ordinary', () => {
    const ordinary = ['naïve', 'C', '中文', 'a b', '"quoted"', "it's", 'می\u200cخواهم', '👩🏽\u200d🚀'];
    const some = [1, 2, 3, 4].flatMap((x) => ordinary.map((name) => ({ x, same: name, name })));
    writeFileSync(join(folder, 'ordinary.json'), JSON.stringify(some));
    halfspace(folder, ['train', 'ordinary.json', '--label', 'name', '--rule', 'averaged', '--model', 'ordinary.model']);
    const { out } = halfspace(folder, ['predict', 'ordinary.model', 'ordinary.json']);
    expect(out).toBe(`${some.map(({ name }) => name).join('\n')}\n`);
  });
});

describe('the sources of the command', () => {
  it('write to standard streams in four places only: the help has no words of data, the others make them printable', () => {
    const source = join(import.meta.dirname, '../src');
    const writers = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .filter((name) =>
        /std(out|err)\.write\(|writeSync\(1\b|stream: process\.std|console\./.test(
          readFileSync(join(source, name), 'utf8'),
        ),
      );
    expect(writers.sort()).toEqual(['output.ts', 'program.ts', 'progress.ts', 'standard-error.ts']);
  });
});
