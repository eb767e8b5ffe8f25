// A thread that makes one file of a model from its journal.
import { parentPort, workerData } from 'node:worker_threads';
import { realDisk } from '../disk/real-disk.ts';
import { type PartOfFiles, partOfFiles } from './model-parts.ts';

// An error ends the thread, and is told.
void partOfFiles(realDisk, workerData as PartOfFiles).then((made) => {
  // One that shares its memory with others cannot be handed over.
  const bytes = made.length === made.buffer.byteLength ? made : Uint8Array.from(made);
  parentPort!.postMessage(bytes, [bytes.buffer as ArrayBuffer]);
});
