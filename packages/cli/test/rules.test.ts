import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { halfspace, root, temporaryFolder } from './run.ts';

const folder = temporaryFolder();

const penguins = join(root, 'node_modules/vega-datasets/data/penguins.json');
const train = (...options: string[]) =>
  halfspace(folder, ['train', penguins, '--label', 'Species', '--holdout', '0.25', ...options]);

describe('a model that votes', () => {
  test('is trained, judged and inspected, of two classes and of three', () => {
    for (const positive of [[], ['--positive', 'Adelie']]) {
      const run = train('--rule', 'voted', '--model', 'votes.json', '--json', ...positive);
      expect(run).toMatchObject({ status: 0, err: '' });
      const report = JSON.parse(run.out);
      expect(report).toMatchObject({ rule: 'voted', train: { margin: null } });
      expect(report.holdout.accuracy).toBeGreaterThan(0.9);
      const inspected = JSON.parse(halfspace(folder, ['inspect', 'votes.json', '--json', '--top', '2']).out);
      expect(inspected).toMatchObject({ kind: 'dual', rule: 'voted', aggregate: 'voted', kernel: { kind: 'linear' } });
      expect(inspected.functions).toHaveLength(positive.length === 0 ? 3 : 1);
      const [one] = inspected.functions;
      expect(one.supportRows).toBeLessThanOrEqual(one.mistakes);
      expect(one.mostMistaken).toHaveLength(2);
      expect(one.mostMistaken[0].mistakes).toBeGreaterThanOrEqual(one.mostMistaken[1].mistakes);
      const text = halfspace(folder, ['inspect', 'votes.json', '--top', '1']);
      expect(text.out).toMatch(/Mistakes .*mistakes? on .*rows?, which the model stores\n/);
      expect(text.out).toMatch(/Most often/);
    }
  });

  test('gives no class where the vote is closer than asked for, and says how often', () => {
    train('--rule', 'voted', '--positive', 'Adelie', '--model', 'votes.json');
    const ask = (...options: string[]) =>
      halfspace(folder, ['predict', 'votes.json', penguins, '--scores', ...options]);
    const rows = (out: string) =>
      out
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t'));
    const all = rows(ask().out);
    const clear = rows(ask('--abstain', '0.9').out);
    const close = all.filter(([, score]) => Math.abs(Number(score)) < 0.9).length;
    expect(close).toBeGreaterThan(0);
    expect(close).toBeLessThan(all.length);
    expect(clear).toEqual(all.map(([name, score]) => [Math.abs(Number(score)) < 0.9 ? '' : name, score]));
    expect(ask('--abstain', '0.9').err).toContain(`${close} row`);
    expect(ask('--abstain', '0').out).toBe(ask().out);
  });

  test('is the only kind that may abstain, and by a share', () => {
    train('--rule', 'kernel', '--positive', 'Adelie', '--model', 'kernel.json');
    const refused = halfspace(folder, ['predict', 'kernel.json', penguins, '--abstain', '0.1']);
    expect(refused).toMatchObject({ status: 2, out: '' });
    expect(refused.err).toContain('--abstain needs a model that votes; got kernel.json: train with --rule voted');
    expect(halfspace(folder, ['predict', 'votes.json', penguins, '--abstain', '2'])).toMatchObject({ status: 2 });
  });
});

describe('a kernel', () => {
  test('tells apart what no hyperplane does', () => {
    writeFileSync(join(folder, 'xor.svm'), '0 1:-1 2:-1\n1 1:-1 2:1\n1 1:1 2:-1\n0 1:1 2:1\n');
    const report = (...options: string[]) =>
      JSON.parse(halfspace(folder, ['train', 'xor.svm', '--model', 'xor.json', '--json', ...options]).out);
    expect(report('--rule', 'kernel')).toMatchObject({ stop: 'separated', train: { accuracy: 1 } });
    expect(halfspace(folder, ['predict', 'xor.json', 'xor.svm']).out).toBe('0\n1\n1\n0\n');
    expect(report('--rule', 'kernel', '--kernel', 'linear').train.accuracy).toBeLessThan(1);
  });

  test('refuses options that it does not have', () => {
    const refused = (...options: string[]) => {
      const { status, err } = halfspace(folder, ['train', 'xor.svm', '--rule', 'kernel', ...options]);
      expect(status).toBe(2);
      return err;
    };
    expect(refused('--kernel', 'rbf', '--degree', '3')).toContain('degree is for the kernel polynomial');
    expect(refused('--budget', '9')).toContain('budget is for the aggregate last');
    expect(refused('--degree', '0')).toContain('a whole number in [1, 32]');
  });
});

const cars = join(root, 'node_modules/vega-datasets/data/cars.json');
const sql = `SELECT Cylinders::VARCHAR AS cyl,
  CASE WHEN Displacement < 120 THEN 'low' WHEN Displacement < 230 THEN 'med' ELSE 'high' END AS disp,
  Origin AS origin,
  year(Year::DATE) - 1900 AS year,
  CASE WHEN Miles_per_Gallon >= 23 THEN 'good' ELSE 'bad' END AS efficiency
  FROM '${cars}' WHERE Miles_per_Gallon IS NOT NULL`;
