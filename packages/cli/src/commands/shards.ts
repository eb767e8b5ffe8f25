import { readWhole, wholeKinds, writeWhole } from 'halfspace/node';
import * as shards from 'halfspace-distributed';
import { modelText, readModel, readText } from '../data/model-file.ts';
import { claimFiles } from '../files/claim.ts';
import { expandPaths } from '../files/paths.ts';
import { largePieces } from '../files/stdin.ts';
import type { CommandOptions } from '../options.ts';
import { openOutput, writeBytes } from '../output.ts';
import { usage } from '../usage.ts';

const { decodeMixState, parseJob } = shards;

/** Runs `halfspace worker`: the rows of a shard come by standard input, its result goes to standard output. */
export async function worker(given: CommandOptions<'worker'>): Promise<void> {
  const { job: jobPath, state: statePath, shard, model: modelPath, requests } = await claimFiles('worker', {}, given);
  if (requests === true) {
    if (jobPath !== undefined) throw usage('expected --requests without --job: every request has a job; got both');
    for await (const bytes of shards.answer(largePieces())) await writeBytes(bytes);
    return;
  }
  if (jobPath === undefined) throw usage('expected --job; got none');
  const job = parseJob(readText(jobPath, 'job'));
  if (modelPath !== undefined) {
    const model = readModel(modelPath);
    for await (const bytes of shards.predict(job, model, process.stdin)) await writeBytes(bytes);
    return;
  }
  const state = statePath === undefined ? null : decodeMixState(readText(statePath, 'state'), statePath);
  await writeBytes(await shards.work(job, state, shard, process.stdin));
}

/** Runs `halfspace mix`: writes the next state of all results, the sum of some, or the model of a complete state. */
export async function mix(results: readonly string[], given: CommandOptions<'mix'>): Promise<void> {
  const { job: jobPath, state: statePath, output, part, model } = await claimFiles('mix', { results }, given);
  if (jobPath === undefined) throw usage('expected --job; got none');
  const outputs = [output, part, model].filter((path) => path !== undefined).length;
  if (outputs !== 1) throw usage(`expected one of --output, --part and --model; got ${outputs}`);
  const job = parseJob(readText(jobPath, 'job'));
  const state = statePath === undefined ? null : decodeMixState(readText(statePath, 'state'), statePath);
  if (model !== undefined) {
    if (state === null) throw usage('expected --state for --model; got none');
    writeWhole(model, await modelText(await shards.modelOf(job, state), model));
    return;
  }
  const files = (await expandPaths(results)).map((name) => ({ name, bytes: readWhole(name, wholeKinds.result) }));
  if (part !== undefined) {
    writeWhole(part, await shards.mixPart(job, state, files));
    return;
  }
  const text = await shards.mix(job, state, files);
  const progress = shards.progressOf(decodeMixState(text, output!));
  writeWhole(output!, text);
  const standard = openOutput();
  await standard.write(`${JSON.stringify(progress)}\n`);
  await standard.finish();
}
