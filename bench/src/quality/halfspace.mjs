import { join } from 'node:path';
import { CommandError, measure } from '../run/process.mjs';
import { spread } from '../run/statistics.mjs';

/**
 * What stands beside each of scikit-learn's classifiers, as flags of `train`: the rule of the same name with our
 * defaults; for the two that go down to the least objective, the same objective. C = 1 weighs the sum of the losses, α
 * their mean: α = 1 / n.
 *
 * @type {Record<string, (examples: number) => string[]>}
 */
export const namesakes = {
  Perceptron: () => ['--rule', 'perceptron'],
  'SGD hinge': () => ['--rule', 'sgd', '--loss', 'hinge'],
  'SGD log avg': () => ['--rule', 'sgd', '--loss', 'logistic'],
  PA: () => ['--rule', 'passive-aggressive'],
  LogReg: (examples) => ['--rule', 'sgd', '--loss', 'logistic', '--alpha', String(1 / examples)],
  LinearSVC: (examples) => ['--rule', 'sgd', '--loss', 'squared-hinge', '--alpha', String(1 / examples)],
};

/**
 * Trains and judges one model with the command.
 *
 * @param {string[]} command halfspace's words
 * @param {import('./sets.mjs').QualitySet} set
 * @param {string[]} flags of `train`
 * @param {string} folder where the model goes
 * @returns {{ accuracy: number, baseline: number, seconds: number, result: any } | { failure: string }} baseline: that
 *   of always giving the commonest class of the judged rows
 */
export function trainAndJudge(command, set, flags, folder) {
  const model = join(folder, `${set.name}.model.json`);
  try {
    const { seconds, stdout } = measure([...trainCommand(command, set, model), ...flags]);
    const judged = JSON.parse(
      measure([...command, 'evaluate', model, set.heldout, ...headerFlags(set), '--json']).stdout,
    );
    // A row that could not be read would be judged by nobody.
    if (judged.examples !== set.judged)
      throw new CommandError(`expected ${set.judged} rows to be judged; got ${judged.examples}`);
    return { accuracy: judged.accuracy, baseline: judged.baseline, seconds, result: JSON.parse(stdout) };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { failure: error.message };
  }
}

/**
 * Whole training runs in turn, without options and with `--rule averaged`: how many times as long the choice takes.
 *
 * @param {string[]} command
 * @param {import('./sets.mjs').QualitySet} set
 * @param {{ folder: string, rounds: number }} options
 */
export function timesOfChoice(command, set, { folder, rounds }) {
  const model = join(folder, `${set.name}.model.json`);
  const chosen = trainCommand(command, set, model);
  const averaged = [...chosen, '--rule', 'averaged'];
  const seconds = Array.from({ length: rounds }, (_, round) => {
    const pair = round % 2 === 0 ? [chosen, averaged] : [averaged, chosen];
    const [first, second] = pair.map((words) => measure(words).seconds);
    return round % 2 === 0 ? { chosen: first, averaged: second } : { chosen: second, averaged: first };
  });
  return {
    chosen: spread(seconds.map((pair) => pair.chosen)),
    averaged: spread(seconds.map((pair) => pair.averaged)),
    ratio: spread(seconds.map((pair) => pair.chosen / pair.averaged)),
  };
}

/** The words that train on a set and write a model. */
export function trainCommand(command, set, model) {
  const label = set.label === null ? [] : ['--label', set.label];
  return [...command, 'train', set.train, ...headerFlags(set), ...label, '--model', model, '--json'];
}

function headerFlags({ header, format }) {
  return header || !['csv', 'tsv'].includes(format) ? [] : ['--no-header'];
}
