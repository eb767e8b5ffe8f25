import * as Comlink from 'comlink';
import { HalfspaceError } from 'halfspace';
import type { Engine, Failure } from './engine.ts';
import type { Examples } from './examples.ts';
import { LocalEngine } from './local-engine.ts';
import type { Recording } from './recording.ts';
import { Superseded } from './superseded.ts';

const local = new LocalEngine();

/** Turns errors into plain objects, because instances of classes cannot be sent from a worker. */
async function guarded<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const failure: Failure =
      error instanceof HalfspaceError || error instanceof Superseded
        ? { code: error.code, message: error.message }
        : { code: 'unexpected', message: error instanceof Error ? error.message : String(error) };
    throw failure;
  }
}

/** Transfers the arrays to the page without a copy. */
function given(examples: Examples): Examples {
  const { labels, shown, vectors } = examples;
  return Comlink.transfer(examples, [labels.buffer, shown.buffer, vectors.buffer] as ArrayBuffer[]);
}

/** Copies a recording for the page: the worker needs its own for surfaces and curves. */
function copied(recording: Recording): Recording {
  const { rows, updates, changes, passes, present, answer, examples } = recording;
  const copy: Recording = {
    ...recording,
    rows: rows.slice(),
    updates: updates.slice(),
    changes: changes.slice(),
    passes: passes.slice(),
    present: present.slice(),
    answer: answer === null ? null : answer.slice(),
  };
  const arrays = [copy.rows, copy.updates, copy.changes, copy.passes, copy.present, copy.answer];
  if (examples !== undefined) arrays.push(examples.labels as never, examples.shown, examples.vectors);
  return Comlink.transfer(
    copy,
    arrays.flatMap((array) => (array === null ? [] : [array.buffer as ArrayBuffer])),
  );
}

/** Minimum time between two reports of progress, in milliseconds. */
const tellEvery = 100;

function seldom<T>(tell: (value: T) => void): (value: T) => void {
  let last = performance.now();
  return (value) => {
    if (performance.now() - last < tellEvery) return;
    last = performance.now();
    tell(value);
  };
}

const served: Engine = {
  open: async (dataset, onProgress) => given(await guarded(local.open(dataset, seldom(onProgress ?? (() => {}))))),
  inspect: (question) => guarded(local.inspect(question)),
  run: async (algorithm, onProgress) => copied(await guarded(local.run(algorithm, seldom(onProgress)))),
  verdict: (onProgress) => guarded(local.verdict(onProgress)),
  surface: async (request) => {
    const scores = await guarded(local.surface(request));
    return Comlink.transfer(scores, [scores.grid.buffer, scores.shown.buffer] as ArrayBuffer[]);
  },
  curve: (algorithm) => guarded(local.curve(algorithm)),
  tree: (algorithm) => guarded(local.tree(algorithm)),
  companion: (request) => guarded(local.companion(request)),
  stop: () => local.stop(),
};

Comlink.expose(served);
