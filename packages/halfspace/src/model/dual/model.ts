import type { ModelCommon } from '../common.ts';
import type { DualFunction } from './function.ts';

/** Classifies by functions in dual form, as linear and multiclass models do by weights. */
export interface DualModel extends ModelCommon {
  readonly kind: 'dual';
  /** Names of the negative and the positive class; or of three or more classes. */
  readonly classes: readonly string[];
  /** The class of score 0, for two classes. */
  readonly tie: -1 | 1;
  /** One for two classes, else one per class; all with the same kernel, aggregate, divisor and constant feature. */
  readonly functions: readonly DualFunction[];
}
