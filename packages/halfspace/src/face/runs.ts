/**
 * Runs in parts: sources of encoded examples, splits of rows, one run on given kernels. For programs that drive
 * training themselves, such as trainers in shards; may change with a minor version.
 * @module
 */

export { arraySource } from '../data/in-memory.ts';
export { openSource } from '../data/open-source.ts';
export { HoldoutSplit } from '../data/split.ts';
export { wrappedSource } from '../data/wrapped-source.ts';
export { exponential } from '../kernels/exponential.ts';
export { Random } from '../random.ts';
export { decodeValue, encodeValue } from '../rules/learner-file.ts';
export { withKernels } from '../select/with-kernels.ts';
export { trainOnce } from '../train/train-once.ts';
