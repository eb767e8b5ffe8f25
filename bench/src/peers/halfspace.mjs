import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { benchFolder, measure, output } from '../run/process.mjs';
import { modelFile } from './work.mjs';

const commandFile = '../packages/cli/bin/halfspace.cjs';
const built = ['packages/cli/dist/main.js', 'packages/halfspace/dist/index.js'];

/** @param {string[] | undefined} command another halfspace than this repository's */
export function findHalfspace(command) {
  const words = command ?? ['node', commandFile];
  const missing = command === undefined ? built.filter((file) => !existsSync(join(benchFolder, '..', file))) : [];
  const version = missing.length === 0 ? (output([...words, '--version'])?.trim() ?? null) : null;
  return {
    title: 'halfspace',
    installed: version !== null,
    version: version ?? undefined,
    install:
      missing.length > 0
        ? `build it first: npm run build (missing: ${missing.join(', ')})`
        : `"${words.join(' ')} --version" failed`,
    words,
  };
}

/**
 * halfspace's training command on a file.
 *
 * @param {{ words: string[] }} found
 * @param {{ rule: string, passes: number, train: string, heldout: string, extra?: string[] }} task
 * @returns {import('../run/pairs.mjs').Contender}
 */
export function halfspaceTraining(found, { rule, passes, train, heldout, extra = [] }) {
  const format = train.slice(train.lastIndexOf('.') + 1);
  const name = `halfspace ${rule} ×${passes} ${format}`;
  const task = `${rule}, ${passes === 1 ? '1 pass' : `${passes} passes`}, from .${format}`;
  const options = ['--rule', rule, '--passes', String(passes), '--order', 'cyclic', ...extra];
  return halfspaceTrainingWith(found, { name, task, train, heldout, options });
}

/**
 * The same with any options.
 *
 * @param {{ words: string[] }} found
 * @param {{ name: string, task: string, train?: string, heldout?: string, options: string[] }} what without `train`,
 *   `options` name the data; without `heldout`, the accuracy is that of the rows that halfspace holds out itself
 * @returns {import('../run/pairs.mjs').Contender}
 */
export function halfspaceTrainingWith({ words }, { name, task, train, heldout, options }) {
  const model = modelFile(train ?? '.data/tables/none', name, '.json');
  const command = [...words, 'train', ...(train === undefined ? [] : [train]), ...options];
  return {
    name,
    task,
    command: [...command, '--model', model, '--json'],
    leaves: [model],
    startup: [...words, '--version'],
    details(stdout) {
      const result = JSON.parse(stdout);
      return {
        examples: result.examples,
        nonzeros: result.nonzeros,
        insideSeconds: result.seconds?.total,
        trainAccuracy: result.train?.accuracy,
        holdoutAccuracy: result.holdout?.accuracy,
      };
    },
    accuracy: ({ holdoutAccuracy }) =>
      heldout === undefined
        ? (holdoutAccuracy ?? null)
        : JSON.parse(measure([...words, 'evaluate', model, heldout, '--json']).stdout).accuracy,
  };
}
