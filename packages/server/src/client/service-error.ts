import type { Problem } from './types.ts';

/**
 * Tells why a request failed. The service's own codes are those of its answers. Others are `unreachable` (no answer),
 * `timeout`, `answer-unknown` (not an answer of the service, such as a page of a proxy) and `option-invalid`.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  /** The answer, or the like if there was none. Its `detail` is the message. */
  readonly problem: Problem;
  /** Seconds after which the service asked to be tried again; null: it did not ask. */
  readonly retryAfter: number | null;

  /** @param cause the error of `fetch`, if there was no answer. */
  constructor(problem: Problem, retryAfter: number | null = null, cause?: unknown) {
    super(problem.detail, cause === undefined ? undefined : { cause });
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  /** A stable name of the kind of error. */
  get code(): string {
    return this.problem.code;
  }

  /** Status of HTTP; 0 if there was no answer. */
  get status(): number {
    return this.problem.status;
  }
}

/** Returns an error that the service did not answer. */
export function clientError(code: string, detail: string, status = 0, cause?: unknown): ServiceError {
  return new ServiceError({ type: 'about:blank', title: '', status, detail, code }, null, cause);
}
