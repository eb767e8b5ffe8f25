// A thread that runs candidates on folds.
import { parentPort, workerData } from 'node:worker_threads';
import { foldWorker } from '../../pool/fold-worker.ts';
import type { TasksMessage, ThreadSetup } from '../../pool/messages.ts';

const port = parentPort!;
const work = foldWorker(workerData as ThreadSetup, (message) => port.postMessage(message));
port.on('message', (message: TasksMessage) => void work(message));
