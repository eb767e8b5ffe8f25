import { type FoldThread, type FoldThreads, fileAccess } from '../data/input/file-access.ts';
import type { FoldContext } from '../evaluate/candidate.ts';
import type { FoldParts } from '../evaluate/fold-parts.ts';
import type { Metric } from '../evaluate/metric.ts';
import type { FeatureEncoding } from '../features/encoding.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { compiledModule } from '../kernels/wasm.ts';
import { type ResultMessage, shareParts, type TasksMessage, type ThreadSetup } from './messages.ts';
import type { ResultOf, Task } from './task.ts';

/** Milliseconds until {@link Helpers.news} returns without news. */
const patienceMs = 100;

/** Tasks that several threads run. */
export interface SharedTasks {
  readonly parts: FoldParts;
  readonly tasks: readonly Task[];
  /** Number of the next task, in shared memory. */
  readonly next: Int32Array;
  /** Gets the results by task; null if a thread could not run it. */
  readonly found: (ResultOf<Task> | null | undefined)[];
}

/** Starts threads for at most `tasks` tasks; null where there are none. */
export async function startHelpers(
  { kernels, classes, weighing, encoding, threads: most = Infinity }: FoldContext,
  metric: Metric | null,
  tasks: number,
): Promise<Helpers | null> {
  const threads = await (await fileAccess())?.foldThreads();
  const useful = Math.min(threads?.cores ?? 1, most, tasks);
  if (threads == null || useful < 2) return null;
  const given = encoding();
  // Names may be many, and no rule of weights needs them.
  const short: FeatureEncoding = given.kind === 'named' ? { ...given, names: [] } : given;
  const { factors } = weighing;
  const setup: ThreadSetup = { module: compiledModule(), classes, factors, encoding: short, metric };
  return new Helpers(kernels, useful - 1, (on) => threads.start(setup, on));
}

/** Threads that run tasks beside the caller's. */
export class Helpers {
  readonly #kernels: Kernels;
  readonly #threads: FoldThread[] = [];
  #current: SharedTasks | null = null;
  #parts: FoldParts | null = null;
  #round = 0;
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
    for (let k = 0; k < threads; k++)
      this.#threads.push(start({ message: (message) => this.#take(message as ResultMessage), end }));
  }

  /** Starts work on tasks, which ends when all are taken. */
  begin(shared: SharedTasks): void {
    if (this.failed) return;
    this.#current = shared;
    const examples = this.#parts === shared.parts ? undefined : shareParts(this.#kernels, shared.parts);
    this.#parts = shared.parts;
    const { tasks, next } = shared;
    const message: TasksMessage = { round: ++this.#round, tasks, next: next.buffer as SharedArrayBuffer, examples };
    for (const thread of this.#threads) thread.send(message);
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

  #take({ round, task, result }: ResultMessage): void {
    if (round === this.#round) this.#current!.found[task] = result;
    this.#wake();
  }
}
