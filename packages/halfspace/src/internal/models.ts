/**
 * For the other packages of this repository: parts of models, their scores, explanations and digests.
 * @module
 */

export { decodeCalibration } from '../model/decode-calibration.ts';
export { digestOf } from '../model/digest.ts';
export { type DualFunction, mostMistaken } from '../model/dual/function.ts';
export { DualScorer, voteShare } from '../model/dual/scorer.ts';
export { RowExplainer } from '../model/explain-row.ts';
export { featureReaders } from '../model/feature-readers.ts';
export { openFile } from '../model/file-contents.ts';
export { evaluateWith } from '../model/judge.ts';
export { createScorer } from '../model/kinds.ts';
export { lead } from '../model/lead.ts';
export { type Curve, type Grid, groupsIn, type Steps, splitFunction } from '../model/linear/curves.ts';
export type { LinearFunction } from '../model/linear/model.ts';
export { ModelScorer } from '../model/linear/scorer.ts';
export { weightCount, weightReader } from '../model/linear/sparse-weights.ts';
export { type NamedWeight, nonzero, strongest } from '../model/linear/strongest.ts';
export { qualityOf } from '../model/metrics.ts';
export { functionsOf, isDual, tieOf } from '../model/model.ts';
export { FeatureList, rawFeatures } from '../model/raw-features.ts';
export { type ScoredExamples, ScoredRows } from '../model/scored-rows.ts';
export { checkScores, classPosition, labelPosition } from '../model/scorer.ts';
export { sha256 } from '../model/sha256.ts';
export { tidyLayout } from '../model/tree/tidy-layout.ts';
