import { halfspaceTraining } from '../peers/halfspace.mjs';
import { javaScriptTraining } from '../peers/javascript.mjs';

/** Few documents: the npm perceptrons keep every example as an object, and are made for data of this size. */
export const smallDocuments = 2000;

/**
 * @param {Record<string, any>} found the programs
 * @param {{ folder: string }} data relative to the bench folder
 */
export function smallPairs(found, { folder }) {
  const files = { train: `${folder}/train.svm`, heldout: `${folder}/heldout.svm` };
  const ours = (rule) => halfspaceTraining(found.halfspace, { rule, passes: 5, ...files });
  const pairs = [];
  if (found.wink?.installed)
    pairs.push({ ours: ours('averaged'), peer: javaScriptTraining(found.wink, { passes: 5, ...files }) });
  if (found.limdu?.installed)
    pairs.push({ ours: ours('perceptron'), peer: javaScriptTraining(found.limdu, { passes: 5, ...files }) });
  return pairs;
}
