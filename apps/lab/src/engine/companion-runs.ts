import type { Companion, CompanionRequest } from './companion.ts';
import { examplesOf } from './encode.ts';
import { type RunData, recordRun } from './record-run.ts';

/** Makes a run beside the shown one. @throws Superseded once `signal` is aborted. */
export async function runCompanion(
  data: RunData,
  { algorithm }: CompanionRequest,
  signal: AbortSignal,
): Promise<Companion> {
  const { recording, encoded } = await recordRun(data, algorithm, { signal });
  return { kind: 'rival', recording, examples: examplesOf(encoded, data.table) };
}
