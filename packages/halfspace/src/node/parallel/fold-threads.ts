import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { FoldThreads } from '../../pool/threads.ts';
import { startThread } from './start-thread.ts';

/** Returns the threads of Node, Bun and Deno; null in a bundle of a program that lacks their module. */
export function foldThreads(): FoldThreads | null {
  const module = new URL('./fold-thread.js', import.meta.url);
  if (!existsSync(module)) return null;
  return {
    cores: availableParallelism(),
    start(setup, { message, end }) {
      const worker = startThread(module, setup, [], end);
      worker.on('message', message);
      // A listener makes the process wait again.
      worker.unref();
      return { send: (each) => worker.postMessage(each), end: () => void worker.terminate() };
    },
  };
}
