/** Wakes those who wait for something. */
export class Bell {
  readonly #waiting = new Set<() => void>();

  ring(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /**
   * Waits for the next ring, or until a time in milliseconds has passed.
   *
   * @param gatherMs time from the ring to the end of the wait, in which more may come.
   * @param signal ends the wait, too.
   */
  heard(ms: number, gatherMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const wake = () => {
        clearTimeout(timer);
        timer = setTimeout(end, gatherMs);
      };
      let timer = setTimeout(end, ms);
      this.#waiting.add(wake);
      if (!signal.aborted) signal.addEventListener('abort', end);
    });
  }
}
