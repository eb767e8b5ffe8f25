import type { DualFunction } from '../model/dual/function.ts';
import type { Learner, LearnerState } from './learner.ts';

/** A learner of two classes with a dual function: a list of mistakes instead of one vector of weights. */
export interface DualLearner extends Learner {
  readonly outputs: 1;
  /** Returns a copy of the only function of {@link Learner.functions}. */
  dual(): DualFunction;
  state(): DualState;
}

/** See {@link Learner.state}. */
export interface DualState extends LearnerState {
  readonly dual: DualFunction;
  /** The kernels' scalars, at the positions of kernels/layout.ts. */
  readonly scalars: Float64Array;
}
