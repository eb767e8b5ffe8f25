import { answer, decodeMixState, parseJob, predict, work } from 'halfspace-distributed';
import { readModel, readText } from '../data/model-file.ts';
import { claimFiles } from '../files/claim.ts';
import { largePieces } from '../files/stdin.ts';
import type { CommandOptions } from '../options.ts';
import { writeBytes } from '../output.ts';
import { usage } from '../usage.ts';

/** Runs `halfspace worker`: the rows of a shard come by standard input, its result goes to standard output. */
export async function worker(given: CommandOptions<'worker'>): Promise<void> {
  const { job: jobPath, state: statePath, shard, model: modelPath, requests } = await claimFiles('worker', {}, given);
  if (requests === true) {
    if (jobPath !== undefined) throw usage('expected --requests without --job: every request has a job; got both');
    for await (const bytes of answer(largePieces())) await writeBytes(bytes);
    return;
  }
  if (jobPath === undefined) throw usage('expected --job; got none');
  const job = parseJob(readText(jobPath, 'job'));
  if (modelPath !== undefined) {
    const model = readModel(modelPath);
    for await (const bytes of predict(job, model, process.stdin)) await writeBytes(bytes);
    return;
  }
  const state = statePath === undefined ? null : decodeMixState(readText(statePath, 'state'), statePath);
  await writeBytes(await work(job, state, shard, process.stdin));
}
