import { STATUS_CODES } from 'node:http';
import { errorCodes, HalfspaceError, type Place } from 'halfspace';
import { ModelRefusal, type RefusalReason } from '../models/contract.ts';

/** An error answer (RFC 9457). `code` is for programs and never changes; `detail` is for people. */
export interface Problem {
  readonly type: 'about:blank';
  /** The phrase of the HTTP status. */
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  /** Place of the fault in what was sent; rows count from 1. */
  readonly where?: Place;
  /** Name of the request in the log. */
  readonly request?: string;
}

/** A refusal by the protocol. All other refusals are errors of the library or of the models. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  /** A stable name of the kind of error. */
  readonly code: string;
  /** Further headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;

  /** @param message "expected …; got …", printable. */
  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** Seconds after which a client may try a read-only model or a busy service again. */
export const retrySeconds = 5;
export const retryLater = { 'retry-after': String(retrySeconds) };

const statuses: Readonly<Record<RefusalReason, number>> = {
  'model-unknown': 404,
  'prediction-unknown': 404,
  'version-unknown': 404,
  'model-follows': 409,
  'model-frozen': 409,
  'model-set-aside': 409,
  'shadow-missing': 409,
  'version-differs': 412,
  'idempotency-key-reused': 422,
  'model-full': 422,
  busy: 503,
  'model-read-only': 503,
};

/** Returns what an error tells a client. Everything unforeseen is a fault of the service, whose text stays secret. */
export function refusalOf(error: unknown): Refusal & { readonly where?: Place } {
  if (error instanceof Refusal) return error;
  if (error instanceof HalfspaceError) {
    const refusal = new Refusal(errorCodes[error.code].http, error.code, error.message);
    return Object.keys(error.where).length === 0 ? refusal : Object.assign(refusal, { where: error.where });
  }
  if (error instanceof ModelRefusal) {
    const status = statuses[error.reason];
    return new Refusal(status, error.reason, error.message, status === 503 ? retryLater : {});
  }
  return ofFramework(error) ?? new Refusal(500, 'fault', 'the service failed; its log tells why, by the request');
}

/** Codes and sentences for errors of Fastify and its plugins, by their codes. */
const frameworkCodes: Readonly<Record<string, readonly [code: string, detail: string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['body-too-large', 'expected a smaller body, or a stream of lines; got too many bytes'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['body-malformed', 'expected a body as long as Content-Length says; got another'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'media-type-unknown',
    'expected "Content-Type: application/json", or application/x-ndjson for lines; got another type',
  ],
  FST_ERR_CTP_EMPTY_TYPE: [
    'media-type-unknown',
    'expected "Content-Type: application/json", or application/x-ndjson for lines; got none',
  ],
  FST_ERR_BAD_URL: ['path-malformed', 'expected a path with valid percent-encoding; got another'],
  FST_ERR_MAX_PARAM_LENGTH: ['path-too-long', 'expected a shorter path; got one with a name of too many characters'],
};

function ofFramework(error: unknown): Refusal | null {
  const { code, statusCode, validation } = error as {
    code?: unknown;
    statusCode?: unknown;
    validation?: unknown;
  };
  const known = frameworkCodes[String(code)];
  if (validation === undefined && (typeof statusCode !== 'number' || (statusCode >= 500 && known === undefined)))
    return null;
  const status = typeof statusCode === 'number' ? statusCode : 400;
  const headers = status === 503 ? retryLater : {};
  if (known !== undefined) return new Refusal(status, known[0], known[1], headers);
  return new Refusal(status, 'request-invalid', (error as Error).message);
}

/** Returns the body of an error answer. @param request name of the request in the log. */
export function problemOf(error: unknown, request?: string): Problem {
  const { status, code, message, where } = refusalOf(error);
  return {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Client Closed Request',
    status,
    detail: message,
    code,
    ...(where === undefined ? {} : { where }),
    ...(request === undefined ? {} : { request }),
  };
}

export const problemType = 'application/problem+json';
