import { HalfspaceError } from '../errors.ts';

/** Longest time in milliseconds without a turn of the event loop, so that signals arrive and pages respond. */
const longestWait = 100;

/** Gives the event loop a turn if one is due. @throws HalfspaceError `interrupted` after the caller asked to stop. */
export type Breathe = () => Promise<void>;

/**
 * Creates a function that long work awaits often. Each call reads the clock; every 100 ms it waits for the event loop.
 *
 * @param message of the error: "expected …; stopped …".
 */
export function createBreathe(signal: AbortSignal | undefined, message: () => string): Breathe {
  let pauseAt = performance.now() + longestWait;
  return async () => {
    if (performance.now() > pauseAt) {
      await new Promise((resolve) => setTimeout(resolve));
      pauseAt = performance.now() + longestWait;
    }
    if (signal?.aborted === true) throw new HalfspaceError('interrupted', message());
  };
}

/**
 * Returns what yields the same items until the signal asks to stop. Then it throws, also while an item is awaited, and
 * ends the items: `finally` of a generator runs, unless it awaits something itself, and a stream is cancelled. Gives
 * the event loop a turn where one is due.
 *
 * @param source name for the message.
 * @throws HalfspaceError `interrupted`; and what the items throw.
 */
export function stoppable<T>(
  items: AsyncIterable<T>,
  signal: AbortSignal | undefined,
  source: string,
): AsyncIterable<T>;
export function stoppable<T>(
  items: Iterable<T> | AsyncIterable<T>,
  signal: AbortSignal | undefined,
  source: string,
): Iterable<T> | AsyncIterable<T>;
export function stoppable<T>(
  items: Iterable<T> | AsyncIterable<T>,
  signal: AbortSignal | undefined,
  source: string,
): Iterable<T> | AsyncIterable<T> {
  return signal === undefined ? items : stopped(items, signal, source);
}

/** The message of what was stopped while it was read. */
export const readingStopped = 'expected to read all of it; stopped before that';

async function* stopped<T>(
  items: Iterable<T> | AsyncIterable<T>,
  signal: AbortSignal,
  source: string,
): AsyncGenerator<T> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const breathe = createBreathe(signal, () => readingStopped);
  let isDone = false;
  try {
    for (;;) {
      await breathe();
      const next = iterator.next();
      const { done = false, value } = next instanceof Promise ? await unlessAborted(next, signal, source) : await next;
      isDone = done;
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw error instanceof HalfspaceError && error.code === 'interrupted' ? error.at({ source }) : error;
  } finally {
    // Nobody waits for the end of items that were given up. A stream of Node ends by `destroy` alone while it waits.
    if (!isDone) {
      if (signal.aborted && 'destroy' in items && typeof items.destroy === 'function') items.destroy();
      void Promise.resolve(iterator.return?.()).catch(() => {});
    }
  }
}

/** Waits for a value or the signal. A race of promises would keep a handler at the signal for each value. */
export function unlessAborted<T>(value: Promise<T>, signal: AbortSignal, source: string): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(new HalfspaceError('interrupted', readingStopped, { source }));
    signal.addEventListener('abort', stop, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
    if (signal.aborted) stop();
  });
}
