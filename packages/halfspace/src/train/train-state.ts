import type { LabelType } from '../data/label.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import type { Strategy } from '../model/multiclass/model.ts';
import type { LearnerState } from '../rules/learner.ts';
import type { RuleName, RuleOptions } from '../rules/registry.ts';
import type { BiasKind, Scaling } from './presets.ts';

/**
 * Everything that a later run needs to continue an earlier one: plain data. `encodeTrainState` writes it to a file. It
 * is the state after the last pass (with early stopping, after the best pass), before a mean is settled.
 */
export interface TrainState {
  readonly rule: RuleName;
  /** All options of the rule. */
  readonly options: RuleOptions;
  /** Strategy of three or more classes; null for two. */
  readonly multiclass: Strategy | null;
  readonly bias: BiasKind;
  /** Value of the constant feature, scaled as x is; 0 for no bias. */
  readonly biasConstant: number;
  readonly tie: -1 | 1;
  readonly scaling: Scaling;
  /** Number by which x is divided before learning: 1 without scaling. */
  readonly divisor: number;
  /** The negative and the positive class, or more classes. */
  readonly classes: readonly string[];
  /** See `Model.labelType`. */
  readonly labelType?: LabelType | undefined;
  readonly features: FeatureEncoding;
  readonly seed: number;
  /** State of the random generator that orders the examples. */
  readonly random: readonly number[];
  /** Number of passes so far, of all runs. */
  readonly passes: number;
  readonly learner: LearnerState;
}
