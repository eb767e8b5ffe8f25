import * as dual from './dual/encode.ts';
import * as linear from './linear/kind.ts';
import type { Model } from './model.ts';
import * as multiclass from './multiclass/kind.ts';
import * as tree from './tree/encode.ts';

type OfKind<K> = Extract<Model, { kind: K }>;

/**
 * Return the members of a model file that only this kind has, in the order of the file. Apart from `kinds.ts`, so that
 * a page that writes models does not load the code that grows and asks trees.
 */
export const encoders: { readonly [K in Model['kind']]: (model: OfKind<K>) => object } = {
  linear: linear.encode,
  multiclass: multiclass.encode,
  dual: dual.encode,
  tree: tree.encode,
};
