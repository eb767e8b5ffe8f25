import type { StoredBatch } from '../batch.ts';
import { type Judgement, ScoreTally } from '../model/metrics.ts';
import type { Candidate, FoldContext, Folds } from './candidate.ts';
import type { FoldParts } from './fold-parts.ts';
import { type FoldJudgement, runFold } from './fold-runs.ts';

/** A run to judge on a fold: plain data, for any thread. */
export interface JudgeTask {
  readonly judged: Candidate;
  readonly fold: number;
  /** Numbers of passes after which to evaluate, rising. */
  readonly passes: readonly number[];
  /** Number of examples to learn from, in whole batches, and to judge on too. Absent: all; the run keeps scores. */
  readonly size?: number | undefined;
}

export interface JudgedFold {
  /** One for each number of passes. */
  readonly judgements: readonly FoldJudgement[];
  /** Scores and labels of the held-out examples; null for a task with a size. */
  readonly held: HeldScores | null;
}

/** Held-out examples of a fold with their scores; −∞ for a class that the other folds lack. */
interface HeldScores {
  readonly scores: Float64Array;
  readonly labels: Float64Array;
  readonly judgement: Judgement;
}

/** Runs tasks and gives their results in order; a pool does it on all cores. */
export interface JudgeRunner {
  run(
    folds: FoldParts,
    tasks: readonly JudgeTask[],
    later: number,
    onResult: (result: JudgedFold, task: number) => void,
  ): Promise<void>;
}

/** Returns a runner for the caller's thread. */
export function runnerHere(context: FoldContext): JudgeRunner {
  return {
    async run(folds, tasks, _, onResult) {
      for (const [k, task] of tasks.entries()) onResult(await judgeFold(task, context, folds), k);
    },
  };
}

/** Runs a task. Only reads the examples. */
export async function judgeFold(
  { judged, fold, passes, size }: JudgeTask,
  context: FoldContext,
  folds: Folds,
): Promise<JudgedFold> {
  if (size !== undefined) {
    const some: Folds = {
      learnedFrom: (each) => firstOf(folds.learnedFrom(each), size),
      judgedOn: (each) => folds.judgedOn(each),
    };
    return { judgements: await runFold(judged, context, some, fold, { passes, judgesLearned: true }), held: null };
  }
  let rows = 0;
  for (const batch of folds.judgedOn(fold)) rows += batch.rows;
  const outputs = context.classes > 2 ? context.classes : 1;
  const scores = new Float64Array(rows * outputs).fill(-Infinity);
  const labels = new Float64Array(rows);
  let tally: ScoreTally | null = null;
  let row = 0;
  const onScores = (batch: StoredBatch, some: Float64Array) => {
    const given = some.length / batch.rows;
    for (let i = 0; i < batch.rows; i++)
      for (let k = 0; k < given; k++) scores[(row + i) * outputs + k] = some[i * given + k]!;
    tally ??= new ScoreTally(given, -1, context.classes);
    tally.add(batch, some);
    labels.set(batch.labels.subarray(0, batch.rows), row);
    row += batch.rows;
  };
  const judgements = await runFold(judged, context, folds, fold, { passes, onScores });
  const { judgement } = tally ?? new ScoreTally(outputs, -1, context.classes);
  return { judgements, held: { scores, labels, judgement } };
}

/** Yields batches until they have at least this many examples. */
function* firstOf(batches: Iterable<StoredBatch>, examples: number): Generator<StoredBatch> {
  let taken = 0;
  for (const batch of batches) {
    taken += batch.rows;
    yield batch;
    if (taken >= examples) return;
  }
}
