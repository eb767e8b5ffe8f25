import * as Comlink from 'comlink';
import type { Engine } from './engine.ts';

/** Starts the engine in a worker. */
export function startEngine(): Engine {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  const remote = Comlink.wrap<Engine>(worker) as unknown as Engine;
  return {
    open: (dataset, onProgress) => remote.open(dataset, Comlink.proxy(onProgress ?? (() => {}))),
    inspect: (question) => remote.inspect(question),
    run: (algorithm, onProgress) => remote.run(algorithm, Comlink.proxy(onProgress)),
    verdict: (onProgress) => remote.verdict(Comlink.proxy(onProgress)),
    surface: (request) => remote.surface(request),
    curve: (algorithm) => remote.curve(algorithm),
    tree: (algorithm) => remote.tree(algorithm),
    companion: (request) => remote.companion(request),
    stop: () => void (remote.stop() as unknown as Promise<void>),
  };
}
