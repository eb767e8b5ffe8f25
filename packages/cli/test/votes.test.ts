import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { halfspace, root, temporaryFolder } from './run.ts';

const { folder, clear } = temporaryFolder();
afterAll(clear);

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
