import { dimensionOf } from '../../features/dimension.ts';
import { check, type Members, unfit } from '../../json.ts';
import { decodeDoubles } from '../../numbers.ts';
import type { MulticlassModel } from '../multiclass/model.ts';
import type { LinearModel } from './model.ts';

/** Adds the means of a model file, if it has some, to the model. @throws HalfspaceError `model-invalid`. */
export function withMeans<M extends LinearModel | MulticlassModel>(model: M, { means: given }: Members): M {
  if (given === undefined) return model;
  const means = decodeDoubles(given);
  if (means === null) throw unfit('means', 'finite numbers', given);
  const dimension = dimensionOf(model.features);
  check(means.length === dimension, 'means', `${dimension} numbers, one per feature`, means.length);
  return { ...model, means };
}
