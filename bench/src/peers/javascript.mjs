import { createRequire } from 'node:module';
import { measure } from '../run/process.mjs';
import { modelFile } from './work.mjs';

const require = createRequire(import.meta.url);
const script = 'src/peers/javascript-run.mjs';
const packages = { wink: 'wink-perceptron', limdu: 'limdu' };

/**
 * Perceptrons published on npm: not dependencies of this workspace, used where Node resolves them (NODE_PATH counts).
 */
export function findJavaScriptPeers() {
  return Object.fromEntries(Object.entries(packages).map(([key, name]) => [key, found(key, name)]));
}

function found(key, name) {
  const peer = { title: name, install: `npm install --no-save ${name}`, key };
  try {
    return { ...peer, installed: true, version: require(`${name}/package.json`).version };
  } catch {
    return { ...peer, installed: false };
  }
}

/** @returns {import('../run/pairs.mjs').Contender} */
export function javaScriptTraining({ key, title }, { passes, train, heldout }) {
  const name = `${title} ×${passes}`;
  const model = modelFile(train, name, '.json');
  return {
    name,
    task: `${key === 'wink' ? 'averaged perceptron' : 'perceptron'}, ${passes} passes, from .svm`,
    command: ['node', script, 'train', key, train, model, String(passes)],
    leaves: [model],
    startup: ['node', script, 'nothing', key],
    details: JSON.parse,
    accuracy: () => JSON.parse(measure(['node', script, 'evaluate', key, heldout, model]).stdout).accuracy,
  };
}
