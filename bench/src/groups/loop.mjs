import { spread } from '../run/statistics.mjs';

/** More would only take longer: by then the examples are far beyond the caches of one core. */
export const mostLoopDocuments = 200_000;

const passes = 5;
const repeats = 3;

/**
 * The learning loop alone, in fresh processes that take turns; what is compared is the median time per nonzero and pass.
 *
 * @param {Record<string, any>} found the contestants
 * @param {{ folder: string }} data relative to the bench folder
 */
export function loopPairs(found, { folder }) {
  const contender = (title, rule, words) => ({
    name: `${title} ${rule}`,
    task: `${rule}, ${passes} passes over data in memory`,
    command: [...words, rule, folder, String(passes), String(repeats)],
    leaves: [],
    details: JSON.parse,
    figure: ({ nanoseconds }) => spread(nanoseconds).median,
    accuracy: ({ accuracy }) => accuracy,
  });
  const ours = (rule) => contender('halfspace', rule, ['node', 'src/loop/halfspace-loop.mjs']);
  const pairs = [{ ours: ours('averaged'), peer: ours('perceptron') }];
  if (found.sklearn?.installed)
    for (const rule of ['perceptron', 'averaged'])
      pairs.push({
        ours: ours(rule),
        peer: contender('scikit-learn', rule, [found.sklearn.python, 'src/loop/scikit_learn_loop.py']),
      });
  return pairs;
}
