import type { ModelCommon } from '../common.ts';
import type { SparseWeights } from './sparse-weights.ts';

/** score(x) = Σⱼ weightsⱼ·(xⱼ / divisor) + bias·biasConstant. */
export interface LinearFunction {
  /** One per feature; finite. If `sparse` is present, this array is made when it is first read and takes 8 bytes per feature. */
  readonly weights: Float64Array;
  /** The nonzero weights, if a model file has few nonzero ones of very many; absent otherwise. */
  readonly sparse?: SparseWeights | undefined;
  /** Weight of the constant feature. */
  readonly bias: number;
  /** Value of the constant feature: 1, 1/divisor when it was scaled with x, 0 for no bias. */
  readonly biasConstant: number;
  /** Number above 0 by which every x was divided. */
  readonly divisor: number;
}

/** Tells two classes apart: the positive one where the score is above 0, the negative one below, and that of `tie` at 0. */
export interface LinearModel extends ModelCommon, LinearFunction {
  readonly kind: 'linear';
  /** Names of the negative and the positive class. */
  readonly classes: readonly [negative: string, positive: string];
  readonly tie: -1 | 1;
}
