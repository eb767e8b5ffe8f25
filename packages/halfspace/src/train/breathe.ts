import { HalfspaceError } from '../errors.ts';

/** Longest time that the event loop waits, in milliseconds, so that signals are heard and pages stay alive. */
const longestWait = 100;

/**
 * Lets the event loop turn when that is due. @throws HalfspaceError `interrupted` once the caller has asked to stop.
 */
export type Breathe = () => Promise<void>;

/**
 * Returns a function for long work to await often. A call reads the clock; every 100 ms it waits for the event loop.
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
