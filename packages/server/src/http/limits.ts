/** Bounds of what clients may ask for. */
export interface RequestLimits {
  /** Largest body, and largest line of a stream, in bytes. Default 8 MiB. */
  readonly body: number;
  /** Largest number of rows of a request that is no stream. Default 10,000. */
  readonly rows: number;
  /** Largest number of fields or numbers of a row. Default 65,536. */
  readonly features: number;
  /** Largest depth of JSON. Default 32. */
  readonly depth: number;
  /** Largest number of readers of events at once. Default 100. */
  readonly readers: number;
  /** Seconds in which the headers of a request must arrive. Default 10. */
  readonly headerSeconds: number;
  /** Seconds in which a request must arrive, streams included; 0: any time. Default 300. */
  readonly requestSeconds: number;
  /** Seconds for which a connection may be idle between requests. Default 60. */
  readonly idleSeconds: number;
  /** Largest number of connections; more are closed at once. Default 8192. */
  readonly connections: number;
  /** Requests in a second by one key, or by one address without keys; 0: any number. Default 0. */
  readonly rate: number;
  /** Largest number of requests that wait for their answers; more get 503. Streams do not count. Default 4096. */
  readonly waiting: number;
  /** Limits of single routes, by their paths as in `/openapi.json`. Default: none. */
  readonly routes: Readonly<Record<string, RouteLimits>>;
}

/** Limits that a route has in place of those of all. */
export interface RouteLimits {
  readonly body?: number | undefined;
  /** Counted apart from requests to other routes. */
  readonly rate?: number | undefined;
}

export const defaultLimits: RequestLimits = {
  body: 2 ** 23,
  rows: 10_000,
  features: 2 ** 16,
  depth: 32,
  readers: 100,
  headerSeconds: 10,
  requestSeconds: 300,
  idleSeconds: 60,
  connections: 8192,
  rate: 0,
  waiting: 4096,
  routes: {},
};
