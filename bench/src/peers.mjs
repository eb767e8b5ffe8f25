import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { benchFolder, measure, output } from './run/process.mjs';

/**
 * A program to compare.
 *
 * @typedef {object} Peer
 * @property {string} title
 * @property {boolean} installed
 * @property {string} [version]
 * @property {string} install what a user types to get it
 */

const require = createRequire(import.meta.url);
const commandFile = '../packages/cli/bin/halfspace.cjs';
const built = ['packages/cli/dist/main.js', 'packages/halfspace/dist/index.js'];

/** @param {string[] | undefined} command another halfspace than this repository's */
export function findHalfspace(command) {
  const words = command ?? ['node', commandFile];
  const missing = command === undefined ? built.filter((file) => !existsSync(join(benchFolder, '..', file))) : [];
  const version = missing.length === 0 ? (output([...words, '--version'])?.trim() ?? null) : null;
  const failed = `"${words.join(' ')} --version" failed`;
  const install = missing.length > 0 ? `build it first: npm run build (missing: ${missing.join(', ')})` : failed;
  return { title: 'halfspace', installed: version !== null, version: version ?? undefined, install, words };
}

/**
 * Returns the interpreter itself: version managers put a shell script in its place, whose start-up would be charged to
 * the peers.
 *
 * @param {string} name
 * @returns {string | null}
 */
export function findPython(name) {
  return output([name, '-c', 'import sys; print(sys.executable)'])?.trim() ?? null;
}

/** @param {string | null} python an interpreter @returns {any} a Peer */
export function findScikitLearn(python) {
  const peer = { title: 'scikit-learn', install: 'pip install scikit-learn' };
  const asking = 'import sklearn, numpy; print(f"{sklearn.__version__}, NumPy {numpy.__version__}")';
  const version = python === null ? null : output([python, '-c', asking]);
  return version === null
    ? { ...peer, installed: false }
    : { ...peer, installed: true, version: version.trim(), python };
}

/** Finds the `vw` binary, or else the Python module, whose import is then part of every run. */
function findVowpalWabbit(python) {
  const peer = { title: 'Vowpal Wabbit', install: 'pip install vowpalwabbit, or put a vw binary on the PATH' };
  const binary = output(['vw', '--version']);
  if (binary !== null)
    return { ...peer, installed: true, version: binary.trim(), words: ['vw'], startup: ['vw', '--version'] };
  const importing = 'import vowpalwabbit; print(vowpalwabbit.__version__)';
  const version = python === null ? null : output([python, '-c', importing])?.trim();
  if (version === null || version === undefined) return { ...peer, installed: false };
  const startup = [python, '-c', 'import vowpalwabbit'];
  const words = [python, '-m', 'vowpalwabbit'];
  return { ...peer, installed: true, version: `${version} (Python module)`, words, startup };
}

function findLiblinear() {
  const install = 'apt install liblinear-tools, or build it and put train and predict on the PATH';
  for (const prefix of ['liblinear-', '']) {
    const train = `${prefix}train`;
    // Other programs are called `train`; LIBLINEAR's usage names its solvers.
    if (!output([train], { anyStatus: true })?.includes('type of solver')) continue;
    const version = /^Version: (.*)$/m.exec(output(['dpkg', '-s', 'liblinear-tools']) ?? '')?.[1] ?? 'unknown';
    return { title: 'LIBLINEAR', install, installed: true, version, train, predict: `${prefix}predict` };
  }
  return { title: 'LIBLINEAR', install, installed: false };
}

/** Finds a perceptron of npm: no dependency of this workspace, used where Node resolves it (NODE_PATH counts). */
function findJavaScript(title, rule) {
  const peer = { title, install: `npm install --no-save ${title}`, rule };
  try {
    return { ...peer, installed: true, version: require(`${title}/package.json`).version };
  } catch {
    return { ...peer, installed: false };
  }
}

/** How each peer is found. @type {Record<string, (python: string | null) => Peer>} */
export const finders = {
  vw: findVowpalWabbit,
  liblinear: findLiblinear,
  sklearn: findScikitLearn,
  wink: () => findJavaScript('wink-perceptron', 'averaged perceptron'),
  limdu: () => findJavaScript('limdu', 'perceptron'),
};

/** Files of a data set in a format, relative to the bench folder. */
const filesOf = (folder, format) => ({ train: `${folder}/train.${format}`, heldout: `${folder}/heldout.${format}` });
const some = (passes) => (passes === 1 ? '1 pass' : `${passes} passes`);

/** Returns the file of a contender's model: beside the data, so that runs on other data never meet. */
function modelFile(folder, name, suffix) {
  mkdirSync(join(benchFolder, folder, 'models'), { recursive: true });
  return `${folder}/models/${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}${suffix}`;
}

