// A thread that decompresses a file into memory shared with the thread that reads it.
import { readSync } from 'node:fs';
import { type MessagePort, workerData } from 'node:worker_threads';
import { decompress, pieceBytesOf } from '../decompress.ts';
import { unreadable } from '../reason.ts';
import { blockBytes, blocks, type DecompressJob, last, word } from './decompress-protocol.ts';
import { failureOf } from './failure.ts';

const job = workerData as DecompressJob;
const words = new Int32Array(job.words);
const archiveBytes = new Float64Array(job.archiveBytes);
const ring = new Uint8Array(job.ring);
/** The number of filled blocks, and the bytes in the next one. */
let filled = 0;
let length = 0;
let taken = 0;

void work();

async function work(): Promise<void> {
  const port = job.port as MessagePort;
  try {
    for await (const piece of decompress(job.compression, pieces(), job.name)) if (!put(piece)) return;
    if (length > 0 && !publish(length)) return;
    publish(last.end);
  } catch (error) {
    // The bytes before the fault come first.
    if (length > 0 && !publish(length)) return;
    port.postMessage(failureOf(error));
    publish(last.failure);
  }
}

async function* pieces(): AsyncGenerator<Uint8Array> {
  const piece = new Uint8Array(pieceBytesOf(job.compression));
  for (;;) {
    let count: number;
    try {
      count = readSync(job.descriptor, piece, 0, piece.length, taken);
    } catch (error) {
      throw unreadable(job.name, error);
    }
    if (count === 0) return;
    taken += count;
    yield piece.subarray(0, count);
  }
}

/** Copies a piece to the ring. @returns false if the work is over. */
function put(piece: Uint8Array): boolean {
  for (let at = 0; at < piece.length; ) {
    if (length === 0 && !isFree()) return false;
    const part = piece.subarray(at, at + blockBytes - length);
    ring.set(part, (filled % blocks) * blockBytes + length);
    at += part.length;
    length += part.length;
    if (length === blockBytes && !publish(length)) return false;
  }
  return true;
}

/** Waits until the next block is empty. @returns false if the work is over. */
function isFree(): boolean {
  for (;;) {
    if (Atomics.load(words, word.ended) === 1) return false;
    const emptied = Atomics.load(words, word.emptied);
    if (((filled - emptied) | 0) < blocks) return true;
    Atomics.wait(words, word.emptied, emptied);
  }
}

/** Gives the next block to the reading thread. @returns false if the work is over. */
function publish(content: number): boolean {
  if (!isFree()) return false;
  const block = filled % blocks;
  words[word.lengths + block] = content;
  archiveBytes[block] = taken;
  filled++;
  length = 0;
  Atomics.store(words, word.filled, filled | 0);
  Atomics.notify(words, word.filled);
  return true;
}
