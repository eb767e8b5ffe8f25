import type { FoldContext } from '../evaluate/candidate.ts';
import type { FoldParts } from '../evaluate/fold-parts.ts';
import type { Metric } from '../evaluate/metric.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { compiledModule } from '../kernels/wasm.ts';
import { type DealtTask, type ResultMessage, shareParts, type TasksMessage, type ThreadSetup } from './messages.ts';
import type { ResultOf, Task } from './task.ts';
import { type FoldThread, type FoldThreads, loadThreads } from './threads.ts';

/** Milliseconds until {@link Helpers.news} returns without news. */
const patienceMs = 100;

/** Tasks that several threads run. */
export interface SharedTasks {
  readonly parts: FoldParts;
  readonly tasks: readonly Task[];
  /** Number of the next task, in shared memory where there is any. */
  readonly next: Int32Array;
  /** Gets the results by task; null if a thread could not run it. */
  readonly found: (ResultOf<Task> | null | undefined)[];
}

/** Starts threads, with the caller's at most `useful`; null where there are none, or a page may not start them. */
export async function startHelpers(
  { kernels, classes, weighing, encoding, threads: most = Infinity }: FoldContext,
  metric: Metric | null,
  useful: number,
): Promise<Helpers | null> {
  const threads = await loadThreads();
  const count = Math.min(threads?.cores ?? 1, most, useful) - 1;
  if (threads === null || count < 1) return null;
  const given = encoding();
  // Names may be many, and no rule of weights needs them.
  const short: FeatureEncoding = given.kind === 'named' ? { ...given, names: [] } : given;
  const { factors } = weighing;
  const setup: ThreadSetup = { module: compiledModule(), classes, factors, encoding: short, metric };
  try {
    return new Helpers(kernels, count, (on) => threads.start(setup, on));
  } catch {
    return null;
  }
}

/** Threads that run tasks beside the caller's. */
export class Helpers {
  readonly #kernels: Kernels;
  readonly #threads: FoldThread[] = [];
  #current: SharedTasks | null = null;
  #parts: FoldParts | null = null;
  #round = 0;
  /** True if threads ask for each task, because there is no shared memory. */
  #deals = false;
  #wake = () => {};
  /** True if a thread has ended. What it had taken is lost. */
  failed = false;

  constructor(kernels: Kernels, threads: number, start: (on: Parameters<FoldThreads['start']>[1]) => FoldThread) {
    this.#kernels = kernels;
    const end = () => {
      this.failed = true;
      this.close();
      this.#wake();
    };
    for (let k = 0; k < threads; k++) {
      const thread: FoldThread = start({ message: (message) => this.#take(thread, message as ResultMessage), end });
      this.#threads.push(thread);
    }
  }

  /** Starts work on tasks, which ends when all are taken. */
  begin(shared: SharedTasks): void {
    if (this.failed) return;
    this.#current = shared;
    const examples = this.#parts === shared.parts ? undefined : shareParts(this.#kernels, shared.parts);
    this.#parts = shared.parts;
    const { tasks, next } = shared;
    this.#deals = next.buffer instanceof ArrayBuffer;
    const counter = this.#deals ? null : (next.buffer as SharedArrayBuffer);
    const message: TasksMessage = { round: ++this.#round, tasks, next: counter, examples };
    for (const thread of this.#threads) thread.send(message);
  }

  /** Lets messages arrive, if threads ask for tasks by them. */
  async listen(): Promise<void> {
    // Pages delay repeated timers by 4 ms.
    if (this.#deals)
      await new Promise<void>((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(port1.close());
        port2.postMessage(null);
      });
  }

  /** Waits for a result, the end of a thread, or a tenth of a second. */
  async news(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patienceMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  close(): void {
    for (const thread of this.#threads.splice(0)) thread.end();
  }

  #take(thread: FoldThread, { round, task, result }: ResultMessage): void {
    if (round !== this.#round) return;
    const { tasks, next, found } = this.#current!;
    if (task !== null) found[task] = result;
    if (this.#deals && next[0]! < tasks.length) thread.send({ round, dealt: next[0]!++ } satisfies DealtTask);
    this.#wake();
  }
}
