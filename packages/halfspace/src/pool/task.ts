import type { FoldContext } from '../evaluate/candidate.ts';
import type { FoldParts } from '../evaluate/fold-parts.ts';
import { type JudgedFold, type JudgeTask, judgeFold } from '../evaluate/judge-fold.ts';
import type { Goal } from '../train/goal.ts';
import type { BentScores, BentTask } from './bent-fold.ts';
import { type ClassesTask, type LearnedClasses, runClassesTask } from './classes-task.ts';
import { type FoldTask, runFoldTask, type Scored } from './fold-task.ts';
import { runSampleTask, type SampledWeights, type SampleTask } from './sample-task.ts';

/** Work on the examples of folds: plain data, for any thread. */
export type Task = FoldTask | BentTask | JudgeTask | SampleTask | ClassesTask;

export type ResultOf<T extends Task> = T extends BentTask
  ? BentScores
  : T extends JudgeTask
    ? JudgedFold
    : T extends SampleTask
      ? readonly SampledWeights[]
      : T extends ClassesTask
        ? LearnedClasses
        : readonly Scored[];

/** Runs a task. Only reads the examples. */
export async function runTask<T extends Task>(
  task: T,
  context: FoldContext,
  parts: FoldParts,
  goal: Goal | null,
): Promise<ResultOf<T>> {
  const run = async () => {
    if ('candidate' in task) return runFoldTask(task, context, parts, goal);
    if ('judged' in task) return judgeFold(task, context, parts);
    if ('first' in task) return runClassesTask(task, context, parts);
    if ('sample' in task) return runSampleTask(task, context, parts);
    // Loaded on demand: most runs bend no numbers.
    const { runBentTask } = await import('./bent-fold.ts');
    return runBentTask(task, context, parts, goal);
  };
  return (await run()) as ResultOf<T>;
}
