import { sparseBatch } from '../batch.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import { FeatureList, type FeatureReaders, type RawRow, rawFeatures } from './raw-features.ts';
import type { Scorer } from './scorer.ts';

/** Returns the scores of a raw row, one per function. The array is reused. */
export type RowScorer = (row: RawRow) => Float64Array;

/** Returns a {@link RowScorer} that scores each row as a batch of one. Unknown features are ignored. */
export function rowScorerBy(features: FeatureEncoding, readers: FeatureReaders, scorer: Scorer): RowScorer {
  const read = rawFeatures(features, readers);
  const scores = new Float64Array(scorer.outputs);
  return (row) => {
    const all = new FeatureList();
    read(row, all);
    const known = Array.from({ length: all.count }, (_, k) => k).filter((k) => all.indices[k] !== -1);
    const indices = known.map((k) => all.indices[k]!);
    const values = known.map((k) => all.values[k]!);
    scorer.scoreInto(sparseBatch([{ indices, values }], [1]), scores);
    return scores;
  };
}
