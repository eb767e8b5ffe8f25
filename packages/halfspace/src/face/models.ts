/**
 * Models in parts: their functions, weights and names of features; scores of batches; files with a digest. For programs
 * that show, check or store models; may change with a minor version.
 * @module
 */

export { labelValue } from '../data/label.ts';
export { findClass, sortedClasses } from '../features/class-names.ts';
export { dimensionOf } from '../features/dimension.ts';
export { featureNamer, featureNames } from '../features/names.ts';
export { parseEncoding } from '../features/parse-encoding.ts';
export { columnWidth, numberLevels } from '../features/table-encoding.ts';
export { notClass } from '../features/table-label.ts';
export { digestOf } from '../model/digest.ts';
export { mostMistaken } from '../model/dual/function.ts';
export { DualScorer } from '../model/dual/scorer.ts';
export { BatchExplainer } from '../model/explain-batch.ts';
export { openFile } from '../model/file-contents.ts';
export { createScorer } from '../model/kinds.ts';
export { lead } from '../model/lead.ts';
export { type DescribedFunction, describeFunctions } from '../model/linear/described.ts';
export { ModelScorer } from '../model/linear/scorer.ts';
export { qualityOf } from '../model/metrics.ts';
export { tieOf } from '../model/model.ts';
export { ScoredRows } from '../model/scored-rows.ts';
export { checkScores, classPosition, labelPosition } from '../model/scorer.ts';
export { sha256 } from '../model/sha256.ts';
export { writtenAs } from '../table/inspected.ts';
