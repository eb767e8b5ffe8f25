import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { benchFolder, measure, output } from '../run/process.mjs';
import { bytesOf, modelFile, signAgreement } from './work.mjs';

/**
 * The `vw` binary where there is one, otherwise the Python module, whose import is then part of every run.
 *
 * @param {string | null} python
 */
export function findVowpalWabbit(python) {
  const peer = {
    title: 'Vowpal Wabbit',
    install: 'pip install vowpalwabbit, or put a vw binary on the PATH',
  };
  const binary = output(['vw', '--version']);
  if (binary !== null) {
    const startup = ['vw', '--version'];
    return { ...peer, installed: true, version: binary.trim(), words: ['vw'], startup };
  }
  const importing = 'import vowpalwabbit; print(vowpalwabbit.__version__)';
  const version = python === null ? null : output([python, '-c', importing]);
  if (version === null) return { ...peer, installed: false };
  return {
    ...peer,
    installed: true,
    version: `${version.trim()} (Python module)`,
    words: [python, '-m', 'vowpalwabbit'],
    startup: [python, '-c', 'import vowpalwabbit'],
  };
}

/**
 * VW as its users run it: logistic loss, its adaptive updates, 18 bits; several passes through its binary cache, made
 * anew in every run (`-c -k`).
 *
 * @param {{ words: string[], startup: string[] }} found
 * @param {{ passes: number, train: string, heldout: string, loss?: string }} task
 * @returns {import('../run/pairs.mjs').Contender}
 */
export function vowpalWabbitTraining({ words, startup }, { passes, train, heldout, loss = 'logistic' }) {
  const name = `Vowpal Wabbit ${loss} ×${passes}`;
  const model = modelFile(train, name, '.vw-model');
  const predictions = modelFile(train, name, '.predictions');
  const cache = `${train}.cache`;
  const several = passes === 1 ? [] : ['-c', '-k', '--passes', String(passes), '--holdout_off'];
  return {
    name,
    task: `SGD, ${loss} loss, ${passes === 1 ? '1 pass' : `${passes} passes`}, from .vw`,
    command: [...words, '-d', train, '-f', model, '--loss_function', loss, '--quiet', ...several],
    startup,
    leaves: [model, cache],
    accuracy() {
      rmSync(join(benchFolder, cache), { force: true }); // as large as the data
      measure([...words, '-t', '-i', model, '-d', heldout, '-p', predictions, '--quiet']);
      return signAgreement(bytesOf(heldout), bytesOf(predictions));
    },
  };
}
