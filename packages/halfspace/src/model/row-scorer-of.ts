import { HalfspaceError, quote } from '../errors.ts';
import { readable } from '../readable.ts';
import type { Model } from './model.ts';
import type { FeatureReaders } from './raw-features.ts';
import type { RowScorer } from './row-scorer.ts';

/** Create the scorers of single raw rows, by the kind of model. They throw HalfspaceError `option-invalid`. */
export type RowScorers = {
  readonly [K in Model['kind']]: (model: Extract<Model, { kind: K }>, readers: FeatureReaders) => RowScorer;
};

/** Creates the scorer of single raw rows of a model. @throws HalfspaceError `option-invalid`. */
export function rowScorerOf(
  scorers: RowScorers,
  readers: FeatureReaders,
  model: Model & { format?: unknown },
): RowScorer {
  // The JSON of a file has the member `format`. Its lists are no typed arrays, and nothing has checked its digest.
  if (!readable('a model', () => Object.hasOwn(scorers, model?.kind) && !model.format, 'option-invalid'))
    throw new HalfspaceError('option-invalid', `expected a model, such as decodeModel(text); got ${quote(model)}`);
  return (scorers[model.kind] as (model: Model, readers: FeatureReaders) => RowScorer)(model, readers);
}
