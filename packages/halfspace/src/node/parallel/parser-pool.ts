import { availableParallelism } from 'node:os';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { type PackedShape, packedLayout } from '../../data/packed.ts';
import type { EndlessLine, RefusedLine, RowFacts } from '../../data/text-reader.ts';
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

/** Files of fewer bytes take less time to read than a thread to start. */
export const leastBytes = 8 * 1024 * 1024;

/** More threads than this find nothing to do: one that learns takes what three or four parse. */
const mostThreads = 4;

/**
 * Whether a thread can read from a file that another one has opened. In Deno it cannot: there a descriptor is a number of its thread, and to open
 * the path once more could find another file.
 */
export const threadsShareFiles = process.versions.deno === undefined;

/** Threads that read a large file, the caller's among them; 1 in runtimes whose threads cannot share a file. */
export function defaultThreads(): number {
  return threadsShareFiles ? Math.min(mostThreads, availableParallelism()) : 1;
}

/** A part of a range that lies in a slot until {@link ParserPool.release} is called. */
export interface SlotPart {
  readonly thread: number;
  /** Whether it is the range's last. */
  readonly last: boolean;
  readonly content: SlotRows | RefusedLine | EndlessLine | ParseFailure | null;
}

/** Rows, packed as `shape` tells. */
export interface SlotRows {
  readonly kind: 'rows';
  readonly shape: PackedShape;
  readonly lines: number;
  readonly facts: RowFacts;
  readonly bytes: Uint8Array;
  /** Names that are new to the parser, as they stand in its table. */
  readonly names: Uint8Array;
}

/** How long to sleep at a time: then the event loop turns, which alone tells that a thread has failed. */
const patienceMs = 50;

/** How long to look out for news before going to sleep. */
const spinMs = 0.05;

/**
 * Threads that parse text for `parseAhead`, from the first file until they are no longer wanted. One file at a time.
 *
 * A thread takes some twenty milliseconds to start. A program that knows early that it will read much text can make a pool then,
 * and hand it over later; what imports this module alone loads little else.
 */
export class ParserPool {
  readonly threads: number;
  readonly #words: Int32Array;
  readonly #workers: Worker[] = [];
  readonly #ports: MessagePort[] = [];
  /** Of all slots, those of the first thread first. */
  readonly #headers: Float64Array[];
  readonly #memories: (SharedArrayBuffer | null)[];
  /** Each thread's oldest slot. */
  readonly #oldest: number[];
  #job = 0;
  #news = 0;
  #failure: unknown;

  /** @param threads how many to start, the caller's not among them. They end with the process, or by {@link close}. */
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
      const worker = new Worker(new URL('./parse-worker.js', import.meta.url), {
        workerData: setup,
        transferList: [port2],
        // The threads of a command have no use for the options that its process was started with.
        execArgv: [],
        stdin: false,
      });
      worker.on('error', (error) => {
        this.#failure ??= error;
      });
      // Ended without a word, it would be waited for to no end.
      worker.on('exit', () => {
        if (!this.closed) this.#failure ??= new Error('expected a thread that parses to go on; it ended');
      });
      worker.unref();
      port1.unref();
      this.#workers.push(worker);
      this.#ports.push(port1);
    }
  }

  /** Sets the threads to work on a file. All of the file before was taken. */
  start(job: Omit<ParseJob, 'number'>): ParseJob {
    const numbered = { ...job, number: ++this.#job };
    for (const port of this.#ports) port.postMessage(numbered);
    Atomics.add(this.#words, word.jobs, 1);
    Atomics.notify(this.#words, word.jobs);
    return numbered;
  }

  /** The next part of a range, or null when there is none yet. All before it were released. */
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
    const { bytes } = packedLayout(shape);
    const memory = this.#memories[slot]!;
    return {
      kind: 'rows',
      shape,
      lines: from[header.lines]!,
      facts: { zeroIndex: from[header.zeroIndex] === 1, unknown: from[header.unknown]! },
      bytes: new Uint8Array(memory, 0, bytes),
      names: new Uint8Array(memory, bytes, from[header.names]!),
    };
  }

  /** A message, which was sent before the slot that it belongs to was marked as full. */
  #receive(thread: number): ParseMessage {
    return receiveMessageOnPort(this.#ports[thread]!)!.message as ParseMessage;
  }

  /** Gives back a thread's oldest slot, whose contents are not needed any more. */
  release({ thread }: SlotPart): void {
    const at = word.slots + thread * slotsPerThread + this.#oldest[thread]!;
    this.#oldest[thread] = (this.#oldest[thread]! + 1) % slotsPerThread;
    Atomics.store(this.#words, at, 0);
    Atomics.notify(this.#words, at);
  }

  /** Sleeps until there may be more to take. @throws when a thread has failed. */
  async wait(): Promise<void> {
    // To fall asleep and be woken takes longer than most waits.
    for (const until = performance.now() + spinMs; performance.now() < until; )
      if (Atomics.load(this.#words, word.news) !== this.#news) return this.#checkThreads();
    if (Atomics.wait(this.#words, word.news, this.#news, patienceMs) === 'timed-out')
      await new Promise((resolve) => setImmediate(resolve));
    this.#checkThreads();
  }

  #checkThreads(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Whether the threads were told to end. */
  get closed(): boolean {
    return Atomics.load(this.#words, word.ended) === 1;
  }

  /** Ends the threads, also those that wait. */
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
