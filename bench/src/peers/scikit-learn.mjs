import { measure, output } from '../run/process.mjs';
import { modelFile } from './work.mjs';

const script = 'src/peers/scikit_learn.py';

export function findScikitLearn(python) {
  const peer = { title: 'scikit-learn', install: 'pip install scikit-learn' };
  const asking = 'import sklearn, numpy; print(f"{sklearn.__version__}, NumPy {numpy.__version__}")';
  const version = python === null ? null : output([python, '-c', asking]);
  if (version === null) return { ...peer, installed: false };
  return { ...peer, installed: true, version: version.trim(), python };
}

const titles = { perceptron: 'Perceptron', averaged: 'SGDClassifier average' };

/**
 * A script as a scikit-learn user would write it: load the file, fit, save the model. Its own clock tells the two
 * parts.
 *
 * @param {{ python: string }} found
 * @param {{ rule: 'perceptron' | 'averaged', passes: number, features: number, train: string, heldout: string }} task
 * @returns {import('../run/pairs.mjs').Contender}
 */
export function scikitLearnTraining({ python }, { rule, passes, features, train, heldout }) {
  const format = train.slice(train.lastIndexOf('.') + 1);
  const name = `scikit-learn ${titles[rule]} ×${passes} ${format}`;
  const model = modelFile(train, name, '.npz');
  return {
    name,
    task: `${titles[rule]}, ${passes} passes, from .${format}`,
    command: [python, script, 'train', train, model, rule, String(passes), String(features)],
    leaves: [model],
    startup: [python, '-c', 'import numpy, sklearn.datasets, sklearn.linear_model'],
    details: JSON.parse,
    accuracy: () => JSON.parse(measure([python, script, 'evaluate', heldout, model]).stdout).accuracy,
  };
}
