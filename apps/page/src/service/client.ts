import { type ServerEvent, serverEvents } from './server-events.ts';

/** A refusal of the service: a problem of RFC 9457, or an answer that is none. */
export class Refused extends Error {
  readonly status: number;
  /** A stable name of the kind of error. */
  readonly code: string;

  constructor(status: number, code: string, detail: string) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

/** The tab that shows the page keeps the key. It is in no address and in no other storage. */
const storedKey = 'halfspace service key';

/** Asks the service that the page came from. */
export class Client {
  /** The service, which may be under a path of a proxy. */
  readonly #base = new URL('./', location.href);
  #key: string | null = sessionStorage.getItem(storedKey);

  get hasKey(): boolean {
    return this.#key !== null;
  }

  /** @param key null: forgets it. */
  setKey(key: string | null): void {
    this.#key = key;
    if (key === null) sessionStorage.removeItem(storedKey);
    else sessionStorage.setItem(storedKey, key);
  }

  /** @throws Refused; TypeError if the service cannot be reached; `AbortError`. */
  async get<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
    return (await this.#send(path, { signal: signal ?? null })).json();
  }

  /** @throws as {@link get}. */
  async post<Answer>(path: string, body: object): Promise<Answer> {
    const headers = { 'content-type': 'application/json' };
    return (await this.#send(path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  }

  /** Yields the events of a model until its stream ends. `EventSource` cannot send a key. @throws as {@link get}. */
  async *events(model: string, signal: AbortSignal): AsyncGenerator<ServerEvent> {
    const { body } = await this.#send(`v1/models/${model}/events`, { signal });
    yield* serverEvents(body!);
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const response = await fetch(new URL(path, this.#base), {
      ...init,
      headers: { ...init.headers, ...(this.#key === null ? {} : { authorization: `Bearer ${this.#key}` }) },
      cache: 'no-store',
      credentials: 'omit',
    });
    if (response.ok) return response;
    const problem = (await response.json().catch(() => ({}))) as { code?: string; detail?: string };
    const { code = 'unknown', detail = `the service answered ${response.status}` } = problem;
    throw new Refused(response.status, code, detail);
  }
}