/** Training by halfspace; without a rule, it chooses. @returns {import('./run/pairs.mjs').Contender} */
export function halfspaceTraining(
  { words },
  { folder, format = 'svm', rule = '', passes = 0, order = 'cyclic', extra = [] },
) {
  const { train, heldout } = filesOf(folder, format);
  const isChosen = rule === '';
  const name = `halfspace ${isChosen ? 'without options' : `${rule} ×${passes}${order === '' ? ' default order' : ''}`} ${format}`;
  const model = modelFile(folder, name, '.json');
  const given = isChosen
    ? []
    : ['--rule', rule, '--passes', String(passes), ...(order === '' ? [] : ['--order', order])];
  return {
    name,
    task: `${isChosen ? 'the rule that it chooses' : `${rule}, ${some(passes)}`}, from .${format}`,
    command: [...words, 'train', train, ...given, ...extra, '--model', model, '--json'],
    leaves: [model],
    startup: [...words, '--version'],
    accuracy: () => JSON.parse(measure([...words, 'evaluate', model, heldout, '--json']).stdout).accuracy,
  };
}

/**
 * Vowpal Wabbit as its users run it: logistic loss, its adaptive updates, 18 bits; several passes through its binary
 * cache, made again in every run (`-c -k`).
 *
 * @returns {import('./run/pairs.mjs').Contender}
 */
export function vowpalWabbitTraining({ words, startup }, { folder, passes }) {
  const { train, heldout } = filesOf(folder, 'vw');
  const name = `Vowpal Wabbit logistic ×${passes}`;
  const [model, predictions] = ['.vw-model', '.predictions'].map((suffix) => modelFile(folder, name, suffix));
  const cache = `${train}.cache`;
  const several = passes === 1 ? [] : ['-c', '-k', '--passes', String(passes), '--holdout_off'];
  return {
    name,
    task: `SGD, logistic loss, ${some(passes)}, from .vw`,
    command: [...words, '-d', train, '-f', model, '--loss_function', 'logistic', '--quiet', ...several],
    startup,
    leaves: [model, cache],
    accuracy() {
      rmSync(join(benchFolder, cache), { force: true }); // as large as the data
      measure([...words, '-t', '-i', model, '-d', heldout, '-p', predictions, '--quiet']);
      const [labels, scores] = [heldout, predictions].map((file) =>
        readFileSync(join(benchFolder, file), 'latin1').trimEnd().split('\n'),
      );
      const right = scores.filter((score, i) => Number.parseFloat(score) > 0 === Number.parseFloat(labels[i]) > 0);
      return right.length / scores.length;
    },
  };
}

/**
 * L2-regularised squared hinge to the solver's default tolerance. LIBLINEAR's own advice decides the solver: the dual
 * (`-s 1`, the default) for sparse data with many features, the primal (`-s 2`) for many examples with few.
 *
 * @returns {import('./run/pairs.mjs').Contender}
 */
export function liblinearTraining(found, { folder, solver }) {
  const { train, heldout } = filesOf(folder, 'svm');
  const name = `LIBLINEAR -s ${solver}`;
  const [model, predictions] = ['.liblinear-model', '.predictions'].map((suffix) => modelFile(folder, name, suffix));
  return {
    name,
    task: `L2-regularised squared hinge, ${solver === 1 ? 'dual' : 'primal'}, to its tolerance, from .svm`,
    command: [found.train, '-s', String(solver), '-q', train, model],
    leaves: [model],
    startup: [found.train],
    accuracy() {
      const [, right, all] = /\((\d+)\/(\d+)\)/.exec(measure([found.predict, heldout, model, predictions]).stdout);
      return Number(right) / Number(all);
    },
  };
}

const scripts = { sklearn: 'src/peers/scikit_learn.py', npm: 'src/peers/javascript-run.mjs' };
const titles = { perceptron: 'Perceptron', averaged: 'SGDClassifier average' };

/**
 * A script as a user of scikit-learn would write it: load the file, fit, save the model. Its own clock tells the two
 * parts.
 *
 * @returns {import('./run/pairs.mjs').Contender}
 */
export function scikitLearnTraining({ python }, { folder, format = 'svm', rule, passes, features }) {
  const { train, heldout } = filesOf(folder, format);
  const name = `scikit-learn ${titles[rule]} ×${passes} ${format}`;
  const model = modelFile(folder, name, '.npz');
  return {
    name,
    task: `${titles[rule]}, ${passes} passes, from .${format}`,
    command: [python, scripts.sklearn, 'train', train, model, rule, String(passes), String(features)],
    leaves: [model],
    startup: [python, '-c', 'import numpy, sklearn.datasets, sklearn.linear_model'],
    details: JSON.parse,
    accuracy: () => JSON.parse(measure([python, scripts.sklearn, 'evaluate', heldout, model]).stdout).accuracy,
  };
}

/** @returns {import('./run/pairs.mjs').Contender} */
export function javaScriptTraining({ title, rule }, { folder, passes }) {
  const { train, heldout } = filesOf(folder, 'svm');
  const name = `${title} ×${passes}`;
  const model = modelFile(folder, name, '.json');
  return {
    name,
    task: `${rule}, ${passes} passes, from .svm`,
    command: ['node', scripts.npm, 'train', title, train, model, String(passes)],
    leaves: [model],
    startup: ['node', scripts.npm, 'nothing', title],
    details: JSON.parse,
    accuracy: () => JSON.parse(measure(['node', scripts.npm, 'evaluate', title, heldout, model]).stdout).accuracy,
  };
}
