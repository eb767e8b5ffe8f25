import { columns } from '../data/dense-rows.mjs';
import { spread } from '../run/statistics.mjs';

/** Maximum number of documents. With these, the examples are already much larger than the caches of one core. */
export const mostLoopDocuments = 200_000;

const passes = 5;
const repeats = 3;

/**
 * The learning loop alone, in fresh processes that take turns; what is compared is the median time per number and pass.
 *
 * @param {Record<string, any>} found the programs
 * @param {{ folder: string }} data relative to the bench folder
 */
export function loopPairs(found, { folder }) {
  return pairsOf(found, [folder, String(passes), String(repeats)]);
}

/** The same over dense rows of float32, which scikit-learn reads directly, and halfspace if it keeps such values. */
export function denseLoopPairs(found, { folder }) {
  return pairsOf(found, [folder, String(passes), String(repeats), String(columns)]);
}

function pairsOf(found, args) {
  const ours = (rule) => loopContender('halfspace', rule, [...halfspaceLoop, rule, ...args]);
  const pairs = [{ ours: ours('averaged'), peer: ours('perceptron') }];
  if (found.sklearn?.installed)
    for (const rule of ['perceptron', 'averaged']) {
      const command = [found.sklearn.python, 'src/loop/scikit_learn_loop.py', rule, ...args];
      pairs.push({ ours: ours(rule), peer: loopContender('scikit-learn', rule, command) });
    }
  return pairs;
}

export const halfspaceLoop = ['node', 'src/loop/halfspace-loop.mjs'];

/** @returns {import('../run/pairs.mjs').Contender} */
export function loopContender(title, rule, command) {
  return {
    name: `${title} ${rule}`,
    task: `${rule}, ${passes} passes over data in memory`,
    command,
    leaves: [],
    details: JSON.parse,
    figure: ({ nanoseconds }) => spread(nanoseconds).median,
    accuracy: ({ accuracy }) => accuracy,
  };
}
