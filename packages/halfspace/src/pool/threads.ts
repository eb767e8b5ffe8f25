/** Threads that run tasks on folds (helpers.ts): those of Node, Bun and Deno, or Web Workers. */
export interface FoldThreads {
  /** Number of threads that can work at a time, the caller's included. */
  readonly cores: number;
  /** Starts a thread. @param on called with its messages, and when it failed or ended. @throws if it may not start. */
  start(setup: unknown, on: { message(message: unknown): void; end(): void }): FoldThread;
}

export interface FoldThread {
  send(message: unknown): void;
  end(): void;
}

/**
 * Loads the threads of the runtime; null if it has none. package.json leads `#threads` to node/parallel/fold-threads.ts
 * under the condition `node`, and to page-threads.ts otherwise.
 */
export async function loadThreads(): Promise<FoldThreads | null> {
  try {
    const { foldThreads } = (await import('#threads')) as { readonly foldThreads: () => FoldThreads | null };
    return foldThreads();
  } catch (error) {
    // A page without a bundler cannot resolve the name.
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Shared memory; or memory of which each thread gets a copy. */
export type Memory = SharedArrayBuffer | ArrayBuffer;

/** Returns shared memory where the runtime has it. Pages have it only if they are isolated from others. */
export function memoryOf(bytes: number): Memory {
  return typeof SharedArrayBuffer === 'undefined' ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes);
}
