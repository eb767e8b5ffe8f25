import type { FoldContext } from '../evaluate/candidate.ts';
import type { FoldParts } from '../evaluate/fold-parts.ts';
import type { Metric } from '../evaluate/metric.ts';
import { hasHyperplanes, type RuleName } from '../rules/registry.ts';
import type { Goal } from '../train/goal.ts';
import type { Helpers } from './helpers.ts';
import { type ResultOf, runTask, type Task } from './task.ts';
import { memoryOf } from './threads.ts';

/** Starts threads, when tasks are large and many enough that threads pay off. */
export interface Starting {
  /** Smallest number of values that a pass learns from, counted for each class of three or more. */
  readonly leastValues: number;
  /** Milliseconds that tasks must have taken, and must still take. */
  readonly leastSpent: number;
  readonly leastLeft: number;
  /** Starts threads, with the caller's at most `useful`; null where there are none. */
  start(context: FoldContext, metric: Metric | null, useful: number): Promise<Helpers | null>;
}

const whenItPaysOff: Starting = {
  leastValues: 1 << 16,
  leastSpent: 40,
  leastLeft: 250,
  start: async (...given) => (await import('./helpers.ts')).startHelpers(...given),
};

/** The goal of tasks, also as plain data for threads. */
interface TaskGoal {
  /** Null for accuracy. */
  readonly goal: Goal | null;
  /** The metric of `goal`; null for accuracy. Absent: unknown, so no threads are started. */
  readonly metric?: Metric | null | undefined;
}

/**
 * Runs tasks on all cores, and gives their results in order, with the same bits as one thread.
 *
 * The caller's thread begins alone. Threads are started when the time that tasks have taken shows that they pay off.
 * Each of them copies the examples once for each dealing of folds, at most 96 MiB, and has memory for its own run; one
 * more copy is in shared memory; in a page that is not isolated, one for each thread. What a thread cannot run, for
 * want of memory for example, the caller's thread runs.
 */
export class FoldPool {
  readonly #context: FoldContext;
  readonly #goal: TaskGoal;
  readonly #starting: Starting;
  #helpers: Helpers | null = null;
  /** False if threads were sought in vain, or failed. */
  #mayStart: boolean;
  /** Milliseconds that the tasks of this thread took, and their number. */
  #spent = 0;
  #ran = 0;

  constructor(context: FoldContext, goal: TaskGoal, starting = whenItPaysOff) {
    this.#context = context;
    this.#goal = goal;
    this.#starting = starting;
    const { threads = Infinity } = context;
    this.#mayStart = threads > 1 && goal.metric !== undefined && context.kernels.name === 'wasm';
  }

  /**
   * Runs tasks.
   *
   * @param later largest number of tasks that will follow these.
   * @param onResult called with the result of each task, in order.
   * @throws HalfspaceError as runs do, and what `breathe` throws.
   */
  async run<T extends Task>(
    parts: FoldParts,
    tasks: readonly T[],
    later: number,
    onResult: (result: ResultOf<T>, task: number) => void,
  ): Promise<void> {
    const next = new Int32Array(memoryOf(4));
    /** Results of the tasks that are done; null: a thread could not run it. */
    const found: (ResultOf<T> | null | undefined)[] = [];
    let told = 0;
    const tell = () => {
      for (let result = found[told]; result != null; result = found[told]) onResult(result, told++);
    };
    const { breathe, classes } = this.#context;
    const areLarge = parts.stored * (classes > 2 ? classes : 1) >= this.#starting.leastValues;
    const begin = () => this.#helpers?.begin({ parts, tasks, next, found });
    const runHere = async (k: number) => {
      const from = performance.now();
      const breatheAndLook = async () => {
        await breathe();
        const spent = this.#spent + performance.now() - from;
        const left = tasks.length - Atomics.load(next, 0) + later;
        const useful = this.#useful(spent, left);
        if (useful < 2) return;
        await this.#start(Math.min(useful, tasks.length));
        begin();
      };
      const context = this.#mayStart && areLarge ? { ...this.#context, breathe: breatheAndLook } : this.#context;
      found[k] = await runTask(tasks[k]!, context, parts, this.#goal.goal);
      this.#spent += performance.now() - from;
      this.#ran++;
      await context.breathe();
      await this.#helpers?.listen();
    };
    begin();
    for (let k = Atomics.add(next, 0, 1); k < tasks.length; k = Atomics.add(next, 0, 1)) {
      await runHere(k);
      tell();
    }
    while (told < tasks.length) {
      if (this.#helpers?.failed !== false || found[told] === null) await runHere(told);
      else {
        await this.#helpers.news();
        await breathe();
      }
      tell();
    }
  }

  /** Runs `use` with a pool that judges a rule by accuracy, and closes it. Trees need names, which threads lack. */
  static async judging<T>(context: FoldContext, rule: RuleName, use: (pool: FoldPool) => Promise<T>): Promise<T> {
    const pool = new FoldPool(context, { goal: null, metric: hasHyperplanes(rule) ? null : undefined });
    try {
      return await use(pool);
    } finally {
      pool.close();
    }
  }

  /** Ends all threads. */
  close(): void {
    this.#helpers?.close();
    this.#helpers = null;
    this.#mayStart = false;
  }

  /** Returns the number of threads that pay off. @param left number of tasks. */
  #useful(spent: number, left: number): number {
    const { leastSpent, leastLeft } = this.#starting;
    if (!this.#mayStart || spent < leastSpent) return 1;
    return 1 + Math.floor(((spent / (this.#ran + 1)) * left) / leastLeft);
  }

  async #start(useful: number): Promise<void> {
    this.#mayStart = false;
    this.#helpers = await this.#starting.start(this.#context, this.#goal.metric!, useful);
  }
}
