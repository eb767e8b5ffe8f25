import { existsSync, statSync } from 'node:fs';
import type { Model } from 'halfspace';
import { openWhole } from 'halfspace/node';
import { modelText } from '../data/model-file.ts';
import { readStream, type StreamState } from '../data/stream-state.ts';
import { claimFiles } from '../files/claim.ts';
import { printResult } from '../output.ts';
import { learningJson, learningText } from '../report/learning.ts';
import { printNotes, tell } from '../standard-error.ts';
import { usage } from '../usage.ts';
import { type LearnOptions, settingsOf, startOf } from './learn-options.ts';
import { Learning } from './learning.ts';

/**
 * Runs `halfspace learn`: goes on from a state file, row by row, and saves it every N rows and at the end. Whatever
 * ends the run, the state has all rows before some row and none after it. Ends with the model.
 */
export async function learn(path: string, data: readonly string[], given: LearnOptions): Promise<void> {
  const options = await claimFiles('learn', { state: path, data }, given);
  for (const name of ['scores', 'probabilities'] as const)
    if (options[name] === true && options.progressive !== true) throw usage(`--${name} is for --progressive`);
  const before = readIfThere(path);
  const settings = settingsOf(options, before, path);
  if (options.probabilities === true && !settings.calibrate)
    throw usage('--probabilities needs --calibrate, from the first row of the state on');
  if (data.length === 0 && before === null)
    throw usage(`expected DATA to learn from; got none, and no state in ${path}`);
  // Fails before the work if a place cannot be written to.
  for (const place of [path, options.model!]) openWhole(place).discard();
  const learning = new Learning(path, options, { before, settings, start: startOf(options, before, path, data) });
  try {
    if (data.length > 0) await learning.learn(data);
    const { notes } = learning;
    const model = modelOf(learning, notes, options.model!);
    const modelPath = model === null ? null : options.model!;
    if (modelPath !== null) writeModel(model!, modelPath);
    const summary = { learning, model, modelPath, notes, seconds: process.uptime() };
    if (options.progressive === true) {
      for (const line of learningText(summary).trimEnd().split('\n')) await tell(line);
      await printNotes(notes);
    } else {
      await printResult(options.json, {
        json: () => learningJson(summary),
        text: () => learningText(summary),
        notes,
      });
    }
  } finally {
    learning.close();
  }
}

/** Reads the state; null if there is no file, or an empty one. */
function readIfThere(path: string): StreamState | null {
  let size = 0;
  try {
    size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    // The folder cannot be searched. Writing the file will give the reason.
  }
  return size === 0 ? null : readStream(path);
}

/** Returns the model; null with a note if fewer than two classes are known. */
function modelOf(learning: Learning, notes: string[], path: string): Model | null {
  const { classifier } = learning;
  if (classifier !== null && classifier.classes.length >= 2 && classifier.examples > 0) return learning.model();
  const known = classifier?.classes.join(', ') || 'none';
  const stale = existsSync(path) ? `; ${path} is left as it was, and is not of this run` : '';
  notes.push(`no model yet: it needs rows of two classes; so far: ${known}${stale}`);
  return null;
}

function writeModel(model: Model, path: string): void {
  const file = openWhole(path);
  try {
    file.append(modelText(model, path));
    file.finish();
  } finally {
    file.discard();
  }
}
