import type { FoldContext } from '../evaluate/candidate.ts';
import type { FoldParts } from '../evaluate/fold-parts.ts';
import { goalOf } from '../evaluate/metric-value.ts';
import { createWasmKernels } from '../kernels/wasm.ts';
import { ClassWeighing } from '../train/class-weights.ts';
import {
  type DealtTask,
  openParts,
  type ResultMessage,
  type SharedParts,
  type TasksMessage,
  type ThreadSetup,
} from './messages.ts';
import { type ResultOf, runTask, type Task } from './task.ts';

/**
 * Returns what a thread does with a message: it takes tasks until none are left, and sends their results.
 *
 * @param send sends a {@link ResultMessage}.
 */
export function foldWorker(
  { module, classes, factors, encoding, metric }: ThreadSetup,
  send: (message: ResultMessage) => void,
): (message: TasksMessage | DealtTask) => Promise<void> {
  const kernels = createWasmKernels(module as WebAssembly.Module);
  if (kernels === null) throw new Error('expected WebAssembly in a thread, as in the caller; got none');
  const context: FoldContext = {
    kernels,
    classes,
    weighing: new ClassWeighing(factors),
    encoding: () => encoding,
    breathe: async () => {},
  };
  const goal = metric === null ? null : goalOf(metric);
  /** The examples, once a task needs them. */
  let parts: FoldParts | null = null;
  let shared: SharedParts | null = null;
  let tasks: readonly Task[] = [];
  let before = Promise.resolve();
  return (message) => {
    before = before.then(() => work(message));
    return before;
  };

  async function work(message: TasksMessage | DealtTask): Promise<void> {
    const { round } = message;
    const run = async (task: number) => send({ round, task, result: await resultOf(tasks[task]!) });
    if ('dealt' in message) return run(message.dealt);
    const { next, examples } = message;
    ({ tasks } = message);
    if (examples !== undefined) {
      parts?.free();
      parts = null;
      shared = examples;
    }
    if (next === null) {
      // One to run, and one that waits: the caller's thread answers between its own tasks only.
      for (let k = 0; k < 2; k++) send({ round, task: null, result: null });
      return;
    }
    const numbers = new Int32Array(next);
    for (let task = Atomics.add(numbers, 0, 1); task < tasks.length; task = Atomics.add(numbers, 0, 1)) await run(task);
  }

  /** Returns null after any error: the caller's thread runs the task again, and throws it if it happens there too. */
  async function resultOf(task: Task): Promise<ResultOf<Task> | null> {
    try {
      parts ??= openParts(context.kernels, shared!);
      return await runTask(task, context, parts, goal);
    } catch {
      return null;
    }
  }
}
