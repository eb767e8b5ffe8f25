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
  /** True counts all predictions of a run whose weights or scores overflow as errors; false, the default, throws. */
  readonly mayOverflow?: boolean | undefined;
}

/** A score, and the loss of the goal; NaN without one. */
export interface Scored extends Score {
  readonly loss: number;
}

/** Returns the scores of a task, one for each number of passes; fewer if it ended early. */
export async function runFoldTask(
  { candidate, factors, fold, passes, endsEarly, mayOverflow = false }: FoldTask,
  given: FoldContext,
  folds: Folds,
  goal: Goal | null,
): Promise<readonly Scored[]> {
  const context = factors === undefined ? given : { ...given, weighing: new ClassWeighing(factors) };
  const isEnough = endsEarly ? hasTurned : undefined;
  try {
    const judgements = await runFold(candidate, context, folds, fold, { passes, goal, isEnough });
    return judgements.map(({ heldOut, loss }) => ({ ...heldOut, loss }));
  } catch (error) {
    if (!mayOverflow || !(error instanceof HalfspaceError && error.code === 'weights-overflow')) throw error;
    let examples = 0;
    for (const { rows } of folds.judgedOn(fold)) examples += rows;
    return passes.map(() => ({ examples, errors: examples, accuracy: 0, loss: Infinity }));
  }
}

function hasTurned(judgements: readonly FoldJudgement[]): boolean {
  const [before, last] = judgements.slice(-2);
  return last !== undefined && last.heldOut.errors >= before!.heldOut.errors;
}
