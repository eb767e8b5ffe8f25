import { availableParallelism } from 'node:os';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import {
  type PackedRows,
  type ParseJob,
  type ParseMessage,
  type ParserSetup,
  slotsPerThread,
  word,
} from './parse-protocol.ts';

/** Files of fewer bytes take less time to read than a thread to start. */
export const leastBytes = 8 * 1024 * 1024;

/** More threads than this find nothing to do: one that learns takes what three or four parse. */
const mostThreads = 4;

/** Threads that read a large file, the caller's among them. */
export function defaultThreads(): number {
  return Math.min(mostThreads, availableParallelism());
}

/** A message of one of the threads. */
export interface ToldPart {
  readonly message: ParseMessage;
  readonly thread: number;
}

/** How long to sleep at a time: then the event loop turns, which alone tells that a thread has failed. */
const patienceMs = 50;

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
  /** The memory of each thread's slots, as far as it was told. */
  readonly #slots: (SharedArrayBuffer | null)[][] = [];
  /** Messages that were told and not taken, by range. */
  #told = new Map<number, ToldPart[]>();
  #job = 0;
  #news = 0;
  #failure: unknown;

  /** @param threads how many to start, the caller's not among them. They end with the process, or by {@link close}. */
  constructor(threads: number) {
    this.threads = threads;
    const words = new SharedArrayBuffer(4 * (word.slots + threads * slotsPerThread));
    this.#words = new Int32Array(words);
    for (let thread = 0; thread < threads; thread++) {
      const { port1, port2 } = new MessageChannel();
      const setup: ParserSetup = { port: port2, words, thread };
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
      worker.unref();
      port1.unref();
      this.#workers.push(worker);
      this.#ports.push(port1);
      this.#slots.push(Array.from({ length: slotsPerThread }, () => null));
    }
  }

  /** Sets the threads to work on a file. All of the file before was taken. */
  start(job: Omit<ParseJob, 'number'>): ParseJob {
    const numbered = { ...job, number: ++this.#job };
    this.#told = new Map();
    for (const port of this.#ports) port.postMessage(numbered);
    Atomics.add(this.#words, word.jobs, 1);
    Atomics.notify(this.#words, word.jobs);
    return numbered;
  }

  /** The next message about a range, or null when there is none yet. */
  take(range: number): ToldPart | null {
    if ((this.#told.get(range)?.length ?? 0) === 0) this.#receive();
    const told = this.#told.get(range)?.shift() ?? null;
    if (told?.message.kind === 'end') this.#told.delete(range);
    return told;
  }

  /** Takes in all messages there are. */
  #receive(): void {
    this.#news = Atomics.load(this.#words, word.news);
    for (const [thread, port] of this.#ports.entries())
      for (let received = receiveMessageOnPort(port); received !== undefined; received = receiveMessageOnPort(port)) {
        const message = received.message as ParseMessage;
        if (message.job !== this.#job) continue;
        const list = this.#told.get(message.range);
        if (list === undefined) this.#told.set(message.range, [{ message, thread }]);
        else list.push({ message, thread });
      }
  }

  /** Sleeps until there may be more to take. @throws when a thread has failed. */
  async wait(): Promise<void> {
    if (Atomics.wait(this.#words, word.news, this.#news, patienceMs) === 'timed-out')
      await new Promise((resolve) => setImmediate(resolve));
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Copies a slot's rows to `target` and gives the slot back. */
  empty(thread: number, { slot, memory }: PackedRows, target: Uint8Array): void {
    const slots = this.#slots[thread]!;
    if (memory !== null) slots[slot] = memory;
    target.set(new Uint8Array(slots[slot]!, 0, target.length));
    const at = word.slots + thread * slotsPerThread + slot;
    Atomics.store(this.#words, at, 0);
    Atomics.notify(this.#words, at);
  }

  /** Ends the threads, also those that wait. */
  close(): void {
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
