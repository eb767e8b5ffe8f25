import { HalfspaceError } from '../../errors.ts';
import type { FeatureEncoding } from '../../features/encoding.ts';
import { decodeModel } from '../../model/decode.ts';
import { encodeModel } from '../../model/encode.ts';
import type { Model } from '../../model/model.ts';

/** A linear model from elsewhere. */
interface ForeignModel {
  /** Name of the file, for messages. */
  readonly source: string | undefined;
  /** Two classes, the positive one last, or more. */
  readonly classes: readonly string[];
  /** One for two classes, else one per class: weights and constant. */
  readonly functions: readonly { readonly weights: readonly number[]; readonly bias: number }[];
  readonly features: FeatureEncoding;
}

/**
 * Makes a model of halfspace. It has no training record: all counts are 0, and the rule is `imported`.
 *
 * @throws HalfspaceError `model-invalid` for what no model file can hold.
 */
export function linearModel({ source, classes, functions, features }: ForeignModel): Model {
  const common = {
    rule: 'imported',
    options: {},
    as: null,
    features,
    calibration: null,
    training: {
      examples: 0,
      features: 0,
      nonzeros: 0,
      passes: 0,
      updates: 0,
      order: 'unknown',
      seed: 0,
      stop: 'unknown',
      separated: null,
      progressiveAccuracy: null,
      trainAccuracy: null,
      holdoutAccuracy: null,
    },
  };
  const linear = functions.map(({ weights, bias }) => ({
    weights: Float64Array.from(weights),
    bias,
    biasConstant: 1,
    divisor: 1,
  }));
  const model =
    classes.length === 2
      ? { kind: 'linear', ...common, ...linear[0]!, classes: [classes[0]!, classes[1]!], tie: -1 }
      : { kind: 'multiclass', ...common, strategy: 'one-vs-rest', classes, functions: linear };
  // Reading it back checks everything, as for a file.
  return decodeModel(encodeModel(model as Model), source);
}

/** Returns the error for a file that is no model. */
export function unreadable(source: string | undefined, expected: string, got: string): HalfspaceError {
  return new HalfspaceError(
    'model-invalid',
    `expected ${expected}; got ${got}`,
    source === undefined ? {} : { source },
  );
}