const flags = '--label efficiency --rule tree --min-leaf 3 --max-depth 3 --model cars.model.json --drawing cars.svg';

/** The lines of a report's section, without its title. */
function section(report: string, title: string): string {
  const lines = report.split('\n');
  const from = lines.findIndex((line) => line.startsWith(title.padEnd(11)));
  const length = lines.slice(from + 1).findIndex((line) => !line.startsWith(' '.repeat(11)));
  return lines
    .slice(from, from + 1 + length)
    .map((line) => line.slice(11))
    .join('\n');
}

describe("lecture 9's table", () => {
  test('gives a tree that train and inspect show alike', () => {
    const { status, out, err } = halfspace(folder, ['train', '--sql', sql, ...flags.split(' ')]);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    const shown = section(out, 'Tree');
    // docs/trees.md shows the whole tree.
    expect(shown).toMatch(/^├─ cyl = 3 → bad {24}3 {5}1$/m);
    expect(section(halfspace(folder, ['inspect', 'cars.model.json']).out, 'Tree')).toContain(shown);
  });

  test('is drawn as SVG, by train as by inspect', () => {
    const svg = readFileSync(join(folder, 'cars.svg'), 'utf8');
    expect(svg.match(/class="box leaf/g)).toHaveLength(9);
    expect(halfspace(folder, ['inspect', 'cars.model.json', '--drawing', 'again.svg']).status).toBe(0);
    expect(readFileSync(join(folder, 'again.svg'), 'utf8')).toBe(svg);
  });

  test('is judged and predicted by raw columns', () => {
    const judged = JSON.parse(halfspace(folder, ['evaluate', 'cars.model.json', '--sql', sql, '--json']).out);
    expect(judged).toMatchObject({ examples: 398, errors: 28, classes: ['bad', 'good'] });
    writeFileSync(join(folder, 'new.csv'), 'cyl,disp,origin,year\n8,high,USA,70\n6,med,Japan,80\n?,low,Europe,75\n');
    expect(halfspace(folder, ['predict', 'cars.model.json', 'new.csv', '--scores']).out.split('\n')).toEqual([
      `bad\t${(3 - 100) / 103}`,
      'good\t1',
      // No cylinders: the way of the most frequent four, and there the low displacement.
      `good\t${(131 - 3) / 134}`,
      '',
    ]);
  });

  test('is told as JSON', () => {
    const told = JSON.parse(halfspace(folder, ['inspect', 'cars.model.json', '--json']).out);
    expect(told).toMatchObject({ kind: 'tree', rule: 'tree', leaves: 9, depth: 3, classes: ['bad', 'good'] });
    expect(told.tree.nodes[0]).toMatchObject({
      counts: [197, 201],
      split: { kind: 'category', levels: [0, 1, 2, 3, 4] },
    });
  });
});

describe('a tree of numbered features', () => {
  const text = '+1 1:1 2:1\n-1 1:1\n-1 2:1\n+1 3:1\n';

  test('learns exclusive or from libsvm text, where no hyperplane is', () => {
    writeFileSync(join(folder, 'xor.svm'), text);
    const { out } = halfspace(folder, ['train', 'xor.svm', '--rule', 'tree', '--json']);
    expect(JSON.parse(out)).toMatchObject({ stop: 'grown', train: { errors: 0, margin: null } });
    expect(halfspace(folder, ['predict', 'xor.model.json', 'xor.svm']).out).toBe('1\n-1\n-1\n1\n');
  });

  test('is refused where there are too many of them', () => {
    writeFileSync(join(folder, 'wide.svm'), '+1 5000:1\n-1 1:1\n');
    expect(halfspace(folder, ['train', 'wide.svm', '--rule', 'tree'])).toMatchObject({
      status: 2,
      err: expect.stringContaining(
        'expected at most 4096 columns for a tree, which looks at them one by one; got 5000',
      ),
    });
  });
});

describe('usage', () => {
  test.each([
    [['--rule', 'tree', '--passes', '3'], 'passes is not for the rule tree; got 3'],
    [
      ['--rule', 'tree', '--scale', 'standard'],
      '--scale is not for --rule tree, which takes numbers as they are; got --scale standard',
    ],
    [['--rule', 'perceptron', '--drawing', 'a.svg'], '--drawing is for --rule tree; got the rule perceptron'],
    [['--rule', 'perceptron', '--max-depth', '3'], '--max-depth is for --rule tree; got the rule perceptron'],
    [['--rule', 'tree', '--min-leaf', '0'], 'expected --min-leaf to be a number in (0, ∞); got 0'],
  ])('%j', (flags, message) => {
    writeFileSync(join(folder, 'xor.svm'), '+1 1:1 2:1\n-1 1:1\n-1 2:1\n+1 3:1\n');
    const { status, err } = halfspace(folder, ['train', 'xor.svm', ...flags]);
    expect(err).toContain(message);
    expect(status).toBe(2);
  });

  test('a linear model has no drawing', () => {
    halfspace(folder, ['train', 'xor.svm', '--rule', 'perceptron', '--passes', '2', '--model', 'linear.json']);
    expect(halfspace(folder, ['inspect', 'linear.json', '--drawing', 'a.svg'])).toMatchObject({
      status: 2,
      err: expect.stringContaining('--drawing is for a tree; got a linear model'),
    });
  });
});
