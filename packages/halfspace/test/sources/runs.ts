import type { Source } from '../../src/data/source.ts';
import type { Kernels } from '../../src/kernels/kernels.ts';
import { createKernels } from '../../src/kernels/load.ts';
import { evaluate } from '../../src/model/judge.ts';
import type { Model } from '../../src/model/model.ts';
import { trainOnce } from '../../src/train/train-once.ts';

/** Opens a source and learns a model from it. */
export async function modelOf(source: Source, kernels: Kernels = createKernels()): Promise<Model> {
  const { model } = await trainOnce(await source.open({ kernels }), { rule: 'averaged', passes: 4, kernels });
  return model;
}

/** Opens a source for a model, and returns the model's accuracy on it. */
export async function accuracyOf(model: Model, source: Source): Promise<number | null> {
  return (await evaluate(model, source)).accuracy;
}
