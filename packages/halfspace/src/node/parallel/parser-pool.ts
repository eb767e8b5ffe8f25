import { availableParallelism } from 'node:os';
import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads';
import { type PackedShape, packedLayout } from '../../data/packed.ts';
import type { EndlessLine, RefusedLine, RowFacts } from '../../data/text-reader.ts';
import type { NameEntries } from '../../kernels/kernels.ts';
import {
  header,
  headerOf,
  held,
  type ParseFailure,
  type ParseJob,
  type ParseMessage,
  type ParserSetup,
  readShape,
  slotsPerThread,
  word,
} from './parse-protocol.ts';
import { startThread } from './start-thread.ts';

/** Smaller files take less time to read than a thread takes to start. */
export const leastBytes = 8 * 1024 * 1024;

/** The largest useful number of threads: one learning thread is as fast as three or four parsers. */
const mostThreads = 4;

/**
 * True if a thread can read a file that another thread opened. False in Deno: its descriptors belong to a thread, and
 * opening the path again could give another file.
 */
export const threadsShareFiles = process.versions.deno === undefined;

/** Returns the place of the module of the threads: beside this one, also in bundles of the library. */
export const threadModule = (): URL => new URL('./parse-worker.js', import.meta.url);

/**
 * Returns the number of threads that read a large file, the caller's included: at most the cores, because a thread that
 * waits for a core takes memory and time and gains nothing.
 *
 * @param asked by the user. Default 4.
 */
export function usefulThreads(asked = mostThreads): number {
  return threadsShareFiles ? Math.min(asked, availableParallelism()) : 1;
}

/** A part of a range. It stays in its slot until {@link ParserPool.release}. */
export interface SlotPart {
  readonly thread: number;
  /** True for the last part of its range. */
  readonly last: boolean;
  readonly content: SlotRows | RefusedLine | EndlessLine | ParseFailure | null;
}

/** Rows packed as described by `shape`. */
export interface SlotRows {
  readonly kind: 'rows';
  readonly shape: PackedShape;
  readonly lines: number;
  readonly facts: RowFacts;
  /** The rows, then the names that are new to the parser, in the format of its table. */
  readonly bytes: Uint8Array;
  readonly names: Pick<NameEntries, 'from' | 'to' | 'count'>;
}

/** Milliseconds of sleep; then the event loop runs, because only it reports the failure of a thread. */
const patienceMs = 50;

/** Milliseconds of polling before sleep. */
const spinMs = 0.05;

/**
 * Threads that parse text for `parseAhead`, one file at a time.
 *
 * A thread takes about 20 ms to start. A program that will read much text can make a pool early and pass it on; this
 * module loads little else.
 */
export class ParserPool {
  readonly threads: number;
  readonly #words: Int32Array;
  readonly #workers: Worker[] = [];
  readonly #ports: MessagePort[] = [];
  /** Headers of all slots, thread after thread. */
  readonly #headers: Float64Array[];
  readonly #memories: (SharedArrayBuffer | null)[];
  /** The oldest slot of each thread. */
  readonly #oldest: number[];
  #job = 0;
  #news = 0;
  #failure: unknown;

  /** @param threads the number to start, without the caller's. They end with the process, or by {@link close}. */
  constructor(threads: number) {
    this.threads = threads;
    const slots = threads * slotsPerThread;
    const words = new SharedArrayBuffer(4 * (word.slots + slots));
    const headers = new SharedArrayBuffer(8 * header.size * slots);
    this.#words = new Int32Array(words);
    this.#headers = Array.from({ length: slots }, (_, slot) => headerOf(headers, slot));
    this.#memories = this.#headers.map(() => null);
    this.#oldest = Array.from({ length: threads }, () => 0);
    for (let thread = 0; thread < threads; thread++) {
      const { port1, port2 } = new MessageChannel();
      const setup: ParserSetup = { port: port2, words, headers, thread };
      const worker = startThread(threadModule(), setup, [port2], (error) => {
        // Otherwise the caller would wait for ever.
        if (!this.closed) this.#failure ??= error;
      });
      port1.unref();
      this.#workers.push(worker);
      this.#ports.push(port1);
    }
  }

