import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeModel, encodeModel, type Model, Predictor } from 'halfspace';
import type { Calibration } from 'halfspace/metrics';
import { describe, expect, test } from 'vitest';
import { calibrationLines } from '../src/report/calibration.ts';
import { halfspace, root, temporaryFolder } from './run.ts';

const folder = temporaryFolder();

const file = (name: string, text: string) => writeFileSync(join(folder, name), text);
const modelOf = (name: string): Model => decodeModel(readFileSync(join(folder, name), 'utf8'));
const json = (...args: string[]) => JSON.parse(halfspace(folder, [...args, '--json']).out);

/** Class and numbers of every line of `predict`. */
function predicted(...args: string[]): { name: string; numbers: number[] }[] {
  const run = halfspace(folder, ['predict', ...args]);
  expect(run.status, run.err).toBe(0);
  return run.out
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [name, ...numbers] = line.split('\t');
      return { name: name!, numbers: numbers.map(Number) };
    });
}

/**
 * Expects `predict --probabilities` to name a most probable class in every row, and `evaluate` to count those classes.
 */
function expectMostProbable(model: string, data: string, labels: readonly string[]): { differing: number } {
  const { classes } = modelOf(model);
  const byProbability = predicted(model, data, '--probabilities');
  const byScore = predicted(model, data);
  for (const { name, numbers } of byProbability) expect(numbers[classes.indexOf(name)]).toBe(Math.max(...numbers));
  const right = (lines: typeof byScore) => lines.filter(({ name }, i) => name === labels[i]).length / labels.length;
  const told = json('evaluate', model, data);
  expect(told.accuracy).toBeCloseTo(right(byScore), 12);
  expect(told.mostProbable.accuracy).toBeCloseTo(right(byProbability), 12);
  return { differing: byProbability.filter(({ name }, i) => name !== byScore[i]!.name).length };
}

/** Points of a few classes along a line, more of the first; the same whenever asked for. */
function points(rows: number, classes: number): { text: string; labels: string[] } {
  let state = 7;
  const next = () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state / 2 ** 32;
  };
  const labels = Array.from({ length: rows }, () => `c${Math.floor(classes * next() ** 2)}`);
  const lines = labels.map((label) => `${(Number(label[1]) + 3 * next()).toFixed(3)},${next().toFixed(3)},${label}`);
  return { text: `u,v,class\n${lines.join('\n')}\n`, labels };
}

test.each([
  ['platt', 2, ['--rule', 'perceptron']],
  ['isotonic', 2, ['--rule', 'tree']],
  ['platt', 3, ['--rule', 'kernel', '--passes', '3']],
  ['isotonic', 5, ['--rule', 'perceptron', '--multiclass', 'kesler']],
] as const)(
  'a model calibrated by %s of %i classes, learned by %j, names the most probable class',
  (kind, classes, args) => {
    const { text, labels } = points(400, classes);
    file('points.csv', text);
    const told = json('train', 'points.csv', ...args, '--calibrate', kind, '--model', 'm.json');
    const { accuracy, scoreAccuracy } = told.calibration.outOfFold;
    expect(told.calibration.isLessRight).toBe(accuracy < scoreAccuracy);
    expect(told.notes.some((note: string) => note.includes('more errors than the class by score'))).toBe(
      accuracy < scoreAccuracy,
    );
    const { differing } = expectMostProbable('m.json', 'points.csv', labels);
    // Of several classes a calibration of all scores together changes no class.
    if (classes > 2) expect(differing).toBe(0);
  },
);

