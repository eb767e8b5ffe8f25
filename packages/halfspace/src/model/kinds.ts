import type { Kernels } from '../kernels/kernels.ts';
import { dualKind } from './dual/kind.ts';
import { linearKind } from './linear/kind.ts';
import type { Model } from './model.ts';
import type { ModelKind } from './model-kind.ts';
import { multiclassKind } from './multiclass/kind.ts';
import type { Scorer } from './scorer.ts';
import { treeKind } from './tree/kind.ts';

/** The kinds of models by the names in their files, each in its own folder. */
export const modelKinds: { readonly [K in Model['kind']]: ModelKind<Extract<Model, { kind: K }>> } = {
  linear: linearKind,
  multiclass: multiclassKind,
  dual: dualKind,
  tree: treeKind,
};

export function kindOf(model: Model): ModelKind<Model> {
  return modelKinds[model.kind] as ModelKind<Model>;
}

/** Creates a scorer of batches of encoded examples. */
export function createScorer(kernels: Kernels, model: Model): Scorer {
  return kindOf(model).createScorer(kernels, model);
}
