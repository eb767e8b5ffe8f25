/**
 * Runs one asynchronous job on request, never twice at a time. All requests during a run of the job are answered by one
 * more run after it.
 */
export class LatestJob {
  readonly #job: (newer: AbortSignal) => Promise<void>;
  readonly #onIdle: () => void;
  #isRequested = false;
  #current: AbortController | null = null;
  #working: Promise<void> | null = null;

  /**
   * @param job reads its input when it begins, and must not throw. `newer` is aborted as soon as another run is
   * requested, so that the job can end early.
   * @param onIdle is called when the last requested run is over.
   */
  constructor(job: (newer: AbortSignal) => Promise<void>, onIdle: () => void = () => {}) {
    this.#job = job;
    this.#onIdle = onIdle;
  }

  get isIdle(): boolean {
    return this.#working === null;
  }

  /** Requests a run of the job that begins after this call. Resolves when no requested run is left. */
  request(): Promise<void> {
    this.#isRequested = true;
    this.#current?.abort();
    this.#working ??= this.#work();
    return this.#working;
  }

  async #work(): Promise<void> {
    while (this.#isRequested) {
      this.#isRequested = false;
      this.#current = new AbortController();
      await this.#job(this.#current.signal);
    }
    this.#current = null;
    this.#working = null;
    this.#onIdle();
  }
}
