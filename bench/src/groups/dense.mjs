import { columns } from '../data/dense-rows.mjs';
import { halfspaceTraining } from '../peers/halfspace.mjs';
import { liblinearTraining } from '../peers/liblinear.mjs';
import { scikitLearnTraining } from '../peers/scikit-learn.mjs';
import { vowpalWabbitTraining } from '../peers/vowpal-wabbit.mjs';

/**
 * From a file of dense numeric rows to a model file, as libsvm text and as CSV.
 *
 * @param {Record<string, any>} found the programs
 * @param {{ folder: string }} data relative to the bench folder
 */
export function densePairs(found, { folder }) {
  const files = (format) => ({ train: `${folder}/train.${format}`, heldout: `${folder}/heldout.${format}` });
  const ours = (passes, format) =>
    halfspaceTraining(found.halfspace, {
      rule: 'averaged',
      passes,
      ...files(format),
      extra: format === 'csv' ? ['--label', 'label'] : [],
    });
  const pairs = [{ ours: ours(1, 'svm'), peer: ours(1, 'csv') }];
  if (found.vw?.installed)
    pairs.push({ ours: ours(1, 'svm'), peer: vowpalWabbitTraining(found.vw, { passes: 1, ...files('vw') }) });
  if (found.liblinear?.installed)
    pairs.push({ ours: ours(5, 'svm'), peer: liblinearTraining(found.liblinear, { solver: 2, ...files('svm') }) });
  if (found.sklearn?.installed)
    for (const format of ['svm', 'csv'])
      pairs.push({
        ours: ours(5, format),
        peer: scikitLearnTraining(found.sklearn, {
          rule: 'averaged',
          passes: 5,
          features: columns,
          ...files(format),
        }),
      });
  return pairs;
}
