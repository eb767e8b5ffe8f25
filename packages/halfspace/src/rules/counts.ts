import type { StoredBatch } from '../batch.ts';
import * as layout from '../kernels/layout.ts';
import type { LearnerLimits, LearnerProgress } from './learner.ts';

/* Counters and limits of all learners: the first scalars of their state, see kernels/layout.ts. */

export function progressOf(scalars: Float64Array): LearnerProgress {
  return {
    examples: scalars[layout.examples]!,
    updates: scalars[layout.updates]!,
    mistakes: scalars[layout.mistakes]!,
    cleanStreak: scalars[layout.cleanStreak]!,
    clock: scalars[layout.clock]!,
  };
}

/** Sets the limits of a learner; absent ones are ∞. */
export function limitBy(scalars: Float64Array, { cleanStreak = Infinity, updates = Infinity }: LearnerLimits): void {
  scalars[layout.cleanStreakLimit] = cleanStreak;
  scalars[layout.updateLimit] = updates;
}

/** Returns true if a limit is reached; kernels check limits only after an example. */
export function isStopped(scalars: Float64Array): boolean {
  return (
    scalars[layout.cleanStreak]! >= scalars[layout.cleanStreakLimit]! ||
    scalars[layout.updates]! >= scalars[layout.updateLimit]!
  );
}

/** Counts an example of importance h. */
export function countExample(scalars: Float64Array, h: number, updated: boolean): void {
  scalars[layout.examples]! += 1;
  scalars[layout.clock]! += h;
  if (updated) scalars[layout.updates]! += 1;
  scalars[layout.cleanStreak] = updated ? 0 : scalars[layout.cleanStreak]! + 1;
}

/** Counts examples [from, from + count) of a batch as examples without an update. */
export function skipExamples(scalars: Float64Array, batch: StoredBatch, from: number, count: number): void {
  scalars[layout.clock] = clockAfter(scalars[layout.clock]!, batch, from, from + count);
  scalars[layout.examples]! += count;
  scalars[layout.cleanStreak]! += count;
}

/** Returns the clock after examples [from, to). Adds their importance one by one, in the order of learning. */
export function clockAfter(clock: number, { importance }: StoredBatch, from: number, to: number): number {
  // Sums of whole numbers are exact in any order.
  if (importance === null && Number.isInteger(clock)) return clock + (to - from);
  let sum = clock;
  for (let i = from; i < to; i++) sum += importance === null ? 1 : importance[i]!;
  return sum;
}
