let controller: AbortController | null = null;

/** Aborted by Ctrl-C or a termination request, so that a run can end in good order; a second one ends it at once. */
export function interruptSignal(): AbortSignal {
  if (controller === null) {
    const own = new AbortController();
    controller = own;
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => own.abort());
  }
  return controller.signal;
}

/**
 * Settles as `promise` does, or fails as soon as a run that asked for {@link interruptSignal} is interrupted: what it waits for may be long in
 * coming.
 */
export function unlessInterrupted<T>(promise: Promise<T>, failure: () => Error): Promise<T> {
  if (controller === null) return promise;
  const { signal } = controller;
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
