import { clientError, ServiceError } from './service-error.ts';
import type { Problem } from './types.ts';

/** Options of every call. */
export interface CallOptions {
  /** Ends the call with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

export interface ClientOptions {
  /** Key of the service, sent as `Authorization: Bearer`. */
  readonly key?: string | undefined;
  /** Time in milliseconds for one attempt; 0: any. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Largest number of further attempts after a failed one. Default 4. */
  readonly retries?: number | undefined;
  /** Returns random numbers in [0, 1), which spread the attempts of many clients. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** Default: that of the runtime. */
  readonly fetch?: typeof fetch | undefined;
}

export interface Asked {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path from the address of the service, without a slash in front. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | undefined;
  /** True: the outcome is the same if the service did it twice. Else only a request that it refused is tried again. */
  readonly isRepeatable: boolean;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const defaults = { timeoutMs: 30_000, retries: 4, random: () => Math.random() };
/** Wait in milliseconds before the second attempt, which doubles; and the longest one. */
const [firstWait, longestWait] = [250, 10_000];
/** With a longer `Retry-After`, in seconds, the error is thrown. */
const longestRetryAfter = 60;

/** Sends requests, and tries again what may succeed later. */
export class Transport {
  readonly #url: string;
  readonly #authorization: string | undefined;
  readonly #fetch: typeof fetch;
  readonly retries: number;
  readonly #timeoutMs: number;
  readonly random: () => number;

  /** @throws ServiceError `option-invalid`. */
  constructor(url: string | URL, options: ClientOptions) {
    const { key, fetch: given, timeoutMs, retries, random, ...others } = options;
    const [other] = Object.keys(others);
    if (other !== undefined)
      throw clientError('option-invalid', `expected key, timeoutMs, retries, random, fetch; got "${other}"`);
    this.#url = String(url).replace(/\/*$/, '/');
    this.#authorization = key === undefined ? undefined : `Bearer ${key}`;
    // Some runtimes call fetch with their global object only.
    this.#fetch = given ?? ((...asked) => fetch(...asked));
    this.#timeoutMs = timeoutMs ?? defaults.timeoutMs;
    this.retries = retries ?? defaults.retries;
    this.random = random ?? defaults.random;
  }

  /**
   * Sends a request until it succeeds, or fails for good.
   *
   * @param read makes the value of an answer of success. Its errors are treated like those of the service.
   * @throws ServiceError; the reason of the signal.
   */
  async send<T>(asked: Asked, { signal }: CallOptions, read: (answered: Answered) => T): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return read(await this.once(asked, signal));
      } catch (error) {
        const wait = attempt < this.retries ? this.waitAfter(error, asked.isRepeatable, attempt) : null;
        if (wait === null) throw error;
        await pause(wait, signal);
      }
    }
  }

  /** Opens an answer that is read as it comes. @throws as {@link send}. */
  async open(asked: Asked, signal: AbortSignal): Promise<Response> {
    const response = await this.#fetch(this.#url + asked.path, this.#init(asked, signal)).catch((error: unknown) => {
      throw signal.aborted ? signal.reason : unreachable(error);
    });
    if (!response.ok) throw errorOf(response, await response.text());
    return response;
  }

  /** Returns the wait in milliseconds after a failed attempt, from 0; null: it would not succeed. */
  waitAfter(error: unknown, isRepeatable: boolean, attempt: number): number | null {
    if (!(error instanceof ServiceError)) return null;
    const { status, code, retryAfter } = error;
    const isRefused = status === 429 || status === 503;
    const isUncertain = [408, 502, 504].includes(status) || code === 'unreachable' || code === 'timeout';
    if (!isRefused && !(isUncertain && isRepeatable)) return null;
    const grown = Math.min(longestWait, firstWait * 2 ** attempt) * (0.5 + this.random() / 2);
    if (retryAfter === null) return grown;
    return retryAfter > longestRetryAfter ? null : retryAfter * 1000 + grown;
  }

  /** Sends a request once. @throws as {@link send}. */
  async once(asked: Asked, signal: AbortSignal | undefined): Promise<Answered> {
    signal?.throwIfAborted();
    const own = new AbortController();
    const abort = () => own.abort(signal!.reason);
    signal?.addEventListener('abort', abort);
    const late = clientError('timeout', `expected an answer within ${this.#timeoutMs} ms; got none`);
    const timer = this.#timeoutMs > 0 ? setTimeout(() => own.abort(late), this.#timeoutMs) : undefined;
    try {
      const response = await this.#fetch(this.#url + asked.path, this.#init(asked, own.signal));
      const text = await response.text();
      if (!response.ok) throw errorOf(response, text);
      return { status: response.status, headers: response.headers, text };
    } catch (error) {
      if (own.signal.aborted) throw own.signal.reason;
      throw error instanceof ServiceError ? error : unreachable(error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  #init({ method, headers = {}, body }: Asked, signal: AbortSignal): RequestInit {
    const all = new Headers();
    if (this.#authorization !== undefined) all.set('authorization', this.#authorization);
    if (body !== undefined) all.set('content-type', 'application/json');
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) all.set(name, value);
    return { method, headers: all, signal, ...(body === undefined ? {} : { body }) };
  }
}

function unreachable(cause: unknown): ServiceError {
  // Node tells only there what failed.
  const { code } = ((cause as Error | undefined)?.cause ?? {}) as { code?: unknown };
  const reason = code === undefined ? cause : `${cause}: ${code}`;
  return clientError('unreachable', `expected an answer of the service; got none (${reason})`, 0, cause);
}

function errorOf({ status, headers }: Response, text: string): ServiceError {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const problem = problemIn(text);
  if (problem === null)
    return clientError('answer-unknown', `expected an answer of the service; got ${status}`, status);
  return new ServiceError(problem, Number.isFinite(seconds) ? seconds : null);
}

function problemIn(text: string): Problem | null {
  try {
    const problem = JSON.parse(text) as Partial<Problem> | null;
    return typeof problem?.code === 'string' && typeof problem.detail === 'string' ? (problem as Problem) : null;
  } catch {
    return null;
  }
}

/** Waits. @throws the reason of the signal. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}
