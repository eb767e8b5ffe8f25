/**
 * Parts of online learning for programs that keep classifiers, such as the service: the size of an `OnlineClassifier`,
 * a copy, the row that it learned last, and detectors of drift. May change with a minor version.
 * @module
 */

export { bareCopy, type LearnedRow, lastLearned, probabilitiesOf, sizeOf } from '../online/classifier.ts';
export { createDetector, restoreDetector } from '../online/drift/detectors.ts';
