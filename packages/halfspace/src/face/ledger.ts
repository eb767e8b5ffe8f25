/**
 * The ledger, the record of all updates of a run: writing, reading, replaying, explaining, forgetting.
 * @module
 */

export { explainScore, type RowContribution, type ScoreExplanation } from '../ledger/explain-score.ts';
export {
  type ExplainOptions,
  explainWeight,
  type WeightExplanation,
  type WeightUpdate,
} from '../ledger/explain-weight.ts';
export type { MadeUpdate } from '../ledger/follow.ts';
export { type Forgettable, type ForgottenResult, forget, forgettable } from '../ledger/forget.ts';
export { type Ledger, type LedgerUpdate, stepsOfRow, updateAt } from '../ledger/ledger.ts';
export { checkLedger, type ReadLedgerOptions, readLedger } from '../ledger/reader.ts';
export { type ReplayOptions, type RunAgainOptions, replay } from '../ledger/replay.ts';
export type { Updates } from '../ledger/updates.ts';
export { type LedgerTarget, LedgerWriter } from '../ledger/writer.ts';
export type { LedgerClosing, LedgerOpening, LedgerSink } from '../train/ledger-sink.ts';
