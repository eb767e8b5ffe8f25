import type { ExampleSource } from '../../src/data/source.ts';
import { decodeModel as decodeAny } from '../../src/model/decode.ts';
import type { LinearModel } from '../../src/model/linear/model.ts';
import type { Model } from '../../src/model/model.ts';
import type { RunOptions } from '../../src/train/options.ts';
import type { TrainingReport } from '../../src/train/report.ts';
import { trainOnce } from '../../src/train/train-once.ts';

/** A model of two classes, for tests that are about these. */
export function linear(model: Model): LinearModel {
  if (model.kind !== 'linear') throw new TypeError(`expected a model of two classes; got ${model.kind}`);
  return model;
}

export async function train(
  source: ExampleSource,
  options: RunOptions = {},
): Promise<{ model: LinearModel; report: TrainingReport }> {
  const { model, report } = await trainOnce(source, options);
  return { model: linear(model), report };
}

export function decodeModel(text: string, source?: string): LinearModel {
  return linear(decodeAny(text, source));
}
