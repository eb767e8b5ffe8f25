import type { Alarm } from '../watch/alarm.ts';

export interface WebhookOptions {
  /** Time in milliseconds before the second attempt; it doubles each time. Default 1000. */
  readonly firstDelay?: number | undefined;
  /** Number of attempts before an alarm is given up. Default 10, about 9 minutes. */
  readonly attempts?: number | undefined;
  /** Largest number of alarms that wait; then the oldest is given up. Default 1000. */
  readonly waiting?: number | undefined;
}

/** Time in milliseconds that a receiver has for its answer. */
const answerMs = 10_000;

/**
 * Posts alarms to one URL as JSON, one after another, in order. An attempt that finds no receiver, or is answered by
 * 408, 429 or 5xx, is made again later. Nobody waits for it, and its memory is bounded. Redirects are not followed:
 * alarms go where the settings say.
 */
export class Webhook {
  readonly #url: string;
  readonly #firstDelay: number;
  readonly #attempts: number;
  readonly #most: number;
  readonly #onLoss: (message: string) => void;
  readonly #waiting: { readonly model: string; readonly alarm: Alarm }[] = [];
  readonly #ended = new AbortController();
  #isRunning = false;

  /** @param onLoss is told why an alarm was given up, without the URL's secrets. */
  constructor(url: string, onLoss: (message: string) => void, options: WebhookOptions = {}) {
    const { firstDelay = 1000, attempts = 10, waiting = 1000 } = options;
    this.#url = url;
    this.#onLoss = onLoss;
    this.#firstDelay = firstDelay;
    this.#attempts = attempts;
    this.#most = waiting;
  }

  send(model: string, alarm: Alarm): void {
    if (this.#ended.signal.aborted) return;
    if (this.#waiting.length >= this.#most) {
      // The first one may be on its way.
      this.#waiting.splice(this.#isRunning ? 1 : 0, 1);
      this.#lose(`more than ${this.#most} alarms wait`);
    }
    this.#waiting.push({ model, alarm });
    if (!this.#isRunning) void this.#run();
  }

  /** Gives up what waits. */
  close(): void {
    this.#ended.abort();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0 && !this.#ended.signal.aborted) {
      const { model, alarm } = this.#waiting[0]!;
      const reason = await this.#post(model, alarm);
      if (reason !== null && !this.#ended.signal.aborted) this.#lose(reason);
      this.#waiting.shift();
    }
    this.#isRunning = false;
  }

  /** Returns null, or why the alarm is given up. */
  async #post(model: string, alarm: Alarm): Promise<string | null> {
    const { sequence, detector, input } = alarm;
    const request: RequestInit = {
      method: 'POST',
      body: JSON.stringify({ model, ...alarm }),
      headers: {
        'content-type': 'application/json',
        // The same at each attempt, so that the receiver can tell a repetition.
        'idempotency-key': encodeURIComponent(`${model}/${sequence}/${detector}/${input ?? ''}`),
      },
      redirect: 'manual',
    };
    let reason = '';
    for (let attempt = 1, delay = this.#firstDelay; attempt <= this.#attempts; attempt++, delay *= 2) {
      try {
        const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(answerMs)]);
        const response = await fetch(this.#url, { ...request, signal });
        await response.body?.cancel();
        if (response.ok) return null;
        reason = `the answer was ${response.status}`;
        if (response.status < 500 && response.status !== 408 && response.status !== 429) return reason;
      } catch {
        reason = 'there was no answer';
      }
      if (attempt < this.#attempts) await this.#pause(delay);
      if (this.#ended.signal.aborted) return reason;
    }
    return reason;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const { signal } = this.#ended;
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end);
    });
  }

  #lose(reason: string): void {
    this.#onLoss(`an alarm for the webhook at ${new URL(this.#url).host} was given up: ${reason}`);
  }
}
