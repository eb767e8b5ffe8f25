import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeModel, encodeModel, type Model } from 'halfspace';
import { describe, expect, test } from 'vitest';
import { some } from '../../../test/support/quick.ts';
import { halfspace, root, temporaryFolder } from './run.ts';

const folder = temporaryFolder();

const penguins = join(root, 'node_modules/vega-datasets/data/penguins.json');
const species = (JSON.parse(readFileSync(penguins, 'utf8')) as { Species: string }[]).map((row) => row.Species);
const names = ['Adelie', 'Chinstrap', 'Gentoo'];

/** Runs the command, which must succeed, and gives what it prints. */
function output(...args: string[]): string {
  const run = halfspace(folder, args);
  expect(run).toMatchObject({ status: 0, err: '' });
  return run.out;
}

const train = (...args: string[]) =>
  JSON.parse(output('train', penguins, '--label', 'Species', '--json', ...args)) as Record<string, unknown> & {
    train: { confusion: number[][] };
  };
const modelOf = (name: string): Model => decodeModel(readFileSync(join(folder, name), 'utf8'));
const file = (name: string, contents: string) => writeFileSync(join(folder, name), contents);

describe.each(some(['kesler', 'one-vs-rest'], 2))('the three species of penguins, learned %s,', (multiclass) => {
  const path = `${multiclass}.json`;

  test('are told apart, and a program is told so', () => {
    const report = train('--multiclass', multiclass, '--model', path);
    expect(report).toMatchObject({
      classes: names,
      classExamples: names.map((name) => species.filter((each) => each === name).length),
      stop: 'separated',
      train: { accuracy: 1, errors: 0, separated: true },
      model: path,
    });
    expect(report.train.confusion).toEqual(
      names.map((a) => names.map((b) => species.filter((each) => each === a && a === b).length)),
    );
    expect(modelOf(path)).toMatchObject({ kind: 'multiclass', strategy: multiclass, classes: names });
  });

  test('are told apart, and a person is told so', () => {
    const told = output('train', penguins, '--label', 'Species', '--multiclass', multiclass, '--model', 'told.json');
    expect(told).toMatch(/Adelie \(152\), Chinstrap \(68\), Gentoo \(124\)/);
    expect(told).toMatch(/Stopped {4}separated: every training row is classified correctly/);
    for (const name of names) expect(told).toMatch(new RegExp(`for ${name}\n.*(not )?${name}\n`));
    expect(readFileSync(join(folder, 'told.json'), 'utf8')).toBe(readFileSync(join(folder, path), 'utf8'));
  });

  test('are predicted, with the score of each when asked', () => {
    expect(output('predict', path, penguins)).toBe(`${species.join('\n')}\n`);
    const lines = output('predict', path, penguins, '--scores').trimEnd().split('\n');
    lines.forEach((line, i) => {
      const [name, ...scores] = line.split('\t');
      expect(name).toBe(species[i]);
      expect(scores).toHaveLength(3);
      const numbers = scores.map(Number);
      expect(names[numbers.indexOf(Math.max(...numbers))]).toBe(name);
    });
  });

  test('are judged, for programs and for people', () => {
    const counts = names.map((name) => species.filter((each) => each === name).length);
    const judged = JSON.parse(output('evaluate', path, penguins, '--json'));
    expect(judged).toMatchObject({
      examples: 344,
      accuracy: 1,
      errors: 0,
      classes: names,
      confusion: [
        [counts[0], 0, 0],
        [0, counts[1], 0],
        [0, 0, counts[2]],
      ],
      perClass: names.map((name, k) => ({ class: name, support: counts[k], precision: 1, recall: 1, f1: 1 })),
    });
    // One ranking is of two classes.
    expect(judged).not.toHaveProperty('rocArea');
    const told = output('evaluate', path, penguins);
    expect(told).toMatch(
      /Right {6}100 %, no error\n {11}44\.2 % {2}baseline: always predicting Adelie\nConfusion .*Adelie +Chinstrap +Gentoo +← predicted\n/,
    );
    expect(told).not.toMatch(/Ranked/);
    expect(told).toMatch(/Chinstrap +0 +68 +0\n/);
  });

  test('are shown by what speaks for each', () => {
    const shown = output('inspect', path, '--top', '3');
    expect(shown).toMatch(
      /the class with the highest score, of Adelie, Chinstrap, Gentoo; learned (all at once|each against all others)\n/,
    );
    for (const name of names) expect(shown).toMatch(new RegExp(`${name}: bias .*features? of \\d+ with a weight`));
    const { functions, ...rest } = JSON.parse(output('inspect', path, '--top', '3', '--json'));
    expect(rest).toMatchObject({ kind: 'multiclass', strategy: multiclass, classes: names, calibration: null });
    expect(functions).toHaveLength(3);
    for (const each of functions) expect(each.strongest).toHaveLength(3);
    expect(rest).not.toHaveProperty('tie');
  });

  test('have no probabilities unless the model is calibrated', () => {
    const run = halfspace(folder, ['predict', path, penguins, '--probabilities']);
    expect(run).toMatchObject({ status: 2, out: '' });
    expect(run.err).toMatch(`--probabilities needs a calibrated model; got ${path}`);
    const model = modelOf(path);
    const calibration = [{ kind: 'softmax', slope: 2, reach: null }] as const;
    file('calibrated.json', encodeModel({ ...model, calibration }));
    const lines = output('predict', 'calibrated.json', penguins, '--probabilities').trimEnd().split('\n');
    lines.forEach((line, i) => {
      const [name, ...probabilities] = line.split('\t');
      expect(name).toBe(species[i]);
      expect(probabilities).toHaveLength(3);
      expect(probabilities.reduce((sum, text) => sum + Number(text), 0)).toBeCloseTo(1, 12);
    });
    expect(output('inspect', 'calibrated.json')).toMatch(/scores become probabilities by a softmax, slope 2/);
    expect(halfspace(folder, ['predict', path, penguins, '--probabilities', '--scores']).status).toBe(2);
  });
});

