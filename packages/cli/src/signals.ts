import { HalfspaceError } from 'halfspace';
import { onPending } from 'halfspace/node';

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface Interruption {
  readonly controller: AbortController;
  /** True if the command ends by itself after the controller has aborted. */
  awaited: boolean;
  listening: boolean;
  readonly receive: (name: NodeJS.Signals) => void;
}

/** One object per process, because the bundle has copies of this module in several files. */
const shared = globalThis as unknown as Record<symbol, Interruption | undefined>;
const key = Symbol.for('halfspace.interruption');
shared[key] ??= { controller: new AbortController(), awaited: false, listening: false, receive };
const interruption = shared[key];

/**
 * Returns a signal that Ctrl-C, a termination request or a closed terminal aborts, so that the run can end regularly. A
 * second one ends the process at once.
 */
export function interruptSignal(): AbortSignal {
  interruption.awaited = true;
  listen(true);
  return interruption.controller.signal;
}

/**
 * From now on a signal removes temporary files before it ends the process. Without temporary files, and unless {@link
 * interruptSignal} was called, there is no listener, so signals work even while the event loop is blocked.
 */
export function clearOnSignals(): void {
  onPending((isPending) => listen(isPending || interruption.awaited));
}

function listen(wanted: boolean): void {
  if (wanted === interruption.listening) return;
  interruption.listening = wanted;
  for (const name of names) {
    if (wanted) process.on(name, interruption.receive);
    else process.off(name, interruption.receive);
  }
}

function receive(name: NodeJS.Signals): void {
  const { controller, awaited } = interruption;
  if (awaited && !controller.signal.aborted) controller.abort();
  else endBy(name);
}

/** Removes temporary files and ends the process by the same signal, so that the shell sees which signal ended it. */
function endBy(name: NodeJS.Signals): void {
  for (const each of names) process.removeAllListeners(each);
  process.once('exit', () => process.kill(process.pid, name));
  process.exit();
}

/** Returns the signal of {@link interruptSignal}, which also aborts when the process is `seconds` old. */
export function stopSignal(seconds: number): AbortSignal {
  const controller = new AbortController();
  const stop = () => controller.abort();
  const interrupted = interruptSignal();
  if (interrupted.aborted) stop();
  else interrupted.addEventListener('abort', stop, { once: true });
  setTimeout(stop, Math.min(longestTimer, Math.max(0, 1000 * (seconds - process.uptime())))).unref();
  return controller.signal;
}

/** Maximum delay of a timer in milliseconds: 24 days. */
const longestTimer = 2 ** 31 - 1;

/**
 * Settles like `promise`, but fails at once if a run that called {@link interruptSignal} is interrupted, because the
 * promise may take long.
 */
export function unlessInterrupted<T>(promise: Promise<T>, failure: () => Error): Promise<T> {
  return interruption.awaited ? unlessStopped(promise, interruption.controller.signal, failure) : promise;
}

/** Settles like `promise`, but fails at once, by default with `interrupted`, when `signal` is aborted. */
export function unlessStopped<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  failure = (): Error => new HalfspaceError('interrupted', 'expected to read all rows; stopped before that'),
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(failure());
    const settling =
      <V>(settle: (value: V) => void) =>
      (value: V) => {
        signal.removeEventListener('abort', stop);
        settle(value);
      };
    promise.then(settling(resolve), settling(reject));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
}

/** Time between two turns of the event loop, in milliseconds. Without turns, no signal would arrive. */
const breathMs = 50;

/** Yields the batches, and lets the event loop turn from time to time so that signals arrive. */
export async function* hearingSignals<T>(batches: AsyncIterable<T>): AsyncGenerator<T> {
  let last = performance.now();
  for await (const batch of batches) {
    yield batch;
    if (performance.now() - last < breathMs) continue;
    await new Promise((resolve) => setImmediate(resolve));
    last = performance.now();
  }
}
