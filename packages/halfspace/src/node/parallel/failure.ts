import { type ErrorCode, formatPlace, HalfspaceError, type Place } from '../../errors.ts';

/** The error that ended a thread's work, as a message. */
export interface ThreadFailure {
  /** Null: not a refusal, but a bug. */
  readonly code: ErrorCode | null;
  readonly message: string;
  readonly where: Place;
}

/** Makes a message of an error. */
export function failureOf(error: unknown): ThreadFailure {
  if (!(error instanceof HalfspaceError))
    return { code: null, message: String((error as Error)?.stack ?? error), where: {} };
  const { code, message, where } = error;
  const place = formatPlace(where);
  return { code, message: place === '' ? message : message.slice(place.length + 2), where };
}

/** Makes the error again. */
export function errorOf({ code, message, where }: ThreadFailure): Error {
  return code === null ? new Error(message) : new HalfspaceError(code, message, where);
}
