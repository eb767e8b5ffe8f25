import { readWhole, wholeKinds, writeWhole } from 'halfspace/node';
import { decodeMixState, mixPart, mix as mixResults, modelOf, parseJob, progressOf } from 'halfspace-distributed';
import { modelText, readText } from '../data/model-file.ts';
import { claimFiles } from '../files/claim.ts';
import { expandPaths } from '../files/paths.ts';
import type { CommandOptions } from '../options.ts';
import { openOutput } from '../output.ts';
import { usage } from '../usage.ts';

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
    writeWhole(model, await modelText(await modelOf(job, state), model));
    return;
  }
  const files = (await expandPaths(results)).map((name) => ({ name, bytes: readWhole(name, wholeKinds.result) }));
  if (part !== undefined) {
    writeWhole(part, await mixPart(job, state, files));
    return;
  }
  const text = await mixResults(job, state, files);
  const progress = progressOf(decodeMixState(text, output!));
  writeWhole(output!, text);
  const standard = openOutput();
  await standard.write(`${JSON.stringify(progress)}\n`);
  await standard.finish();
}
