import type { ModelCommon } from '../common.ts';
import type { DualFunction } from './function.ts';

/** Tells two or more classes apart as the other kinds do, by functions in dual form. */
export interface DualModel extends ModelCommon {
  readonly kind: 'dual';
  /** Names of the negative and the positive class; or of three and more classes. */
  readonly classes: readonly string[];
  /** The class of score 0, where there are two. */
  readonly tie: -1 | 1;
  /** One for two classes, one for each of more; all of one kernel, aggregate, divisor and value of the constant feature. */
  readonly functions: readonly DualFunction[];
}
