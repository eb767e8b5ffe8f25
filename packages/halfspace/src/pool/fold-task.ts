import { HalfspaceError } from '../errors.ts';
import type { Candidate, FoldContext, Folds } from '../evaluate/candidate.ts';
import { type FoldJudgement, runFold } from '../evaluate/fold-runs.ts';
import type { Score } from '../model/metrics.ts';
import { ClassWeighing } from '../train/class-weights.ts';
import type { Goal } from '../train/goal.ts';

/** A run of a candidate on a fold: plain data, for any thread. */
export interface FoldTask {
  readonly candidate: Candidate;
  /** Factors of the classes, null for none. Default: those of the context. */
  readonly factors?: readonly number[] | null | undefined;
  readonly fold: number;
  /** Numbers of passes after which to evaluate, rising. */
  readonly passes: readonly number[];
  /** True ends the run at an evaluation that finds no fewer errors than the one before. */
  readonly endsEarly: boolean;
  /**
   * True for a trial of a search. If its weights or scores overflow, all its predictions count as errors. If errors and
   * losses are equal at four numbers of passes in a row, they hold for more passes. Default false.
   */
  readonly isTrial?: boolean | undefined;
}

/** Number of equal scores in a row after which a trial ends. */
const steady = 4;

/** A score, and the loss of the goal, −accuracy without one; NaN if the fold does not define it. */
export interface Scored extends Score {
  readonly loss: number;
}

/** Returns the scores of a task, one for each number of passes; fewer if it ended early. */
export async function runFoldTask(
  { candidate, factors, fold, passes, endsEarly, isTrial = false }: FoldTask,
  given: FoldContext,
  folds: Folds,
  goal: Goal | null,
): Promise<readonly Scored[]> {
  const context = factors === undefined ? given : { ...given, weighing: new ClassWeighing(factors) };
  const isShort = isTrial && candidate.atPenalties !== true && !endsEarly;
  const isEnough = endsEarly ? hasTurned : isShort ? isSteady : undefined;
  try {
    const judgements = await runFold(candidate, context, folds, fold, { passes, goal, isEnough });
    const scores = judgements.map(({ heldOut, loss }) => ({
      ...heldOut,
      loss: goal === null ? 0 - heldOut.accuracy : loss,
    }));
    return isShort ? passes.map((_, p) => scores[p] ?? scores.at(-1)!) : scores;
  } catch (error) {
    if (!isTrial || !(error instanceof HalfspaceError && error.code === 'weights-overflow')) throw error;
    let examples = 0;
    for (const { rows } of folds.judgedOn(fold)) examples += rows;
    return passes.map(() => ({ examples, errors: examples, accuracy: 0, loss: goal === null ? 0 : Infinity }));
  }
}

function hasTurned(judgements: readonly FoldJudgement[]): boolean {
  const [before, last] = judgements.slice(-2);
  return last !== undefined && last.heldOut.errors >= before!.heldOut.errors;
}

function isSteady(judgements: readonly FoldJudgement[]): boolean {
  const last = judgements.slice(-steady);
  const isEqual = ({ heldOut, loss }: FoldJudgement) =>
    heldOut.errors === last[0]!.heldOut.errors && Object.is(loss, last[0]!.loss);
  return last.length === steady && last.every(isEqual);
}
