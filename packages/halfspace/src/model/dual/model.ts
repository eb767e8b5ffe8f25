import type { ModelCommon } from '../common.ts';
import type { DualFunction } from './function.ts';

/** Tells two or more classes apart by functions in dual form, as linear and multiclass models do by weights. */
export interface DualModel extends ModelCommon {
  readonly kind: 'dual';
  /** Names of the negative and the positive class; or of three and more classes. */
  readonly classes: readonly string[];
  /** The class of score 0, for two classes. */
  readonly tie: -1 | 1;
  /** One for two classes, one for each of more; all of one kernel, aggregate, divisor and value of the constant feature. */
  readonly functions: readonly DualFunction[];
}
