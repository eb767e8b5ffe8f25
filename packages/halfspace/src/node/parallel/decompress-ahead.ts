import { existsSync } from 'node:fs';
import { MessageChannel, receiveMessageOnPort, type Worker } from 'node:worker_threads';
import type { Compression } from '../../data/compression.ts';
import type { ByteSource } from '../../data/source.ts';
import { blockBytes, blocks, type DecompressJob, last, word, words } from './decompress-protocol.ts';
import { errorOf, type ThreadFailure } from './failure.ts';
import { threadsShareFiles } from './parser-pool.ts';
import { startThread } from './start-thread.ts';

export interface CompressedFile {
  readonly name: string;
  readonly compression: Compression;
  readonly descriptor: number;
  /** Called with numbers of bytes of the archive that were read. */
  onRead(bytes: number): void;
  /** Called after the last byte of the archive was read. @throws HalfspaceError `source-changed`. */
  check(): void;
  /** Closes the descriptor. */
  close(): void;
}

/** Milliseconds of sleep; then the event loop runs, because only it reports the failure of the thread. */
const patienceMs = 50;

/** Milliseconds of polling before sleep, because sleeping and waking take longer than many waits. */
const spinMs = 0.02;

/**
 * Opens a compressed file that a thread decompresses while the caller works on what it got. The thread is at most 4 MiB
 * ahead.
 *
 * @returns null where threads cannot do that.
 */
export function decompressAhead(file: CompressedFile): ByteSource | null {
  if (!threadsShareFiles) return null;
  const thread = new URL('./decompress-worker.js', import.meta.url);
  // A bundle of a program may lack the module of the thread.
  if (!existsSync(thread)) return null;
  const { port1, port2 } = new MessageChannel();
  const shared = new SharedArrayBuffer(4 * words);
  const counts = new SharedArrayBuffer(8 * blocks);
  const memory = new SharedArrayBuffer(blocks * blockBytes);
  const { name, descriptor, compression } = file;
  const job: DecompressJob = {
    port: port2,
    descriptor,
    name,
    compression,
    words: shared,
    archiveBytes: counts,
    ring: memory,
  };
  let failure: unknown;
  const worker = startThread(thread, job, [port2], (error) => {
    failure ??= error;
  });
  const message = () => receiveMessageOnPort(port1)!.message as ThreadFailure;
  return new DecompressedFile(file, worker, { message, failure: () => failure }, job);
}

interface ThreadWords {
  /** Returns the message of a failed decompression. */
  message(): ThreadFailure;
  /** Returns the error that ended the thread; undefined if it goes on. */
  failure(): unknown;
}

class DecompressedFile implements ByteSource {
  readonly name: string;
  readonly #file: CompressedFile;
  readonly #worker: Worker;
  readonly #told: ThreadWords;
  readonly #words: Int32Array;
  readonly #archiveBytes: Float64Array;
  readonly #ring: Uint8Array;
  /** Number of emptied blocks, and the position in the next one. */
  #emptied = 0;
  #at = 0;
  #archiveRead = 0;
  #closed = false;

  constructor(file: CompressedFile, worker: Worker, told: ThreadWords, job: DecompressJob) {
    this.name = file.name;
    this.#file = file;
    this.#worker = worker;
    this.#told = told;
    this.#words = new Int32Array(job.words);
    this.#archiveBytes = new Float64Array(job.archiveBytes);
    this.#ring = new Uint8Array(job.ring);
  }

  read(target: Uint8Array): number | Promise<number> {
    if (this.#closed) return 0;
    return this.#isFilled() ? this.#take(target) : this.#filled().then(() => this.#take(target));
  }

  #isFilled(): boolean {
    return Atomics.load(this.#words, word.filled) !== (this.#emptied | 0);
  }

  /** Sleeps until the next block is filled. @throws the error of a failed thread. */
  async #filled(): Promise<void> {
    for (const until = performance.now() + spinMs; performance.now() < until; ) if (this.#isFilled()) return;
    while (!this.#isFilled()) {
      const failure = this.#told.failure();
      if (failure !== undefined) throw failure;
      if (Atomics.wait(this.#words, word.filled, this.#emptied | 0, patienceMs) === 'timed-out')
        await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Copies all bytes that are there, up to the length of `target`. @throws the error of decompression. */
  #take(target: Uint8Array): number {
    let count = 0;
    while (count < target.length && this.#isFilled()) {
      const block = this.#emptied % blocks;
      const length = this.#words[word.lengths + block]!;
      if (length < 0) {
        // What was read before the end or the fault comes first.
        if (count === 0) this.#end(length, block);
        break;
      }
      const from = block * blockBytes;
      const part = this.#ring.subarray(from + this.#at, from + Math.min(length, this.#at + target.length - count));
      target.set(part, count);
      count += part.length;
      this.#at += part.length;
      if (this.#at < length) break;
      this.#at = 0;
      this.#count(block);
      Atomics.store(this.#words, word.emptied, ++this.#emptied | 0);
      Atomics.notify(this.#words, word.emptied);
    }
    return count;
  }

  #end(length: number, block: number): void {
    this.#count(block);
    // A file that changed explains a fault.
    this.#file.check();
    if (length === last.failure) throw errorOf(this.#told.message());
  }

  /** Reports the bytes of the archive that were read for a block. */
  #count(block: number): void {
    const read = this.#archiveBytes[block]!;
    if (read > this.#archiveRead) this.#file.onRead(read - this.#archiveRead);
    this.#archiveRead = read;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    Atomics.store(this.#words, word.ended, 1);
    Atomics.add(this.#words, word.emptied, 1);
    Atomics.notify(this.#words, word.emptied);
    // Only then, because another file could get the number of the descriptor while the thread reads.
    const close = () => this.#file.close();
    this.#worker.terminate().then(close, close);
  }
}