test('one class may still be set against the rest', () => {
  expect(train('--positive', 'Chinstrap', '--model', 'one.json')).toMatchObject({
    classes: ['not Chinstrap', 'Chinstrap'],
  });
  expect(modelOf('one.json').kind).toBe('linear');
});

test('three classes of libsvm text are learned from a file and a pipe alike, also where the third comes last', () => {
  const lines = Array.from({ length: 300 }, (_, i) => `${1 + (i % 2)} ${1 + (i % 2)}:1 4:${(i % 7) / 10}\n`);
  const text = `${lines.join('')}${'7 3:1 4:0.1\n'.repeat(4)}`;
  file('three.svm', text);
  for (const order of ['cyclic', 'shuffled']) {
    const report = JSON.parse(output('train', 'three.svm', '--order', order, '--json'));
    expect(report).toMatchObject({ classes: ['1', '2', '7'], classExamples: [150, 150, 4], stop: 'separated' });
    const piped = halfspace(folder, ['train', '-', '--format', 'libsvm', '--order', order, '--model', 'piped.json'], {
      input: text,
    });
    expect(piped.status).toBe(0);
    expect(readFileSync(join(folder, 'piped.json'), 'utf8')).toBe(
      readFileSync(join(folder, 'three.model.json'), 'utf8'),
    );
  }
  expect(JSON.parse(output('evaluate', 'three.model.json', 'three.svm', '--json'))).toMatchObject({ errors: 0 });
});

test('a thousand classes are judged in a few lines: those mistaken most often', () => {
  const text = Array.from({ length: 1000 }, (_, i) => `${i} ${1 + i}:1\n`).join('');
  file('thousand.svm', text);
  const trained = halfspace(folder, ['train', 'thousand.svm', '--multiclass', 'kesler', '--passes', '1']);
  expect(trained).toMatchObject({ status: 0, err: expect.stringMatching(/^note: never predicted, .*: 0 \(1 row\)\./) });
  file('swapped.svm', text.replace(/^4 5:1$/m, '4 6:1'));
  const { status, out: told } = halfspace(folder, ['evaluate', 'thousand.model.json', 'swapped.svm']);
  expect(status).toBe(0);
  expect(told).toMatch(/Confusion +1 {2}\d+ predicted as \d+\n/);
  const classes = told.slice(told.indexOf('Classes')).split('\n');
  expect(classes.slice(1, 11).join('\n')).toMatch(/^ +4 +– +0 % +0 % +1$/m);
  expect(classes[11]).toMatch(/^ +… and 990 classes with F1 from .* to 100 %$/);
  expect(JSON.parse(output('evaluate', 'thousand.model.json', 'thousand.svm', '--json')).perClass).toHaveLength(1000);
});

describe('--class-weight', () => {
  const weighed = (...weights: string[]) => {
    train(
      '--passes',
      '2',
      '--rule',
      'perceptron',
      '--model',
      'weighed.json',
      ...weights.flatMap((w) => ['--class-weight', w]),
    );
    return readFileSync(join(folder, 'weighed.json'), 'utf8');
  };

  test('counts the rows of a class for more or less, or every class the same', () => {
    const plain = weighed();
    expect(weighed('Gentoo=1')).toBe(plain);
    const twice = weighed('Gentoo=1', 'Adelie=0.25');
    expect(twice).not.toBe(plain);
    expect(weighed('Adelie=0.25')).toBe(twice);
    // n / (K · nₖ)
    const balanced = names.map((name) => `${name}=${344 / (3 * species.filter((each) => each === name).length)}`);
    expect(weighed('balanced')).toBe(weighed(...balanced));
    expect(weighed('balanced')).not.toBe(plain);
  });

  test('is refused for what is no class, and no weight', () => {
    const refused = (status: number, message: string | RegExp, ...args: string[]) => {
      const run = halfspace(folder, ['train', penguins, '--label', 'Species', '--model', 'refused.json', ...args]);
      expect(run).toMatchObject({ status, out: '' });
      expect(run.err.trimEnd().split('\n')).toHaveLength(1);
      expect(run.err).toMatch(message);
      expect(existsSync(join(folder, 'refused.json'))).toBe(false);
    };
    refused(
      2,
      'classWeights must be of the classes Adelie, Chinstrap, Gentoo; got "Emperor"',
      '--class-weight',
      'Emperor=2',
    );
    for (const weight of ['Gentoo', 'Gentoo=', 'Gentoo=0', 'Gentoo=-1', 'Gentoo=x', 'Gentoo=Infinity', 'even'])
      refused(2, /--class-weight to be balanced, or CLASS=NUMBER with a number above 0/, '--class-weight', weight);
    refused(2, /--class-weight to be balanced/, '--class-weight', 'balanced', '--class-weight', 'Gentoo=2');
    refused(2, /--class-weight to be balanced/, '--class-weight', 'Gentoo=2', '--class-weight', 'balanced');
    refused(2, /--multiclass.*one-vs-rest, kesler or joint/, '--multiclass', 'one-vs-one');
  });
});
