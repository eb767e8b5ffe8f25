const pending = new Set<() => void>();
let listener: (isPending: boolean) => void = () => {};

/**
 * Calls `clear` when the process ends by itself or by `process.exit`, so that nothing is left behind. The returned
 * function cancels this. A signal without a handler ends a process without the call; see {@link onPending}.
 */
export function clearAtExit(clear: () => void): () => void {
  if (pending.size === 0) {
    process.once('exit', clearAll);
    listener(true);
  }
  pending.add(clear);
  return () => {
    if (!pending.delete(clear) || pending.size > 0) return;
    process.off('exit', clearAll);
    listener(false);
  };
}

/**
 * Calls `notify(true)` when there is something to clear, and `notify(false)` when there is nothing any more. In between
 * the program should turn signals into `process.exit`.
 */
export function onPending(notify: (isPending: boolean) => void): void {
  listener = notify;
  if (pending.size > 0) notify(true);
}

function clearAll(): void {
  for (const clear of pending) {
    try {
      clear();
    } catch {
      // Clear the others anyway.
    }
  }
  pending.clear();
}
