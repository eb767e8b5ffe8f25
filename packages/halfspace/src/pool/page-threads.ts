import type { FoldThreads } from './threads.ts';

/** Returns what starts Web Workers; null in a runtime without them. Bundlers find the worker's file by this form. */
export function foldThreads(): FoldThreads | null {
  if (typeof Worker === 'undefined') return null;
  return {
    cores: navigator.hardwareConcurrency,
    start(setup, { message, end }) {
      const worker = new Worker(new URL('./page-thread.js', import.meta.url), { type: 'module' });
      worker.onmessage = ({ data }) => message(data);
      // The caller's thread runs what a worker cannot, so the page need not hear of its errors.
      const fail = (event: Event) => {
        event.preventDefault();
        end();
      };
      worker.onerror = fail;
      worker.onmessageerror = fail;
      worker.postMessage(setup);
      return { send: (each) => worker.postMessage(each), end: () => worker.terminate() };
    },
  };
}
