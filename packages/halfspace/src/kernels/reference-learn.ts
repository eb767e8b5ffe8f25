import type { StoredBatch } from '../batch.ts';
import { BatchView } from './batch-view.ts';
import type { LearnerMemory, MistakeDrivenMemory } from './kernels.ts';
import * as layout from './layout.ts';
import { LoadedRow } from './plain-row.ts';
import { learnMultinomial } from './reference-multinomial.ts';
import { learnRow, rowSteps } from './row-steps.ts';

/** `Kernels.learn` in plain TypeScript. */
export function learnReference(batch: StoredBatch, from: number, to: number, memory: LearnerMemory): number {
  if (memory.kind === 'multinomial') return learnMultinomial(batch, from, to, memory);
  const view = new BatchView(batch);
  const row = new LoadedRow();
  const steps = rowSteps(memory);
  const { state } = steps;
  const order = (memory.kind === 'mistake-driven' && memory.order) || null;
  const log = (memory.kind === 'mistake-driven' && memory.log?.array) || null;
  let place = from;
  if (log !== null) log[0] = 0;
  while (place < to) {
    const i = order === null ? place : order[place]!;
    // The log is input here: entry k still holds the clock of example k, because at most k entries were written.
    if (log !== null && (memory as MistakeDrivenMemory).timed === true)
      state[layout.clock] = log[1 + layout.entrySize * (place - from) + layout.entryStep]!;
    row.load(view.open(i));
    const h = batch.importance === null ? 1 : batch.importance[i]!;
    const updated = learnRow(steps, row, steps.score(row), batch.labels[i]!, h);
    if (updated && log !== null) log.set([place, steps.scored, steps.step], 1 + layout.entrySize * log[0]!++);
    place++;
    const [reached, limit] = updated
      ? [layout.updates, layout.updateLimit]
      : [layout.cleanStreak, layout.cleanStreakLimit];
    if (state[reached]! >= state[limit]!) break;
  }
  state[layout.examples]! += place - from;
  return place - from;
}
