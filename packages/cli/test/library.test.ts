import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  csv,
  decodeModel,
  encodeModel,
  evaluate,
  libsvm,
  ndjson,
  type Source,
  type TextInput,
  type TrainOptions,
  train,
  vw,
} from 'halfspace';
import { Random } from 'halfspace/runs';
import { describe, expect, test } from 'vitest';
import { halfspace, root, temporaryFolder } from './run.ts';

const folder = temporaryFolder();

/** Returns the model file that the command makes of a file. */
function ofCommand(path: string, ...flags: readonly string[]): string {
  const run = halfspace(folder, ['train', path, '--model', 'command.json', ...flags]);
  expect(run, run.err).toMatchObject({ status: 0 });
  return readFileSync(join(folder, 'command.json'), 'utf8');
}

/** Returns the model file that the library makes of a source. */
async function ofLibrary(source: Source, options: TrainOptions): Promise<string> {
  const { model } = await train(source, options);
  return encodeModel(model);
}

/** The same quick training by flags and by options. */
const quickly = {
  flags: ['--rule', 'averaged', '--order', 'cyclic', '--passes', '3'],
  options: { rule: 'averaged', order: 'cyclic', passes: 3 },
} as const;

const penguins = JSON.parse(
  readFileSync(join(root, 'node_modules/vega-datasets/data/penguins.json'), 'utf8'),
) as Readonly<Record<string, unknown>>[];
const cars = JSON.parse(readFileSync(join(root, 'node_modules/vega-datasets/data/cars.json'), 'utf8')) as object[];
const linesOf = (list: readonly object[]) => list.map((each) => `${JSON.stringify(each)}\n`).join('');

