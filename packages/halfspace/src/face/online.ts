/**
 * Parts of online learning for programs that keep classifiers, such as the service: the size of an `OnlineClassifier`,
 * a copy, its state, the row that it learned last, and detectors of drift. May change with a minor version.
 * @module
 */

export {
  bareCopy,
  fromState,
  type LearnedRow,
  lastLearned,
  probabilitiesOf,
  sizeOf,
  stateOf,
} from '../online/classifier.ts';
export { createDetector, restoreDetector } from '../online/drift/detectors.ts';
