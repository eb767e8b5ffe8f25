import { measure, output } from '../run/process.mjs';
import { modelFile } from './work.mjs';

export function findLiblinear() {
  const peer = {
    title: 'LIBLINEAR',
    install: 'apt install liblinear-tools, or build it and put train and predict on the PATH',
  };
  for (const [train, predict] of [
    ['liblinear-train', 'liblinear-predict'],
    ['train', 'predict'],
  ]) {
    // Other programs are called `train`; LIBLINEAR's usage names its solvers.
    if (!output([train], { anyStatus: true })?.includes('type of solver')) continue;
    const version = /^Version: (.*)$/m.exec(output(['dpkg', '-s', 'liblinear-tools']) ?? '')?.[1];
    return { ...peer, installed: true, version: version ?? 'unknown', train, predict };
  }
  return { ...peer, installed: false };
}

/**
 * L2-regularised squared hinge to the solver's default tolerance. LIBLINEAR's own advice decides the solver: the dual
 * (`-s 1`, the default) for sparse data with many features, the primal (`-s 2`) for many examples with few.
 *
 * @param {{ train: string, predict: string }} found
 * @param {{ solver: 1 | 2, train: string, heldout: string }} task
 * @returns {import('../run/pairs.mjs').Contender}
 */
export function liblinearTraining(found, { solver, train, heldout }) {
  const name = `LIBLINEAR -s ${solver}`;
  const model = modelFile(train, name, '.liblinear-model');
  return {
    name,
    task: `L2-regularised squared hinge, ${solver === 1 ? 'dual' : 'primal'}, to its tolerance, from .svm`,
    command: [found.train, '-s', String(solver), '-q', train, model],
    leaves: [model],
    startup: [found.train],
    accuracy() {
      const { stdout } = measure([found.predict, heldout, model, modelFile(train, name, '.predictions')]);
      const [, right, all] = /\((\d+)\/(\d+)\)/.exec(stdout);
      return Number(right) / Number(all);
    },
  };
}
