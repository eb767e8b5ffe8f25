import { HalfspaceError } from '../errors.ts';

/** Returns the error for numbers that overflow. */
export function overflow(what: string, got: string, source?: string): HalfspaceError {
  const message = `expected ${what} within the range of doubles; got ${got}: scale the data`;
  return new HalfspaceError('weights-overflow', message, source === undefined ? {} : { source });
}
