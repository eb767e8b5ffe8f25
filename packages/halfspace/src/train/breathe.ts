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
