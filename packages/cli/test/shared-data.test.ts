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
/** How far below scikit-learn's Perceptron a held-out accuracy may be. */
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

  test.each(['lecture-9', 'lecture-9-algorithm-2', 'cs4780', 'foda', 'blog'])(
    'mushrooms are separated as %s has it, and the test file is right',
    (as) => {
      const { train, accuracy } = accuracyOf('agaricus.train.svm', ['--as', as]);
      expect(train).toMatchObject({ stop: 'separated', train: { accuracy: 1 } });
      expect(accuracy).toBeGreaterThanOrEqual(0.999);
    },
  );
});
