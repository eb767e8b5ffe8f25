import type { StoredBatch } from '../batch.ts';
import { type Judgement, ScoreTally } from '../model/metrics.ts';
import type { ScoredExamples } from '../model/scored-rows.ts';
import type { Candidate, FoldContext } from './candidate.ts';
import { runFold } from './fold-runs.ts';
import type { FoldedExamples } from './folded-examples.ts';

/** Examples with their scores, fold by fold. */
export interface FoldScores extends ScoredExamples {
  /** Fold of each example, rising. */
  readonly folds: Uint32Array;
}

/** Examples by fold, each scored by a run that has not learned from its fold. */
export interface OutOfFold extends FoldScores {
  /** Score of each fold. */
  readonly judgements: readonly Judgement[];
}

export interface OutOfFoldOptions {
  /** Number of passes of every run. */
  readonly passes: number;
  /** Called after every run; may throw to end it. */
  readonly onRun?: (() => void | Promise<void>) | undefined;
}

/**
 * Returns cross-validated scores, for calibration, and for evaluation without held-out examples (Stone,
 * "Cross-validatory choice and assessment of statistical predictions", 1974). If the other folds have no example of a
 * class, its score is −∞.
 */
export async function scoreOutOfFold(
  candidate: Candidate,
  context: FoldContext,
  dealt: FoldedExamples,
  { passes, onRun }: OutOfFoldOptions,
): Promise<OutOfFold> {
  const outputs = context.classes > 2 ? context.classes : 1;
  const rows = dealt.examples;
  const scores = new Float64Array(rows * outputs).fill(-Infinity);
  const labels = new Float64Array(rows);
  const folds = new Uint32Array(rows);
  const judgements: Judgement[] = [];
  let row = 0;
  for (let fold = 0; fold < dealt.folds; fold++) {
    const first = row;
    let tally: ScoreTally | null = null;
    const onScores = (batch: StoredBatch, some: Float64Array) => {
      const given = some.length / batch.rows;
      for (let i = 0; i < batch.rows; i++)
        for (let k = 0; k < given; k++) scores[(row + i) * outputs + k] = some[i * given + k]!;
      tally ??= new ScoreTally(given, -1, context.classes);
      tally.add(batch, some);
      labels.set(batch.labels.subarray(0, batch.rows), row);
      row += batch.rows;
    };
    await runFold(candidate, context, dealt, fold, { passes: [passes], onScores });
    judgements.push((tally ?? new ScoreTally(outputs, -1, context.classes)).judgement);
    folds.fill(fold, first, row);
    await onRun?.();
  }
  return { outputs, scores, labels, folds, judgements };
}
