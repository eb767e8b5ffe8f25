import { type ErrorCode, HalfspaceError, quote } from './errors.ts';

/**
 * Runs a call that reads an object of the user. Reading it may run the user's code, such as a getter, which may throw.
 *
 * @param what that is read, such as `a row`.
 * @throws HalfspaceError `code`, or that of the call; `cause` is what was thrown.
 */
export function readable<T>(what: string, read: () => T, code: ErrorCode = 'row-malformed'): T {
  try {
    return read();
  } catch (error) {
    throw unreadable(error, what, code);
  }
}

/** Returns the error of {@link readable}, for calls that are too frequent for a function each. */
export function unreadable(error: unknown, what = 'a row', code: ErrorCode = 'row-malformed'): HalfspaceError {
  if (error instanceof HalfspaceError) return error;
  const got = error instanceof Error ? error.message : quote(error);
  const refused = new HalfspaceError(code, `expected ${what} that can be read; got an error while reading it: ${got}`);
  refused.cause = error;
  return refused;
}

/** Lets one row be read at a time: a getter of a row may call the object that reads it, in the middle of its work. */
export class OneReading {
  #isBusy = false;

  /** @throws HalfspaceError `row-malformed` while a row is read; nothing is changed then. */
  enter(): void {
    if (this.#isBusy)
      throw new HalfspaceError(
        'row-malformed',
        'expected a row whose getters do not call the object that reads it; got such a call: pass a plain copy of the row',
      );
    this.#isBusy = true;
  }

  leave(): void {
    this.#isBusy = false;
  }

  run<T>(call: () => T): T {
    this.enter();
    try {
      return call();
    } finally {
      this.#isBusy = false;
    }
  }
}
