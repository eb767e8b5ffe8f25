import type { Kernels } from '../kernels/kernels.ts';
import { scorerOf } from './function-scorer.ts';
import { functionsOf, type Model } from './model.ts';
import type { Scorer } from './scorer.ts';

/** Creates a scorer of batches as `createScorer` does, but loads the code of trees only for a tree. */
export async function loadScorer(kernels: Kernels, model: Model): Promise<Scorer> {
  if (model.kind !== 'tree') return scorerOf(kernels, functionsOf(model));
  const { TreeScorer } = await import('./tree/scorer.ts');
  return new TreeScorer(model);
}
