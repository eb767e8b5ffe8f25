import { ServiceClient } from 'halfspace-server/client';

/** The tab that shows the page keeps the key. It is in no address and in no other storage. */
const storedKey = 'halfspace service key';

/** The service that the page came from, which may be under a path of a proxy, and the key to it. */
export class Connection {
  #client: ServiceClient;
  #key: string | null = sessionStorage.getItem(storedKey);

  constructor() {
    this.#client = clientWith(this.#key);
  }

  /** Another one after each change of the key. */
  get client(): ServiceClient {
    return this.#client;
  }

  get hasKey(): boolean {
    return this.#key !== null;
  }

  /** @param key null: forgets it. */
  setKey(key: string | null): void {
    this.#key = key;
    this.#client = clientWith(key);
    if (key === null) sessionStorage.removeItem(storedKey);
    else sessionStorage.setItem(storedKey, key);
  }
}

function clientWith(key: string | null): ServiceClient {
  return new ServiceClient(new URL('./', location.href.replace(/#.*/, '')), {
    ...(key === null ? {} : { key }),
    retries: 1,
    timeoutMs: 15_000,
    fetch: (asked, init) => fetch(asked, { ...init, cache: 'no-store', credentials: 'omit' }),
  });
}
