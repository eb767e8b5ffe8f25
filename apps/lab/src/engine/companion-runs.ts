import type { Companion, CompanionRequest } from './companion.ts';
import { examplesOf } from './encode.ts';
import { type RunData, recordRun } from './record-run.ts';

/** Makes a run beside the shown one. @throws Superseded once `signal` is aborted. */
export async function runCompanion(data: RunData, request: CompanionRequest, signal: AbortSignal): Promise<Companion> {
  if (request.kind === 'classes') {
    const { runClasses } = await import('./class-run.ts');
    return runClasses(data, request, signal);
  }
  if (request.kind === 'lifted') {
    const { runLifted } = await import('./lifted-run.ts');
    return runLifted(data, request, signal);
  }
  if (request.kind === 'reach') {
    const { reachOf } = await import('./reach.ts');
    return reachOf(data, request.algorithms, signal);
  }
  const { recording, encoded } = await recordRun(data, request.algorithm, { signal });
  const rival = { kind: 'rival', recording, examples: examplesOf(encoded, data.table) } as const;
  if (request.curve === undefined) return rival;
  const { curveOf } = await import('./curve.ts');
  return { ...rival, curve: await curveOf(recording, encoded, request.algorithm, () => !signal.aborted) };
}
