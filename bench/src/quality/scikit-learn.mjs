import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CommandError } from '../run/process.mjs';

const script = fileURLToPath(new URL('scikit_learn_quality.py', import.meta.url));

/** Seeds of those classifiers that shuffle; their accuracy is the mean. */
const seeds = [0, 1, 2];

/**
 * The accuracy of scikit-learn's classifiers on a set, by their names in the table.
 *
 * @typedef {{ accuracy: number, runs: number[], notConverged: boolean }} PeerScore
 * @param {string} python
 * @param {import('./sets.mjs').QualitySet} set
 * @returns {Record<string, PeerScore> | { failure: string }}
 */
export function scikitLearnScores(python, set) {
  try {
    return JSON.parse(runPython(python, script, { seeds, set }));
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { failure: error.message };
  }
}

/** What a script prints, given a question as JSON. @throws CommandError when it fails. */
export function runPython(python, file, question) {
  const input = JSON.stringify(question);
  const { status, signal, stdout, stderr } = spawnSync(python, [file], {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0)
    throw new CommandError(`${python} ended with ${signal ?? status}: ${stderr.trim().split('\n').at(-1)}`);
  return stdout;
}
