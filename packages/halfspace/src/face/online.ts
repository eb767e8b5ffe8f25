/**
 * What a service needs of an `OnlineClassifier` besides its methods: its size, copies, the row it learned last, and the
 * detectors of drift. May change with a minor version.
 * @module
 */

export { bareCopy, type LearnedRow, lastLearned, probabilitiesOf, sizeOf } from '../online/classifier.ts';
export { createDetector, restoreDetector } from '../online/drift/detectors.ts';
