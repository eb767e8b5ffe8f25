import type { FeatureEncoding } from '../../features/encoding.ts';
import { FeatureList, type FeatureReaders, rawFeatures } from '../raw-features.ts';
import type { RowScorer } from '../row-scorer.ts';
import type { LinearFunction } from './model.ts';
import { weightReader } from './sparse-weights.ts';

/** Returns a {@link RowScorer} of linear functions that sums in the order of the row's features. */
export function createLinearRowScorer(
  features: FeatureEncoding,
  readers: FeatureReaders,
  functions: readonly LinearFunction[],
): RowScorer {
  const read = rawFeatures(features, readers);
  // Reading a row takes longer than scoring it, so it is read once for all functions.
  const row = new FeatureList();
  const sums = functions.map((linear) => {
    const { divisor, bias, biasConstant } = linear;
    const weight = weightReader(linear);
    const offset = bias * biasConstant;
    // fourLanes, without a call per term.
    return ({ count, indices, values }: FeatureList) => {
      let s0 = 0;
      let s1 = 0;
      let s2 = 0;
      let s3 = 0;
      for (let k = 0; k < count; k++) {
        const term = weight(indices[k]!) * (values[k]! / divisor);
        if ((k & 3) === 0) s0 += term;
        else if ((k & 3) === 1) s1 += term;
        else if ((k & 3) === 2) s2 += term;
        else s3 += term;
      }
      return s0 + s1 + (s2 + s3) + offset;
    };
  });
  const scores = new Float64Array(functions.length);
  return (raw) => {
    row.count = 0;
    read(raw, row);
    for (let k = 0; k < sums.length; k++) scores[k] = sums[k]!(row);
    return scores;
  };
}
