import type { ModelCommon } from '../common.ts';
import type { SparseWeights } from './sparse-weights.ts';

/** score(x) = Σⱼ weightsⱼ·(xⱼ / divisor) + bias·biasConstant. */
export interface LinearFunction {
  /** One per feature; finite. If `sparse` is present, the first read creates this array of 8 bytes per feature. */
  readonly weights: Float64Array;
  /** The nonzero weights, if a model file has few of them among very many features; absent otherwise. */
  readonly sparse?: SparseWeights | undefined;
  /** Weight of the constant feature. */
  readonly bias: number;
  /** Value of the constant feature: 1; 1/divisor if it was scaled with x; 0 for no bias. */
  readonly biasConstant: number;
  /** Number above 0 by which every x was divided. */
  readonly divisor: number;
}

/** Tells two classes apart: the positive one if the score is above 0, the negative one if below, `tie` if it is 0. */
export interface LinearModel extends ModelCommon, LinearFunction {
  readonly kind: 'linear';
  /** Names of the negative and the positive class. */
  readonly classes: readonly [negative: string, positive: string];
  readonly tie: -1 | 1;
}
