import { dimensionOf } from '../features/dimension.ts';
import { check, type Members, unfit } from '../json.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { decodeDoubles } from '../numbers.ts';
import type { DecodedCommon } from './common.ts';
import * as dual from './dual/kind.ts';
import * as linear from './linear/kind.ts';
import type { LinearModel } from './linear/model.ts';
import type { Model } from './model.ts';
import * as multiclass from './multiclass/kind.ts';
import type { MulticlassModel } from './multiclass/model.ts';
import type { Scorer } from './scorer.ts';
import * as tree from './tree/kind.ts';

/*
 * The functions that differ between kinds of models; each kind implements them in its folder. Each function has its own
 * table, so that bundlers drop the functions that a page does not call.
 */

type OfKind<K> = Extract<Model, { kind: K }>;

/** Read the members that only this kind has, from an untrusted file. They throw HalfspaceError `model-invalid`. */
export const decoders: { readonly [K in Model['kind']]: (from: Members, common: DecodedCommon) => OfKind<K> } = {
  linear: (from, common) => withMeans(linear.decode(from, common), from),
  multiclass: (from, common) => withMeans(multiclass.decode(from, common), from),
  dual: dual.decode,
  tree: tree.decode,
};

/** Create scorers of batches in kernel memory. */
const scorers: { readonly [K in Model['kind']]: (kernels: Kernels, model: OfKind<K>) => Scorer } = {
  linear: linear.createScorer,
  multiclass: multiclass.createScorer,
  dual: dual.createScorer,
  tree: tree.createScorer,
};

/** Creates a scorer of batches of encoded examples. */
export function createScorer(kernels: Kernels, model: Model): Scorer {
  return (scorers[model.kind] as (kernels: Kernels, model: Model) => Scorer)(kernels, model);
}

/** Adds the means of a model file, if it has some, to the model. @throws HalfspaceError `model-invalid`. */
function withMeans<M extends LinearModel | MulticlassModel>(model: M, { means: given }: Members): M {
  if (given === undefined) return model;
  const means = decodeDoubles(given);
  if (means === null) throw unfit('means', 'finite numbers', given);
  const dimension = dimensionOf(model.features);
  check(means.length === dimension, 'means', `${dimension} numbers, one per feature`, means.length);
  return { ...model, means };
}