/** Writes a file and returns its path. */
function file(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const tabs = `said\tn\tlabel\n${Array.from({ length: 60 }, (_, i) => `a "word ${i % 7} of\t${i}\t${i % 3 === 0 ? 'x' : 'y'}\n`).join('')}`;
const svm = Array.from({ length: 90 }, (_, i) => `${i % 3} 1:${i % 7} ${3 + (i % 5)}:${i / 8} 9000000:${i % 2}\n`).join(
  '',
);
const named = svm.replaceAll(/^(\d) (.*)$/gm, '$1 |n $2').replaceAll(/ (\d+):/g, ' f$1:');

interface Case {
  readonly path: string;
  readonly of: (input: TextInput) => Source;
  readonly flags: readonly string[];
}

const cases: Readonly<Record<string, Case>> = {
  'an object a line': {
    path: file('penguins.ndjson', linesOf(penguins)),
    of: (input) => ndjson(input, { label: 'Species' }),
    flags: ['--label', 'Species'],
  },
  'an object a line, one class against the rest': {
    path: file('cars.jsonl', linesOf(cars)),
    of: (input) =>
      ndjson(input, { label: 'Origin', positive: 'USA', features: { columns: { Name: { kind: 'drop' } } } }),
    flags: ['--label', 'Origin', '--positive', 'USA', '--column', 'Name=drop'],
  },
  'tabs, with stray quotes and text': { path: file('words.tsv', tabs), of: (input) => csv(input), flags: [] },
  'commas, not scaled': {
    path: file('table.csv', tabs.replaceAll('\t', ',').replaceAll('"', '')),
    of: (input) => csv(input, { scale: 'none', label: 'label' }),
    flags: ['--scale', 'none', '--label', 'label'],
  },
  'commas, with a threshold for the label': {
    path: file(
      'quantity.csv',
      `x,y\n${Array.from({ length: 60 }, (_, i) => `${(i * 7) % 31},${(i % 13) / 2}\n`).join('')}`,
    ),
    of: (input) => csv(input, { label: 'y', positive: '>= 3' }),
    flags: ['--label', 'y', '--positive', '>= 3'],
  },
  'commas, in Latin-1': {
    path: file('latin.csv', Buffer.from(`größe,c,label\n${'1.5,é,a\n2,ü,b\n3.5,ü,b\n'.repeat(9)}`, 'latin1')),
    of: (input) => csv(input, { encoding: 'latin1' }),
    flags: ['--encoding', 'latin1'],
  },
  'commas, with further words for missing values': {
    path: file('missing.csv', `x,c,label\n${'1.5,-,a\n-,u,b\n-999,None,a\n2,v,b\n3,v,a\n'.repeat(9)}`),
    of: (input) => csv(input, { missing: ['None', '-', '-999'] }),
    flags: ['--missing=-,None', '--missing=-999'],
  },
  'commas, with NA as a value': {
    path: file('na.csv', `x,c,d,label\n${'1.5,NA,null,a\n1,u,,b\n7,?,NA,NA\n2,v,q,b\n3,,NULL,a\n'.repeat(9)}`),
    of: (input) => csv(input, { missing: 'none' }),
    flags: ['--missing', 'none'],
  },
  'commas, with NA as a value of some columns': {
    path: file('some.csv', `x,c,d,label\n${'1.5,NA,null,a\nNA,u,,b\n7,?,NA,NA\n2,v,q,b\n3,,NULL,a\n'.repeat(9)}`),
    of: (input) => csv(input, { missing: { c: 'none', label: 'none' } }),
    flags: ['--missing=c=none', '--missing', 'label=none'],
  },
  'commas, gzipped': {
    path: file('table.csv.gz', gzipSync(tabs.replaceAll('\t', ',').replaceAll('"', ''))),
    of: (input) => csv(input),
    flags: [],
  },
  'libsvm, several classes and a huge index': { path: file('a.svm', svm), of: (input) => libsvm(input), flags: [] },
  'libsvm, one class against the rest': {
    path: file('a.svm.gz', gzipSync(svm)),
    of: (input) => libsvm(input, { positive: 1 }),
    flags: ['--positive', '1'],
  },
  'Vowpal Wabbit': { path: file('a.vw', named), of: (input) => vw(input), flags: [] },
  'Vowpal Wabbit, hashed': {
    path: file('b.vw', named),
    of: (input) => vw(input, { bits: 6 }),
    flags: ['--bits', '6'],
  },
};

describe('the library makes the model file of the command', () => {
  test.each(Object.keys(cases))('from %s', async (name) => {
    const { path, of, flags } = cases[name]!;
    expect(await ofLibrary(of(path), quickly.options)).toBe(ofCommand(path, ...quickly.flags, ...flags));
  });

  test('with rows held out, which have no say in the encoding', async () => {
    const { path, of, flags } = cases['an object a line']!;
    expect(await ofLibrary(of(path), { ...quickly.options, holdout: 0.25 })).toBe(
      ofCommand(path, ...quickly.flags, ...flags, '--holdout', '0.25'),
    );
  });

  /** Flags of the command and options of the library that mean the same. */
  const trainings: readonly (readonly [flags: string, options: TrainOptions])[] = [
    ['', {}],
    ['--seed 7 --holdout 0.2', { seed: 7, holdout: 0.2 }],
    ['--passes 2 --class-weight balanced', { passes: 2, classWeights: 'balanced' }],
    ['--calibrate platt', { calibrate: 'platt' }],
    ['--rule averaged', { rule: 'averaged' }],
    ['--rule perceptron --multiclass kesler --passes 4', { rule: 'perceptron', multiclass: 'kesler', passes: 4 }],
    [
      '--rule passive-aggressive --aggressiveness 0.1 --calibrate isotonic',
      { rule: { name: 'passive-aggressive', aggressiveness: 0.1 }, calibrate: 'isotonic' },
    ],
    ['--rule sgd --loss hinge --alpha 0.01', { rule: { name: 'sgd', loss: 'hinge', alpha: 0.01 } }],
    ['--rule kernel --passes 2', { rule: 'kernel', passes: 2 }],
    ['--rule tree --max-depth 3', { rule: { name: 'tree', maxDepth: 3 } }],
    ['--rule averaged --patience 2', { rule: 'averaged', patience: 2 }],
    ['--rule averaged --scale max-norm', { rule: 'averaged', scaling: 'max-norm' }],
  ];

  // A run that chooses its rule takes seconds: the quick suite has one of the four.
  const isDeep = process.env.TEST_DEEP === '1';
  const tried = trainings.filter(([flags]) => isDeep || !/^$|^--(passes|calibrate)/.test(flags));
  test.each(tried)('with %s', async (flags, options) => {
    const { path } = cases['an object a line']!;
    const source = ndjson(path, { label: 'Species' });
    const words = flags.split(' ').filter((word) => word !== '');
    expect(await ofLibrary(source, options)).toBe(ofCommand(path, '--label', 'Species', ...words));
  });

  test('with the variant of a lecture, which takes numbers as they are', async () => {
    const { path } = cases['an object a line, one class against the rest']!;
    const columns = { Name: { kind: 'drop' } } as const;
    for (const as of ['blog', 'lecture-9', 'cs4780'] as const)
      expect(
        await ofLibrary(ndjson(path, { label: 'Origin', positive: 'USA', features: { columns } }), { as, passes: 4 }),
      ).toBe(
        ofCommand(path, '--label', 'Origin', '--positive', 'USA', '--column', 'Name=drop', '--as', as, '--passes', '4'),
      );
  });
});

test.each([
  [2, []],
  [2, ['--calibrate', 'platt']],
  [3, []],
  [3, ['--calibrate', 'isotonic']],
] as const)('the command prints what evaluate of the library returns: %d classes, %j', async (classes, calibrate) => {
  const random = new Random(classes);
  const lines = Array.from({ length: 300 }, () => {
    const [x, y] = [random.below(100), random.below(100)];
    return `${x},${y},${'abc'[Math.min(classes - 1, Math.floor((x + y + random.below(60)) / 80))]}`;
  });
  writeFileSync(join(folder, 'data.csv'), `x,y,class\n${lines.join('\n')}\n`);
  const flags = ['--rule', 'averaged', '--model', 'm.json', ...calibrate];
  const trained = halfspace(folder, ['train', 'data.csv', ...flags]);
  expect(trained.status).toBe(0);
  const printed = JSON.parse(halfspace(folder, ['evaluate', 'm.json', 'data.csv', '--json']).out);
  const model = decodeModel(readFileSync(join(folder, 'm.json')));
  const judged = await evaluate(model, csv(join(folder, 'data.csv')));
  const { mostProbable, notes, labels, ...all } = JSON.parse(JSON.stringify(judged)) as Record<string, unknown>;
  const known = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
  expect(printed).toMatchObject(known);
  expect([notes, labels]).toEqual([printed.notes, printed.classes]);
  if (mostProbable !== null) expect(mostProbable).toMatchObject(printed.mostProbable);
  expect([judged.rocArea !== null, judged.logLoss !== null]).toEqual([classes === 2, calibrate.length > 0]);
});
