/** Bounds of what one request may ask for. */
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
}

export const defaultLimits: RequestLimits = { body: 2 ** 23, rows: 10_000, features: 2 ** 16, depth: 32, readers: 100 };
