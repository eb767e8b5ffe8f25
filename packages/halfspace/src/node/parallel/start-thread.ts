import { type MessagePort, Worker } from 'node:worker_threads';

/**
 * Starts a thread. The process does not wait for it.
 *
 * @param module of the thread, beside the caller's, also in bundles.
 * @param onEnd called with the error of a thread that failed or ended.
 */
export function startThread(
  module: URL,
  workerData: unknown,
  ports: readonly MessagePort[],
  onEnd: (error: unknown) => void,
): Worker {
  // The thread needs neither the options of the process nor its input.
  const worker = new Worker(module, { workerData, transferList: [...ports], execArgv: [], stdin: false });
  worker.on('error', onEnd);
  worker.on('exit', () => onEnd(new Error('expected a thread to go on; it ended')));
  worker.unref();
  return worker;
}
