import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { halfspaceAlone as halfspace, root, temporaryFolder } from './run.ts';

const folder = temporaryFolder();

const penguins = join(root, 'node_modules/vega-datasets/data/penguins.json');
const trainPenguins = ['train', penguins, '--label', 'Species', '--positive', 'Gentoo'];
const species = (JSON.parse(readFileSync(penguins, 'utf8')) as { Species: string }[]).map((row) =>
  row.Species === 'Gentoo' ? 'Gentoo' : 'not Gentoo',
);

describe('training on a table', () => {
  test('separates the penguins, and tells a person so', () => {
    const run = halfspace(folder, trainPenguins);
    expect(run).toMatchObject({ status: 0, err: '' });
    expect(run.out).toMatch(/^Read .*344 training rows/);
    expect(run.out).toMatch(/Stopped {4}separated: every training row is classified correctly/);
    expect(run.out).toMatch(/100 % {2}of the training rows, no error/);
    expect(run.out).toMatch(/Model {6}penguins\.model\.json \(\d/);
  });

  test('tells a program so, in one object', () => {
    const run = halfspace(folder, [...trainPenguins, '--json', '--holdout', '0.25', '--seed', '3']);
    const report = JSON.parse(run.out);
    expect(report).toMatchObject({
      rule: 'averaged',
      stop: 'separated',
      classes: ['not Gentoo', 'Gentoo'],
      train: { accuracy: 1, errors: 0 },
      seed: 3,
      model: 'penguins.model.json',
    });
    expect(report.examples + report.holdout.examples).toBe(344);
    expect(report.updatesPerPass.reduce((sum: number, n: number) => sum + n, 0)).toBe(report.updates);
    expect(report.updatesPerPass).toHaveLength(report.passes);
    expect(report.seconds.total).toBeGreaterThan(0);
  });
});

test('a class may be called None, as no damage is in the bird strikes', () => {
  const data = join(root, 'node_modules/vega-datasets/data/birdstrikes.csv');
  const options = ['--label', 'Effect Amount of damage', '--positive', 'None', '--passes', '3', '--json'];
  const report = JSON.parse(halfspace(folder, ['train', data, ...options]).out);
  expect(report.classes).toEqual(['not None', 'None']);
  expect(report.examples).toBe(10_000);
});

describe('a model', () => {
  test('predicts one line a row, in order, with scores when asked, to a file when asked', () => {
    expect(halfspace(folder, trainPenguins).status).toBe(0);
    const plain = halfspace(folder, ['predict', 'penguins.model.json', penguins]);
    expect(plain).toMatchObject({ status: 0, out: `${species.join('\n')}\n` });
    const scored = halfspace(folder, ['predict', 'penguins.model.json', penguins, '--scores'])
      .out.trimEnd()
      .split('\n');
    scored.forEach((line, i) => {
      const [name, score] = line.split('\t');
      expect([name, Number(score) > 0]).toEqual([species[i], species[i] === 'Gentoo']);
    });
    const filed = halfspace(folder, ['predict', 'penguins.model.json', penguins, '--output', 'classes.txt']);
    expect(filed).toMatchObject({ status: 0, out: '' });
    expect(readFileSync(join(folder, 'classes.txt'), 'utf8')).toBe(plain.out);
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  test('is judged, for people and for programs', () => {
    const judged = halfspace(folder, ['evaluate', 'penguins.model.json', penguins, '--json']);
    expect(JSON.parse(judged.out)).toMatchObject({
      examples: 344,
      accuracy: 1,
      errors: 0,
      confusion: [
        [220, 0],
        [0, 124],
      ],
      perClass: [{ class: 'not Gentoo' }, { class: 'Gentoo', precision: 1, recall: 1, f1: 1, support: 124 }],
      rocArea: 1,
      averagePrecision: 1,
    });
    const told = halfspace(folder, ['evaluate', 'penguins.model.json', penguins]).out;
    expect(told).toMatch(
      /Right {6}100 %, no error\n {11}64\.0 % {2}baseline: always predicting not Gentoo\nRanked {5}ROC area 100 %, average precision 100 %\nConfusion/,
    );
  });

  test('is judged by the order of its scores where both classes are there', () => {
    writeFileSync(join(folder, 'order.svm'), '1 1:1\n0 1:-1\n');
    expect(halfspace(folder, ['train', 'order.svm', '--model', 'order.json'])).toMatchObject({ status: 0 });
    const judge = (text: string, ...options: string[]) => {
      writeFileSync(join(folder, 'judged.svm'), text);
      const run = halfspace(folder, ['evaluate', 'order.json', 'judged.svm', ...options]);
      expect(run.status).toBe(0);
      return run.out;
    };
    // Of the positive rows 3 and 1, of the negative 2 and 1: 2 + 1/2 of 4 pairs are in order.
    const mixed = '1 1:3\n0 1:2\n1 1:1\n0 1:1\n';
    expect(JSON.parse(judge(mixed, '--json'))).toMatchObject({ rocArea: 2.5 / 4, averagePrecision: (1 + 2 / 4) / 2 });
    expect(judge(mixed)).toContain('Ranked     ROC area 62.5 %, average precision 75.0 %\n');
    const one = '1 1:3\n1 1:2\n';
    expect(JSON.parse(judge(one, '--json'))).toMatchObject({ accuracy: 1, rocArea: null, averagePrecision: null });
    expect(judge(one)).toContain('Ranked     unknown: this needs rows of both classes');
  });

  test('says what it learned, and from what', () => {
    const shown = halfspace(folder, ['inspect', 'penguins.model.json', '--top', '3']).out;
    expect(shown).toMatch(/Island +category +3 levels: Biscoe, Dream, Torgersen/);
    expect(shown).toMatch(/stopped: separated/);
    const { strongest, training } = JSON.parse(
      halfspace(folder, ['inspect', 'penguins.model.json', '--top', '3', '--json']).out,
    );
    expect(strongest).toHaveLength(3);
    expect(Math.abs(strongest[0].weight)).toBeGreaterThanOrEqual(Math.abs(strongest[2].weight));
    expect(training).toMatchObject({ examples: 344, stop: 'separated', trainAccuracy: 1 });
  });
});
