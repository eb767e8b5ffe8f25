import type { FoldContext } from '../evaluate/candidate.ts';
import type { FoldParts } from '../evaluate/fold-parts.ts';
import { goalOf } from '../evaluate/metric-value.ts';
import { createWasmKernels } from '../kernels/wasm.ts';
import { ClassWeighing } from '../train/class-weights.ts';
import { openParts, type ResultMessage, type SharedParts, type TasksMessage, type ThreadSetup } from './messages.ts';
import { type ResultOf, runTask, type Task } from './task.ts';

/**
 * Returns what a thread does with a message: it takes tasks until none are left, and sends their results.
 *
 * @param send sends a {@link ResultMessage}.
 */
export function foldWorker(
  { module, classes, factors, encoding, metric }: ThreadSetup,
  send: (message: ResultMessage) => void,
): (message: TasksMessage) => Promise<void> {
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
  let before = Promise.resolve();
  return (message) => {
    before = before.then(() => work(message));
    return before;
  };

  async function work({ round, tasks, next, examples }: TasksMessage): Promise<void> {
    const numbers = new Int32Array(next);
    if (examples !== undefined) {
      parts?.free();
      parts = null;
      shared = examples;
    }
    for (;;) {
      const task = Atomics.add(numbers, 0, 1);
      if (task >= tasks.length) break;
      send({ round, task, result: await resultOf(tasks[task]!) });
    }
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
