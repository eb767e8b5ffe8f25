import type { FeatureEncoding, LinearFunction, Model, OnlineClassifier } from 'halfspace';
import { dimensionOf } from 'halfspace/models';
import type { TextColumns } from 'halfspace/node';
import type { StreamSettings } from '../data/stream-state.ts';
import { droppedColumns } from './learn-options.ts';

type IndexedEncoding = Extract<FeatureEncoding, { kind: 'indexed' }>;

/**
 * Returns the model of a classifier for the rows of a stream: with the names or indices of text, or the layout of
 * tables.
 *
 * @param features returns the encoding of the first features of text; null for tables.
 */
export function modelOfStream(
  classifier: OnlineClassifier,
  settings: StreamSettings,
  layout: TextColumns | null,
  features: (count: number) => FeatureEncoding | null,
): Model {
  const model = classifier.model();
  if (model.features.kind === 'table') {
    const left = droppedColumns(settings);
    const dropped = (layout?.columns ?? []).filter((name) => left.has(name));
    const leftOut = dropped.map((name) => ({ name, reason: 'dropped' as const }));
    const format = layout === null ? 'ndjson' : 'csv';
    return { ...model, features: { ...model.features, format, header: layout?.header ?? null, leftOut } };
  }
  const { firstIndex, dimension } = model.features as IndexedEncoding;
  const encoding = features(dimension);
  if (encoding === null) return model;
  return withFeatures(model, encoding.kind === 'indexed' ? { ...encoding, firstIndex } : encoding);
}

/** Returns a model with another encoding of the same features; weights beyond the known ones are 0. */
function withFeatures(model: Model, features: FeatureEncoding): Model {
  const dimension = dimensionOf(features);
  const wide = <Each extends LinearFunction>(each: Each): Each => {
    const weights = new Float64Array(dimension);
    weights.set(each.weights);
    return { ...each, weights };
  };
  const training = { ...model.training, features: countOf(features) };
  if (model.kind === 'linear') return { ...wide(model), features, training };
  if (model.kind === 'multiclass') return { ...model, features, training, functions: model.functions.map(wide) };
  throw new TypeError(`expected a model of weights; got one of kind ${model.kind}`);
}

function countOf(features: FeatureEncoding): number {
  return features.kind === 'indexed' ? Math.max(0, features.dimension - features.firstIndex) : dimensionOf(features);
}
