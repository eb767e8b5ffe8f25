import type { Judgement } from '../model/metrics.ts';
import type { ScoredExamples } from '../model/scored-rows.ts';
import type { Candidate, FoldContext } from './candidate.ts';
import type { FoldedExamples } from './folded-examples.ts';
import { type JudgeRunner, runnerHere } from './judge-fold.ts';

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

interface OutOfFoldOptions {
  /** Number of passes of every run. */
  readonly passes: number;
  /** Default: this thread. */
  readonly runner?: JudgeRunner | undefined;
  /** Largest number of tasks that the runner gets later. */
  readonly later?: number | undefined;
  /** Called after every run; may throw to end it. */
  readonly onRun?: (() => void) | undefined;
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
  { passes, runner = runnerHere(context), later = 0, onRun }: OutOfFoldOptions,
): Promise<OutOfFold> {
  const outputs = context.classes > 2 ? context.classes : 1;
  const scores = new Float64Array(dealt.examples * outputs);
  const labels = new Float64Array(dealt.examples);
  const folds = new Uint32Array(dealt.examples);
  const judgements: Judgement[] = [];
  let row = 0;
  const tasks = Array.from({ length: dealt.folds }, (_, fold) => ({ judged: candidate, fold, passes: [passes] }));
  await runner.run(dealt, tasks, later, ({ held }, fold) => {
    scores.set(held!.scores, row * outputs);
    labels.set(held!.labels, row);
    judgements.push(held!.judgement);
    const first = row;
    row += held!.labels.length;
    folds.fill(fold, first, row);
    onRun?.();
  });
  return { outputs, scores, labels, folds, judgements };
}
