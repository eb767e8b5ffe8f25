import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { halfspace, sharedData, temporaryFolder } from './run.ts';

const { folder, clear } = temporaryFolder();
afterAll(clear);

/** Made by reference/perceptron.py, which tells split and encoding. */
const { accuracies } = JSON.parse(readFileSync(join(import.meta.dirname, 'reference/perceptron.json'), 'utf8')) as {
  accuracies: Record<string, number>;
};
/** Made by reference/passive_aggressive.py, which tells how. */
const passiveAggressive = JSON.parse(
  readFileSync(join(import.meta.dirname, 'reference/passive_aggressive.json'), 'utf8'),
) as { accuracies: Record<string, Record<string, number>> };
/** How far below scikit-learn's a held-out accuracy may be. */
const allowance = 0.02;

/** Writes a file's lines to two files: line i (from 0) is held out when i % 5 = 4. */
function split(name: string): [train: string, heldOut: string] {
  const lines = readFileSync(join(sharedData, name), 'utf8').trimEnd().split('\n');
  const [stem, extension] = name.split('.') as [string, string];
  const paths = [`${stem}.train.${extension}`, `${stem}.heldout.${extension}`] as [string, string];
  writeFileSync(join(folder, paths[0]), `${lines.filter((_, i) => i % 5 !== 4).join('\n')}\n`);
  writeFileSync(join(folder, paths[1]), `${lines.filter((_, i) => i % 5 === 4).join('\n')}\n`);
  return paths;
}

const published: Record<string, string> = {
  'adult-train.csv': 'adult-test.csv',
  'agaricus.train.svm': 'agaricus.test.svm',
  'rcv1_small.train.vw': 'rcv1_small.test.vw',
};

function accuracyOf(name: string, options: readonly string[]): { train: Record<string, never>; accuracy: number } {
  const test = published[name];
  const [trainFile, testFile] = test === undefined ? split(name) : [join(sharedData, name), join(sharedData, test)];
  const trained = halfspace(folder, ['train', trainFile, '--model', 'model.json', '--json', ...options]);
  expect(trained.err).toBe('');
  const evaluated = halfspace(folder, ['evaluate', 'model.json', testFile, '--json']);
  expect(evaluated.err).toBe('');
  return { train: JSON.parse(trained.out), accuracy: JSON.parse(evaluated.out).accuracy };
}

describe.skipIf(!existsSync(sharedData))('real files as they are (skipped without the shared data)', () => {
  test.each(Object.entries(accuracies))('%s is held out about as well as by scikit-learn (%d)', (name, reference) => {
    const [file, positive] = name.split(' ') as [string, string?];
    const { accuracy } = accuracyOf(file, positive === undefined ? [] : ['--positive', positive]);
    expect(accuracy).toBeGreaterThanOrEqual(reference - allowance);
  });

  test.each(
    Object.entries(passiveAggressive.accuracies).flatMap(([name, variants]) =>
      Object.entries(variants).map(([variant, reference]) => [name, variant, reference] as const),
    ),
  )('%s, passive-aggressive %s, is held out as by scikit-learn (%d)', (name, given, reference) => {
    const [variant, aggressiveness] = given.split(' ') as [string, string];
    // In the order of the data, as scikit-learn learned.
    const options = ['--variant', variant, '--aggressiveness', aggressiveness, '--passes', '5', '--order', 'cyclic'];
    const { train, accuracy } = accuracyOf(name, ['--rule', 'passive-aggressive', ...options]);
    expect(train).toMatchObject({ rule: 'passive-aggressive', passes: 5 });
    // The same steps: sums are rounded in another order, which may turn an example that is scored as good as 0.
    expect(Math.abs(accuracy - reference)).toBeLessThanOrEqual(0.005);
  });

  test('mushrooms are separated with a margin', () => {
    const { train, accuracy } = accuracyOf('agaricus.train.svm', ['--rule', 'margin', '--margin', '2']);
    expect(train).toMatchObject({ rule: 'margin', stop: 'separated', train: { accuracy: 1 } });
    expect(accuracy).toBeGreaterThanOrEqual(0.999);
  });

  test.each(['lecture-9', 'lecture-9-algorithm-2', 'cs4780', 'foda', 'blog'])(
    'mushrooms are separated as %s has it, and the test file is right',
    (as) => {
      const { train, accuracy } = accuracyOf('agaricus.train.svm', ['--as', as]);
      expect(train).toMatchObject({ stop: 'separated', train: { accuracy: 1 } });
      expect(accuracy).toBeGreaterThanOrEqual(0.999);
    },
  );
});