describe('a model whose probability crosses ½ at another score than 0', () => {
  const { text, labels } = points(400, 2);
  file('two.csv', text);
  halfspace(folder, ['train', 'two.csv', '--rule', 'averaged', '--passes', '2', '--model', 'plain.json']);
  const calibrations: [string, Calibration, string][] = [
    [
      'platt',
      { kind: 'platt', slope: 2, intercept: -1.5 },
      'probability ½ at score 0.75: c1 is more probable above it',
    ],
    ['falling', { kind: 'platt', slope: -2, intercept: 1 }, 'probability ½ at score 0.5: c1 is more probable below it'],
    [
      'clipped',
      { kind: 'clipped-platt', slope: 2, intercept: -1, low: -3, high: 2.5 },
      'scores are limited to [-3, 2.5]',
    ],
    [
      'out of reach',
      { kind: 'clipped-platt', slope: 2, intercept: -9, low: -3, high: 2.5 },
      'probability ½ at no score: c0 is the most probable class at every score',
    ],
    [
      'isotonic',
      { kind: 'isotonic', scores: [-2, 0, 1, 4], probabilities: [0.5, 0.5, 0.5, 0.75] },
      'c1 is the most probable class at every score',
    ],
    ['level', { kind: 'platt', slope: 0, intercept: 0 }, 'both classes are equally probable at every score'],
  ];

  test.each(calibrations)('by %s says so', (_, calibration, line) => {
    expect(calibrationLines({ calibration: [calibration], classes: ['c0', 'c1'] }).join('\n')).toContain(line);
  });

  test('shows that score, and goes by it where probabilities are asked for', () => {
    const [[, calibration, line]] = calibrations as [[string, Calibration, string]];
    file('even.json', encodeModel({ ...modelOf('plain.json'), calibration: [calibration] } as Model));
    expect(expectMostProbable('even.json', 'two.csv', labels).differing).toBeGreaterThan(0);
    expect(halfspace(folder, ['inspect', 'even.json']).out).toContain(line);
    expect(json('inspect', 'even.json').evenScore).toEqual({ score: 0.75, above: 1 });
    const byScore = predicted('even.json', 'two.csv', '--scores');
    predicted('even.json', 'two.csv', '--probabilities').forEach(({ name }, i) => {
      expect(name).toBe(byScore[i]!.numbers[0]! > 0.75 ? 'c1' : 'c0');
    });
    expect(halfspace(folder, ['evaluate', 'even.json', 'two.csv']).out).toMatch(/^ +right: .* by probability/m);
  });

  test('is answered by Predictor with a class and probabilities that agree', () => {
    const [[, calibration]] = calibrations as [[string, Calibration, string]];
    const predictor = new Predictor({ ...modelOf('plain.json'), calibration: [calibration] } as Model);
    let differing = 0;
    for (const line of text.trimEnd().split('\n').slice(1)) {
      const [u, v] = line.split(',');
      const row = { u: Number(u), v: Number(v) };
      const [name, probabilities] = [predictor.predict(row, 'probability'), predictor.probabilities(row)];
      expect(probabilities[predictor.labels.indexOf(name)]).toBe(Math.max(...probabilities));
      if (name !== predictor.predict(row)) differing++;
    }
    expect(differing).toBeGreaterThan(0);
  });
});

describe('several classes', () => {
  test('are abstained from by their votes, and otherwise named by their probability', () => {
    const { text } = points(300, 3);
    file('votes.csv', text);
    halfspace(folder, 'train votes.csv --rule voted --passes 3 --calibrate platt --model v.json'.split(' '));
    const some = predicted('v.json', 'votes.csv', '--abstain', '0.3', '--probabilities');
    const all = predicted('v.json', 'votes.csv', '--probabilities');
    const kept = predicted('v.json', 'votes.csv', '--abstain', '0.3').map(({ name }) => name !== '');
    expect(new Set(kept).size).toBe(2);
    some.forEach(({ name, numbers }, i) => {
      expect(numbers).toEqual(all[i]!.numbers);
      expect(name).toBe(kept[i] ? all[i]!.name : '');
    });
  });

  test('are ranked by how far a class leads: who finds every row of a class has a high area for it', () => {
    const weather = join(root, 'node_modules/vega-datasets/data/seattle-weather.csv');
    const options = ['--rule', 'averaged', '--multiclass', 'kesler', '--calibrate', 'platt', '--model', 'w.json'];
    const told = json('train', weather, ...options);
    for (const { rocArea } of told.ranking.classes) expect(rocArea).toBeGreaterThan(0.6);
    const labels = readFileSync(weather, 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',').at(-1)!);
    expect(expectMostProbable('w.json', weather, labels).differing).toBe(0);
    // One calibration of each class against all others gave 0.72.
    expect(told.calibration.outOfFold.logLoss).toBeLessThan(0.6);
  });
});