  /** Starts work on a file. All parts of the file before must have been taken. */
  start(job: Omit<ParseJob, 'number'>): ParseJob {
    const numbered = { ...job, number: ++this.#job };
    for (const port of this.#ports) port.postMessage(numbered);
    Atomics.add(this.#words, word.jobs, 1);
    Atomics.notify(this.#words, word.jobs);
    return numbered;
  }

  /** Returns the next part of a range, or null if there is none yet. Earlier parts must have been released. */
  take(range: number): SlotPart | null {
    this.#news = Atomics.load(this.#words, word.news);
    for (let thread = 0; thread < this.threads; thread++) {
      const slot = thread * slotsPerThread + this.#oldest[thread]!;
      if (Atomics.load(this.#words, word.slots + slot) === 0) continue;
      const from = this.#headers[slot]!;
      if (from[header.job] !== this.#job || from[header.range] !== range) continue;
      return { thread, last: from[header.last] === 1, content: this.#contentOf(thread, slot) };
    }
    return null;
  }

  #contentOf(thread: number, slot: number): SlotPart['content'] {
    const from = this.#headers[slot]!;
    if (from[header.fresh] === 1) this.#memories[slot] = this.#receive(thread) as SharedArrayBuffer;
    if (from[header.held] === held.nothing) return null;
    if (from[header.held] === held.message) return this.#receive(thread) as Exclude<ParseMessage, SharedArrayBuffer>;
    const shape = readShape(from);
    const names = packedLayout(shape).bytes;
    const bytes = names + from[header.nameBytes]!;
    const memory = this.#memories[slot]!;
    return {
      kind: 'rows',
      shape,
      lines: from[header.lines]!,
      facts: { zeroIndex: from[header.zeroIndex] === 1, unknown: from[header.unknown]! },
      bytes: new Uint8Array(memory, 0, bytes),
      names: { from: names, to: bytes, count: from[header.names]! },
    };
  }

  /** Returns a message; it was sent before its slot was marked full. */
  #receive(thread: number): ParseMessage {
    return receiveMessageOnPort(this.#ports[thread]!)!.message as ParseMessage;
  }

  /** Frees a thread's oldest slot, whose contents become invalid. */
  release({ thread }: SlotPart): void {
    const at = word.slots + thread * slotsPerThread + this.#oldest[thread]!;
    this.#oldest[thread] = (this.#oldest[thread]! + 1) % slotsPerThread;
    Atomics.store(this.#words, at, 0);
    Atomics.notify(this.#words, at);
  }

  /** Sleeps until there may be a new part. @throws the error of a failed thread. */
  async wait(): Promise<void> {
    // Polls first, because sleeping and waking take longer than most waits.
    for (const until = performance.now() + spinMs; performance.now() < until; )
      if (Atomics.load(this.#words, word.news) !== this.#news) return this.#checkThreads();
    if (Atomics.wait(this.#words, word.news, this.#news, patienceMs) === 'timed-out')
      await new Promise((resolve) => setImmediate(resolve));
    this.#checkThreads();
  }

  #checkThreads(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** True after {@link close}. */
  get closed(): boolean {
    return Atomics.load(this.#words, word.ended) === 1;
  }

  /** Ends all threads, also waiting ones. */
  close(): void {
    if (this.closed) return;
    Atomics.store(this.#words, word.ended, 1);
    Atomics.add(this.#words, word.jobs, 1);
    Atomics.notify(this.#words, word.jobs);
    for (let at = word.slots; at < this.#words.length; at++) {
      Atomics.store(this.#words, at, 0);
      Atomics.notify(this.#words, at);
    }
    for (const port of this.#ports) port.close();
    for (const worker of this.#workers) void worker.terminate();
  }
}
