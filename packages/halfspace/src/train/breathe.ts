import { HalfspaceError } from '../errors.ts';

/** The event loop waits no longer than this, in milliseconds, so that signals are heard and pages stay alive. */
const patienceMs = 100;

/** Lets the event loop turn where that is due. @throws HalfspaceError `interrupted` once the caller has asked to stop. */
export type Breathe = () => Promise<void>;

/**
 * Returns a function that long work awaits again and again. A call costs a look at the clock; every 100 ms it waits for the event loop.
 *
 * @param message of the error: "expected …; stopped …".
 */
export function createBreathe(signal: AbortSignal | undefined, message: string): Breathe {
  let pauseAt = performance.now() + patienceMs;
  return async () => {
    if (performance.now() > pauseAt) {
      await new Promise((resolve) => setTimeout(resolve));
      pauseAt = performance.now() + patienceMs;
    }
    if (signal?.aborted === true) throw new HalfspaceError('interrupted', message);
  };
}
