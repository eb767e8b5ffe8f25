// A Web Worker that runs tasks on folds. Its first message is the setup.
import { foldWorker } from './fold-worker.ts';
import type { TasksMessage, ThreadSetup } from './messages.ts';

let work: ((message: TasksMessage) => Promise<void>) | null = null;

addEventListener('message', ({ data }) => {
  if (work === null) work = foldWorker(data as ThreadSetup, (message) => postMessage(message));
  else void work(data as TasksMessage);
});
