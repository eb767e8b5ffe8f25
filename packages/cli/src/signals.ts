import { onPending } from 'halfspace/node';

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface Interruption {
  readonly controller: AbortController;
  /** Whether the command ends in good order by itself once the controller has aborted. */
  awaited: boolean;
  listening: boolean;
  readonly receive: (name: NodeJS.Signals) => void;
}

/** One for the process: the bundle has a copy of this module in several of its files. */
const shared = globalThis as unknown as Record<symbol, Interruption | undefined>;
const key = Symbol.for('halfspace.interruption');
shared[key] ??= { controller: new AbortController(), awaited: false, listening: false, receive };
const interruption = shared[key];

/**
 * Aborted by Ctrl-C, a termination request or a terminal that is closed, so that a run can end in good order; a second one ends it at once.
 */
export function interruptSignal(): AbortSignal {
  interruption.awaited = true;
  listen(true);
  return interruption.controller.signal;
}

/**
 * From now on a signal leaves no temporary file. Without one, and for commands that never asked for {@link interruptSignal}, signals do what
 * they do to any process, even while the event loop does not turn.
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

/** Clears away what is temporary, and ends the process by the signal, as it would have ended without this module: a shell asks what ended it. */
function endBy(name: NodeJS.Signals): void {
  for (const each of names) process.removeAllListeners(each);
  process.once('exit', () => process.kill(process.pid, name));
  process.exit();
}

/**
 * Settles as `promise` does, or fails as soon as a run that asked for {@link interruptSignal} is interrupted: what it waits for may be long in
 * coming.
 */
export function unlessInterrupted<T>(promise: Promise<T>, failure: () => Error): Promise<T> {
  if (!interruption.awaited) return promise;
  const { signal } = interruption.controller;
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

/** A run that never waits hears nothing: so often it lets the event loop turn. */
const breathMs = 50;

/** Goes through batches, and now and then lets a signal be heard. */
export async function* hearingSignals<T>(batches: AsyncIterable<T>): AsyncGenerator<T> {
  let last = performance.now();
  for await (const batch of batches) {
    yield batch;
    if (performance.now() - last < breathMs) continue;
    await new Promise((resolve) => setImmediate(resolve));
    last = performance.now();
  }
}
