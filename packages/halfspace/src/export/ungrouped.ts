import { pairFeature } from '../features/cross/pair.ts';
import { columnsByName, columnWidth, crossPairs, dimension, type TableCross } from '../features/table-encoding.ts';
import type { LinearFunction } from '../model/linear/model.ts';
import { weightReader } from '../model/linear/sparse-weights.ts';
import type { Model } from '../model/model.ts';
import { placed } from './columns.ts';

/**
 * Returns a model with the same scores whose crosses have no groups: the features of a group get its weight. Programs
 * look up pairs of features only.
 */
export function ungrouped(model: Model): Model {
  const { features } = model;
  if (features.kind !== 'table' || features.crosses?.every(({ groups }) => groups === undefined) !== false)
    return model;
  if (model.kind !== 'linear' && model.kind !== 'multiclass') return model;
  const all = columnsByName(features.columns);
  const crosses = features.crosses.map(({ columns, bits, groups }): TableCross => {
    if (groups === undefined) return { columns, bits };
    return { columns, bits: Math.ceil(Math.log2(crossPairs({ columns }, all))) };
  });
  const encoding = { ...features, crosses };
  const before = placed(features).crosses;
  const spread = <F extends LinearFunction>(given: F): F => {
    const weightOf = weightReader(given);
    const weights = new Float64Array(dimension(encoding));
    const own = features.columns.reduce((sum, column) => sum + columnWidth(column), 0);
    for (let j = 0; j < own; j++) weights[j] = weightOf(j);
    for (const [k, { cross, columns, first }] of placed(encoding).crosses.entries()) {
      const [a, b] = columns;
      const from = before[k]!.first;
      if (features.crosses![k]!.groups === undefined) {
        for (let j = 0; j < Math.min(2 ** cross.bits, a.width * b.width); j++) weights[first + j] = weightOf(from + j);
        continue;
      }
      const featureOf = pairFeature(a, b, features.crosses![k]!, from);
      for (let i = 0; i < a.width; i++)
        for (let j = 0; j < b.width; j++)
          weights[first + i * b.width + j] = weightOf(featureOf(a.first + i, b.first + j));
    }
    const { sparse: _, ...rest } = given;
    return { ...(rest as F), weights };
  };
  if (model.kind === 'linear') return { ...spread(model), features: encoding };
  return { ...model, features: encoding, functions: model.functions.map(spread) };
}
