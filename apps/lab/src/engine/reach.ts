import type { Batch } from 'halfspace/rules';
import { loadKernels } from 'halfspace/rules';
import type { Algorithm } from '../algorithm/algorithm.ts';
import type { Reach, ReachResult } from './companion.ts';
import type { Encoded } from './encode.ts';
import { type RunData, recordRun } from './record-run.ts';
import type { Recording } from './recording.ts';
import { classOf } from './recording.ts';
import { scorerAt } from './scorer.ts';

/** Number of examples up to which a kernel, which keeps its mistakes, is trained. */
const mostForKernel = 3000;

/** Trains each algorithm on all examples, and counts those that the model gets wrong. */
export async function reachOf(data: RunData, algorithms: readonly Algorithm[], signal: AbortSignal): Promise<Reach> {
  const results: (ReachResult | null)[] = [];
  for (const algorithm of algorithms) {
    const tooLarge = algorithm.rule === 'kernel' && data.encoded.rows > mostForKernel;
    results.push(tooLarge ? null : await resultOf(data, algorithm, signal));
  }
  return { kind: 'reach', results };
}

async function resultOf(data: RunData, algorithm: Algorithm, signal: AbortSignal): Promise<ReachResult | null> {
  try {
    const { recording, encoded } = await recordRun(data, { ...algorithm, holdout: 0 }, { signal });
    const { skipped, updates } = recording;
    const wrong = await wrongOf(recording, encoded);
    return { wrong, rows: encoded.rows, updates: updates.length + (skipped?.updates ?? 0) };
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}

async function wrongOf(recording: Recording, { batches }: Encoded): Promise<number> {
  const scorer = scorerAt(recording, recording.steps, await loadKernels());
  let wrong = 0;
  try {
    for (const batch of batches) {
      const scores = new Float64Array(batch.rows);
      scorer?.scoreInto(batch as Batch, scores);
      for (let i = 0; i < batch.rows; i++) if (classOf(scores[i]!, recording.tie) !== batch.labels[i]) wrong++;
    }
  } finally {
    scorer?.free();
  }
  return wrong;
}
