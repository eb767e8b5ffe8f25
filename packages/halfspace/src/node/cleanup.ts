const pending = new Set<() => void>();
let listener: (isPending: boolean) => void = () => {};

/**
 * Calls `clear` when the process ends by itself or by `process.exit`, unless the returned function was called before: for what must not be
 * left behind. A signal without a handler ends a process without this; see {@link onPending}.
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
 * Has a program told when there comes to be something that must not be left behind, and when there is nothing any more: in between it
 * should turn signals into `process.exit`.
 */
export function onPending(told: (isPending: boolean) => void): void {
  listener = told;
  if (pending.size > 0) told(true);
}

function clearAll(): void {
  for (const clear of pending) {
    try {
      clear();
    } catch {
      // The others are cleared all the same.
    }
  }
  pending.clear();
}
