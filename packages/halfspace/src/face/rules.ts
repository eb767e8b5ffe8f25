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
export type { Block } from '../kernels/block.ts';
export type { Kernels } from '../kernels/kernels.ts';
export { createKernels } from '../kernels/load.ts';
export { Arow, type ArowOptions } from '../rules/arow.ts';
export { AveragedPerceptron } from '../rules/averaged-perceptron.ts';
export type { DualLearner, DualState } from '../rules/dual-learner.ts';
export { type KernelOptions, KernelPerceptron, type KernelState } from '../rules/kernel-perceptron.ts';
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
export { MarginPerceptron, type MarginPerceptronOptions } from '../rules/margin-perceptron.ts';
export type { MistakeDrivenOptions, UpdateWhen } from '../rules/mistake-driven.ts';
export { MulticlassPerceptron, type MulticlassPerceptronOptions } from '../rules/multiclass-perceptron.ts';
export { lossOf, type ObjectiveOptions, objective } from '../rules/objective.ts';
export { OneVersusRest } from '../rules/one-versus-rest.ts';
export {
  PassiveAggressive,
  type PassiveAggressiveOptions,
  type PassiveAggressiveVariant,
} from '../rules/passive-aggressive.ts';
export { Perceptron } from '../rules/perceptron.ts';
export { PocketPerceptron, type PocketPerceptronOptions } from '../rules/pocket-perceptron.ts';
export {
  type AnyRuleOptions,
  answersBy,
  type CompleteOptions,
  completeRuleOptions,
  createLearner,
  createMulticlassLearner,
  hasPasses,
  type LearnerOptions,
  rules,
} from '../rules/registry.ts';
export type { RuleDefinition } from '../rules/rule-definition.ts';
export { Sgd } from '../rules/sgd.ts';
export type { SgdOptions } from '../rules/sgd-options.ts';
export { VotedPerceptron, type VotedPerceptronState } from '../rules/voted-perceptron.ts';
export { defaultVariant, presets } from '../train/presets.ts';
