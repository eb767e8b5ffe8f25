import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { PresetName, RuleName } from 'halfspace';
import { presets } from 'halfspace/rules';
import { afterAll, describe, expect, it } from 'vitest';
import { type Algorithm, defaultAlgorithm } from '../../src/algorithm/algorithm.ts';
import { commandOf } from '../../src/algorithm/command.ts';
import type { Dataset, Table } from '../../src/data/dataset.ts';
import { dataPresets } from '../../src/data/presets.ts';
import { tablePresets } from '../../src/data/table-presets.ts';
import { LocalEngine } from '../../src/engine/local-engine.ts';
import { CommandLine, sharedData } from '../support/command-line.ts';

const line = new CommandLine();
afterAll(() => line.clear());

async function modelsOf(dataset: Dataset, algorithm: Algorithm): Promise<[lab: string, command: string]> {
  const engine = new LocalEngine();
  const opened = await engine.open(dataset);
  const recording = await engine.run(algorithm);
  return [recording.modelText, line.model(dataset, algorithm, recording.examples ?? opened)];
}

const lecture = (as: PresetName, change: Partial<Algorithm> = {}): Algorithm => ({
  ...defaultAlgorithm,
  as,
  ...change,
});
const rule = (name: RuleName, change: Partial<Algorithm> = {}): Algorithm => ({
  ...defaultAlgorithm,
  as: null,
  rule: name,
  ...change,
});

/** Every model here is one more start of the command. */

const clouds = dataPresets[0]!.make();
const moons = dataPresets.find(({ id }) => id.includes('moons'))!.make();

describe('a run in the lab has the bits of the printed command on the exported data', () => {
  it.each(Object.keys(presets) as PresetName[])('for the lecture %s', async (as) => {
    for (const dataset of [clouds, moons]) {
      const [lab, command] = await modelsOf(dataset, lecture(as, { seed: 7, passes: 12 }));
      expect(lab).toBe(command);
    }
  });

  it.each(dataPresets.map(({ id }) => id))('for the points of %s', async (id) => {
    const dataset = dataPresets.find((preset) => preset.id === id)!.make();
    const [lab, command] = await modelsOf(dataset, lecture('blog', { passes: 20 }));
    expect(lab).toBe(command);
  });

  const rules: readonly Algorithm[] = [
    rule('perceptron', { order: 'shuffled', seed: 3 }),
    rule('averaged'),
    rule('margin', { options: { margin: 0.25 }, passes: 7 }),
    rule('passive-aggressive', { options: { variant: 'pa-2', aggressiveness: 0.5 }, passes: 5 }),
    rule('pocket', { passes: 6, order: 'shuffled-once', seed: 12 }),
    rule('arow', { options: { average: true, r: 2 }, passes: 4 }),
    rule('sgd', { options: { loss: 'hinge', penalty: 'elastic-net', l1Ratio: 0.3 }, passes: 5 }),
    rule('sgd', { options: { answer: 'last' }, passes: 3, holdout: 0.2 }),
    rule('voted', { passes: 3, order: 'random', seed: 5 }),
    rule('kernel', { options: { kernel: 'rbf', gamma: 2, aggregate: 'last' }, passes: 5 }),
    rule('tree', { options: { maxDepth: 3 } }),
  ];
  const penguins = tablePresets.find(({ id }) => id === 'penguins')!;
  const cars = tablePresets.find(({ id }) => id === 'cars')!;

  it.each(rules.map((algorithm) => [algorithm.rule, JSON.stringify(algorithm.options), algorithm] as const))(
    'for the rule %s %s, on points and on tables',
    async (_, __, algorithm) => {
      for (const dataset of [moons, await cars.load(), await penguins.load()]) {
        const [lab, command] = await modelsOf(dataset, algorithm);
        expect(lab).toBe(command);
      }
    },
  );

  it('with examples held out, which have no say in how columns are scaled', async () => {
    for (const dataset of [moons, await penguins.load()])
      for (const algorithm of [
        rule('averaged', { holdout: 0.3, seed: 4 }),
        lecture('slides', { holdout: 0.25 }),
        rule('tree', { holdout: 0.3 }),
      ]) {
        const [lab, command] = await modelsOf(dataset, algorithm);
        expect(lab).toBe(command);
      }
  });
});

