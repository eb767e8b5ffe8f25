import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Disk } from '../disk/disk.ts';
import { realDisk } from '../disk/real-disk.ts';
import { type PartOfFiles, partOfFiles } from './model-parts.ts';

/** Threads run one after another: each may have a large model in memory. */
let last: Promise<unknown> = Promise.resolve();

/** Returns what makes files of models from their journals: in a thread, or here where there is no module for one. */
export function partMaker(disk: Disk): (asked: PartOfFiles) => Promise<Uint8Array> {
  const module = new URL('./part-thread.js', import.meta.url);
  if (disk !== realDisk || !existsSync(module)) return (asked) => partOfFiles(disk, asked);
  return (asked) => {
    const made = last.then(() => inThread(module, asked));
    last = made.catch(() => {});
    return made;
  };
}

function inThread(module: URL, asked: PartOfFiles): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(module, { workerData: asked, execArgv: [], stdin: false });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('expected a file of a thread; it ended')));
  });
}
