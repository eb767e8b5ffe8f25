/**
 * The update rules one by one: learners for batches, their options, states and files; the presets of lectures.
 * @module
 */
export {
  type Batch,
  type CompactBatch,
  type DenseBatch,
  denseBatch,
  type SparseBatch,
  type SparseRow,
  type StoredBatch,
  sparseBatch,
} from '../batch.ts';
export { BatchView, forEachNonzero } from '../kernels/batch-view.ts';
export type { Block } from '../kernels/block.ts';
export type { Kernels } from '../kernels/kernels.ts';
export { createKernels } from '../kernels/load.ts';
export { loadKernels } from '../kernels/load-late.ts';
export { onlineRule, onlineRules } from '../online/options.ts';
export type { DualLearner, DualState } from '../rules/dual-learner.ts';
export type {
  LearnedFunction,
  Learner,
  LearnerLimits,
  LearnerProgress,
  LearnerState,
  LinearLearner,
  LinearParameters,
} from '../rules/learner.ts';
export { decodeLearner, encodeLearner } from '../rules/learner-file.ts';
export { MulticlassPerceptron, type MulticlassPerceptronOptions } from '../rules/multiclass-perceptron.ts';
export { lossOf, type ObjectiveOptions, objective } from '../rules/objective.ts';
export { OneVersusRest } from '../rules/one-versus-rest.ts';
export {
  type AnyRuleOptions,
  answersBy,
  type CompleteOptions,
  completeRuleOptions,
  createLearner,
  createMulticlassLearner,
  hasHyperplanes,
  hasPasses,
  type LearnerOf,
  type LearnerOptions,
  rules,
} from '../rules/registry.ts';
export type { RuleDefinition } from '../rules/rule-definition.ts';
export { fitsOption, rangeOf } from '../rules/rule-options.ts';
export { defaultVariant, presets } from '../train/presets.ts';