/** Tables in which much can be read otherwise. */
const awkward: Readonly<Record<string, Omit<Table, 'kind' | 'columns' | 'scale' | 'positive'>>> = {
  'quotes, line ends within cells, blanks': {
    name: "o'brien & sons.csv",
    label: 'class',
    text: '\uFEFFname,x,class\r\n"a, b",1.5,yes\r\n"say ""hi""",  -2e3 ,no\r\n"two\nlines",+.5,yes\r\n\r\n plain ,7,no\r\n',
  },
  'semicolons, missing values, booleans, dates': {
    name: 'semi.csv',
    label: 'y',
    text: 'when;ok;n;y\n2024-01-02;true;1;1.0\n2024-02-29T12:30;false;NA;0\n2023-05-05;true;?;1\n2024-01-09;f;;0\n2024-11-09;no;3;1\n',
  },
  'tabs, stray quotes, text': {
    name: 'words.tsv',
    label: 'label',
    text: `label\tmessage\n${Array.from({ length: 40 }, (_, i) => `${i % 2 === 0 ? 'ham' : 'spam'}\tthe "number ${i * 7} of a long list of words ${i % 3}\n`).join('')}`,
  },
  'no header, names of the same kind, a column that says nothing': {
    name: 'raw.csv',
    label: 'column3',
    text: '1,5,9,a\n2,5,8,b\n3,5,1,a\n4,5,2,b\n',
  },
  'duplicate names, an empty one, numbers as labels': {
    name: 'twice.csv',
    label: 'target',
    text: 'x,x,,target\n1,2,a,10\n2,1,b,9\n3,5,a,10\n0,0,c,9\n',
  },
  'three classes': { name: 'three.csv', label: 'c', text: 'x,z,c\n1,2,red\n2,2,green\n3,1,blue\n4,0,red\n5,5,green\n' },
  'a form and words that the user names': {
    name: 'form.csv',
    label: 'y',
    text: `a title\n# x~w~y\nx~w~y\n${Array.from({ length: 30 }, (_, i) => `${i % 7 === 0 ? '-' : i}~${i % 3}~${i % 2}\n`).join('')}`,
    reading: {
      ...{ header: true, encoding: 'utf-8', delimiter: '~', quote: 'none', comment: '#', skipLines: 1 },
      ...{ missing: ['-', '-999'], kinds: { w: 'category' } },
    },
  },
  'a few strays in categories of numbers': {
    name: 'codes.csv',
    label: 'y',
    text: `cyl,y\n${Array.from({ length: 30 }, (_, i) => `${i % 9 === 0 ? 'rotary' : [4, 6, 8][i % 3]},${i % 2}\n`).join('')}`,
  },
};

describe('tables are read as the command reads them', () => {
  it.each(Object.keys(awkward))('%s', async (name) => {
    const table: Table = { kind: 'table', columns: null, positive: null, scale: 'standard', ...awkward[name]! };
    for (const algorithm of [rule('averaged', { passes: 5 }), rule('tree')]) {
      const [lab, command] = await modelsOf(table, algorithm);
      expect(lab).toBe(command);
    }
  });

  it('from a file as from its text', async () => {
    const table: Table = {
      kind: 'table',
      columns: null,
      positive: null,
      scale: 'none',
      ...awkward['quotes, line ends within cells, blanks']!,
    };
    const engine = new LocalEngine();
    await engine.open(table);
    const fromText = await engine.run(rule('averaged'));
    await engine.open({ ...table, text: '', file: new Blob([table.text]) });
    expect((await engine.run(rule('averaged'))).modelText).toBe(fromText.modelText);
  });

  const published: Readonly<Record<string, Partial<Table>>> = {
    'iris.csv': { label: 'column4', positive: 'Iris-virginica' },
    'sonar.csv': { label: 'column60' },
    'banknote_authentication.csv': { label: 'column4' },
    'breast-cancer-wisconsin.csv': { label: 'column9' },
    'ionosphere.csv': { label: 'column34' },
    'auto-mpg.csv': { label: 'origin', positive: '1', columns: ['displacement', 'weight', 'model year'] },
    'spambase.csv': { label: 'column57' },
    'adult-train.csv': { label: 'column14', scale: 'none' },
  };
  it.skipIf(!existsSync(sharedData)).each(Object.keys(published))('%s', async (name) => {
    const text = readFileSync(path.join(sharedData, name), 'utf8');
    const table = {
      kind: 'table',
      name,
      text,
      columns: null,
      positive: null,
      scale: 'standard',
      ...published[name],
    } as Table;
    const large = text.length > 1e6;
    for (const algorithm of [
      rule('averaged', { passes: 2 }),
      ...(large ? [] : [lecture('cs4780', { passes: 9 }), rule('kernel', { passes: 2 })]),
    ]) {
      const [lab, command] = await modelsOf(table, algorithm);
      expect(lab === command, name).toBe(true);
    }
  });
});

describe('the code for Node', () => {
  it('writes the model file of the run in the lab', async () => {
    const penguins = await tablePresets.find(({ id }) => id === 'penguins')!.load();
    const raw: Table = {
      kind: 'table',
      columns: null,
      positive: null,
      scale: 'standard',
      ...awkward['no header, names of the same kind, a column that says nothing']!,
    };
    const formed = { ...raw, ...awkward['a form and words that the user names']! };
    for (const [dataset, algorithm] of [
      [formed, rule('averaged', { passes: 2 })],
      [clouds, lecture('foda')],
      [moons, rule('kernel', { options: { kernel: 'rbf', gamma: 1 }, passes: 3 })],
      [penguins, rule('averaged', { holdout: 0.3, seed: 4, passes: 4 })],
      [raw, rule('sgd', { options: { loss: 'hinge' }, passes: 3 })],
    ] as const) {
      const engine = new LocalEngine();
      const opened = await engine.open(dataset);
      const { modelText, examples } = await engine.run(algorithm);
      expect(line.modelOfCode(dataset, algorithm, examples ?? opened)).toBe(modelText);
    }
  });
});

describe('the command', () => {
  it('is one that a shell takes apart as it is meant', () => {
    const table: Table = {
      kind: 'table',
      name: "it's $HOME.csv",
      text: '',
      label: 'a b',
      positive: null,
      columns: null,
      scale: 'standard',
    };
    expect(commandOf(table, rule('averaged'))).toBe(
      "halfspace train 'it'\\''s $HOME.csv' --label 'a b' --rule averaged --order cyclic",
    );
  });
});
