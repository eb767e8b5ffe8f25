import { OccurringFeatures } from '../data/occurring-features.ts';
import type { ExampleSource } from '../data/source.ts';
import { wrappedSource } from '../data/wrapped-source.ts';
import { dimensionOf } from '../features/dimension.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import type { LinearFunction } from '../model/linear/model.ts';
import type { Model } from '../model/model.ts';
import { validated } from '../train/finish.ts';
import type { RunOptions } from '../train/options.ts';
import type { TrainingResult } from '../train/report.ts';
import { trendedColumn } from '../train/trends.ts';
import type { AllExamples } from './read-all.ts';

/**
 * Trains on the features that occur, if most features of an encoding do not. This saves memory and work; the result has
 * the same bits. Afterwards the stores have other indices.
 *
 * @param train learns functions of weights only; called with a source of another encoding, and options that fit it.
 */
export async function onOccurring<R extends TrainingResult, O extends RunOptions>(
  source: ExampleSource,
  options: O,
  { intake, context }: AllExamples,
  train: (source: ExampleSource, options: O) => Promise<R>,
): Promise<R> {
  const features =
    isPlain(options) && !trendedColumn(source.encoding()) && !intake.store.spilled && !intake.held.spilled
      ? OccurringFeatures.of(intake.store, intake.held)
      : null;
  if (features === null) return train(source, options);
  const { count } = features;
  for (const store of [intake.store, intake.held]) store.renumber((index) => features.numberOf(index), count);
  const { validation, ...rest } = options;
  const result = await train(
    wrappedSource(source, { encoding: () => ({ kind: 'indexed', dimension: count, firstIndex: 0 }) }),
    rest as O,
  );
  const model = spread(result.model, features, source.encoding());
  const report = {
    ...result.report,
    features: model.training.features,
    validation: await validated(context.kernels, model, validation),
  };
  return { ...result, model, report };
}

/** Returns true if no option needs the features during the run, or outside the model. */
function isPlain({ start, marginGap, onStep, onBracket, keepState }: RunOptions): boolean {
  const outside = [marginGap, onStep, onBracket].some((each) => each !== undefined) || keepState === true;
  return (start ?? 'zero') === 'zero' && !outside;
}

/** Converts a model of the features that occur to one of all features of an encoding. */
function spread(model: Model, occurring: OccurringFeatures, features: FeatureEncoding): Model {
  const dimension = dimensionOf(features);
  const training = features.kind === 'indexed' ? model.training : { ...model.training, features: dimension };
  const wide = <F extends LinearFunction>(each: F): F => ({
    ...each,
    weights: occurring.spread(each.weights, dimension),
  });
  if (model.kind === 'linear') return { ...wide(model), features, training };
  if (model.kind === 'multiclass') return { ...model, features, training, functions: model.functions.map(wide) };
  throw new Error(`expected a model of weights; got one of kind ${model.kind}`);
}
