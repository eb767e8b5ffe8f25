import { halfspaceTraining } from '../peers/halfspace.mjs';
import { liblinearTraining } from '../peers/liblinear.mjs';
import { scikitLearnTraining } from '../peers/scikit-learn.mjs';
import { vowpalWabbitTraining } from '../peers/vowpal-wabbit.mjs';

/**
 * From a text file of sparse documents to a model file. Each pair does the same number of passes; LIBLINEAR, which goes
 * on until its tolerance is met, is set beside five.
 *
 * @param {Record<string, any>} found the programs
 * @param {{ folder: string, features: number }} data `folder` is relative to the bench folder
 */
export function textPairs(found, { folder, features }) {
  const svm = { train: `${folder}/train.svm`, heldout: `${folder}/heldout.svm` };
  const vw = { train: `${folder}/train.vw`, heldout: `${folder}/heldout.vw` };
  const ours = (rule, passes, files = svm) => halfspaceTraining(found.halfspace, { rule, passes, ...files });
  const pairs = [{ ours: ours('averaged', 1), peer: ours('perceptron', 1) }];
  if (found.vw?.installed) {
    const peer = (passes) => vowpalWabbitTraining(found.vw, { passes, ...vw });
    pairs.push(
      { ours: ours('averaged', 1), peer: peer(1) },
      { ours: ours('averaged', 1, vw), peer: peer(1) },
      { ours: ours('averaged', 5), peer: peer(5) },
    );
  }
  if (found.liblinear?.installed)
    pairs.push({ ours: ours('averaged', 5), peer: liblinearTraining(found.liblinear, { solver: 1, ...svm }) });
  if (found.sklearn?.installed) {
    const peer = (rule) => scikitLearnTraining(found.sklearn, { rule, passes: 5, features, ...svm });
    pairs.push(
      { ours: ours('perceptron', 5), peer: peer('perceptron') },
      { ours: ours('averaged', 5), peer: peer('averaged') },
    );
  }
  return pairs;
}
