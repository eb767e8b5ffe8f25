import type { FeatureEncoding } from '../../features/encoding.ts';
import { fourLanes } from '../../kernels/lanes.ts';
import { FeatureList, rawFeatures } from '../raw-features.ts';
import type { RowScorer } from '../row-scorer.ts';
import type { LinearFunction } from './model.ts';
import { weightReader } from './sparse-weights.ts';

/** Returns a {@link RowScorer} of linear functions that sums in the order of the row's features. */
export function createLinearRowScorer(features: FeatureEncoding, functions: readonly LinearFunction[]): RowScorer {
  const read = rawFeatures(features);
  // Reading a row takes longer than scoring it, so it is read once for all functions.
  const row = new FeatureList();
  const sums = functions.map((linear) => {
    const { divisor, bias, biasConstant } = linear;
    const weight = weightReader(linear);
    const offset = bias * biasConstant;
    return ({ count, indices, values }: FeatureList) =>
      fourLanes(count, (k) => weight(indices[k]!) * (values[k]! / divisor)) + offset;
  });
  const scores = new Float64Array(functions.length);
  return (raw) => {
    row.count = 0;
    read(raw, row);
    for (let k = 0; k < sums.length; k++) scores[k] = sums[k]!(row);
    return scores;
  };
}
