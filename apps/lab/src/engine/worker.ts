import * as Comlink from 'comlink';
import { HalfspaceError } from 'halfspace';
import type { Engine, Failure } from './engine.ts';
import { LocalEngine } from './local-engine.ts';

const local = new LocalEngine();

/** Errors cross as plain objects; classes would not. */
async function guarded<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const failure: Failure =
      error instanceof HalfspaceError
        ? { code: error.code, message: error.message }
        : { code: 'unexpected', message: error instanceof Error ? error.message : String(error) };
    throw failure;
  }
}

const served: Engine = {
  open: (dataset) => guarded(local.open(dataset)),
  run: (algorithm, onProgress) => guarded(local.run(algorithm, onProgress)),
  verdict: () => guarded(local.verdict()),
  surface: (request) => guarded(local.surface(request)),
  curve: (algorithm) => guarded(local.curve(algorithm)),
  tree: (algorithm) => guarded(local.tree(algorithm)),
};

Comlink.expose(served);
